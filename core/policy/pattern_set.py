"""Many patterns asked at once: the first that matches, without asking most of them.

A pattern is looked at only when the plain beginning of its path begins the URL's path, and one with a query part only
where there is a query; regular expressions are asked every time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.escapes import comparable
from core.policy.glob import PrefixIndex
from core.policy.patterns import PathPattern, Pattern, compile_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.urls import Url


class PatternSet:
    """Compiled patterns in the order given; raises BadPattern for the first that cannot be compiled."""

    __slots__ = ("_by_path", "_with_query", "_without_index", "patterns")

    def __init__(
        self, texts: Iterable[str], *, lower_path: bool = False, ignore_www: bool = False, undecided: bool = False
    ) -> None:
        self.patterns = tuple(
            compile_pattern(text, lower_path=lower_path, ignore_www=ignore_www, undecided=undecided) for text in texts
        )
        numbered = tuple(enumerate(self.patterns))
        paths = tuple((number, pattern) for number, pattern in numbered if isinstance(pattern, PathPattern))
        self._without_index = tuple(number for number, pattern in numbered if not isinstance(pattern, PathPattern))
        self._by_path = PrefixIndex((p.path.prefix, number) for number, p in paths if not p.any_query)
        self._with_query = PrefixIndex((p.path.prefix, number) for number, p in paths if p.any_query)

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def first_match(self, url: Url) -> Pattern | None:
        """The first pattern, in the order given, that matches the URL (key form)."""
        first = next(self._matching(url), None)
        return None if first is None else self.patterns[first]

    def matching(self, url: Url) -> tuple[int, ...]:
        """The numbers, from 0, of all patterns that match."""
        return tuple(self._matching(url))

    def _matching(self, url: Url) -> Iterator[int]:
        patterns = self.patterns
        return (number for number in sorted(self._candidates(url)) if patterns[number].matches(url))

    def _candidates(self, url: Url) -> list[int]:
        path, mark, _ = url.target.partition("?")
        path = comparable(path)
        found = list(self._without_index)
        for numbers in self._by_path.under(path):
            found.extend(numbers)
        if mark:
            for numbers in self._with_query.under(path):
                found.extend(numbers)
        return found
