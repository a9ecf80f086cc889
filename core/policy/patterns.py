r"""The patterns an analyst writes, compiled once: the same object decides in the engine, the editor and Explain.

    /calendar/        the path begins with it            /*.pdf$        `*` any run, `$` the end of the path
    /?filter=         any path, a parameter `filter`     ?sort=price    that value, at any position
    shop.test/old/    a host stands in front             *.shop.test    every host below it
    /a\*b             a star itself                      re:/p/\d+$     a regular expression over the whole URL

A pattern has a path part and a query part (after the first `?`), each compared with that part of the key form. A
parameter named without a value, or with an empty one, may have any value; several joined by `&` must all be there, in
any order; an empty query part asks for any query. `*` stands for any run in names and values too. A host without a
port stands for every port; a scheme in front is accepted and ignored, a pattern holds for http and https alike.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import BadPattern
from core.policy.escapes import comparable
from core.policy.glob import Glob, glob
from core.urls import Url, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    import regex

LONGEST_PATTERN = 2000
REGEX_SECONDS = 0.05  # for one URL; a door decision must not hold up the crawl
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:@\[\]]+)(?::(\d{1,5}))?")


class Pattern(ABC):
    """One compiled pattern; `text` is what the analyst wrote."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    @abstractmethod
    def matches(self, url: Url) -> bool:
        """Whether the URL (in key form) is meant."""

    @abstractmethod
    def span(self, url: Url) -> tuple[int, int] | None:
        """The part of `url.text` that made it match, for highlighting; None where it does not match."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter a pattern asks for; `value` None means any."""

    name: Glob
    value: Glob | None

    def found_in(self, name: str, value: str) -> bool:
        """Whether a parameter of a URL, in comparable form, is the one asked for."""
        return self.name.end(name) >= 0 and (self.value is None or self.value.end(value) >= 0)


class PathPattern(Pattern):
    """A pattern of plain text and stars, matched in linear time."""

    __slots__ = ("any_query", "host", "parameters", "path", "port", "telling")

    def __init__(
        self, text: str, host: Glob | None, port: int | None, path: Glob, query: tuple[Parameter, ...] | None
    ) -> None:
        super().__init__(text)
        self.host = host
        self.port = port
        self.path = path
        self.any_query = query is not None
        self.parameters = query or ()
        self.telling = _telling(self.parameters)

    def matches(self, url: Url) -> bool:
        path, mark, query = url.target.partition("?")
        if self.any_query and (not mark or (self.telling not in query and "%" not in query)):
            return False
        if not self._is_there(url) or self.path.end(comparable(path)) < 0:
            return False
        return not self.parameters or self._has_parameters(query)

    def span(self, url: Url) -> tuple[int, int] | None:
        if not self.matches(url):
            return None
        text, target = url.text, url.target
        start = len(text) - len(target)
        if self.parameters:
            begin, end = next(place for place, pair in _pairs(target) if self.parameters[0].found_in(*pair))
            return start + begin, start + end
        if self.path.prefix == "" and self.host is not None:
            return len(url.scheme) + 3, start
        return start, start + self._path_end(url.path)

    def _is_there(self, url: Url) -> bool:
        if self.host is None:
            return True
        return self.host.end(url.host) >= 0 and (self.port is None or self.port == url.port)

    def _has_parameters(self, query: str) -> bool:
        pairs = [pair for _, pair in _pairs("?" + query)]
        return all(any(wanted.found_in(*pair) for pair in pairs) for wanted in self.parameters)

    def _path_end(self, path: str) -> int:
        # The escapes of a key form are settled already, so that places in both texts are mostly the same.
        return min(self.path.end(comparable(path)), len(path))


class RegexPattern(Pattern):
    """A regular expression over the whole URL, bounded in time.

    `undecided` is the answer where the time was not enough: an exclusion that cannot be judged excludes.
    """

    __slots__ = ("_expression", "_undecided")

    def __init__(self, text: str, expression: regex.Pattern[str], undecided: bool) -> None:
        super().__init__(text)
        self._expression = expression
        self._undecided = undecided

    def matches(self, url: Url) -> bool:
        try:
            return self._expression.search(url.text, timeout=REGEX_SECONDS, concurrent=True) is not None
        except TimeoutError:
            return self._undecided

    def span(self, url: Url) -> tuple[int, int] | None:
        try:
            found = self._expression.search(url.text, timeout=REGEX_SECONDS, concurrent=True)
        except TimeoutError:
            return (0, len(url.text)) if self._undecided else None
        return found.span() if found else None


def compile_pattern(
    text: str, *, lower_path: bool = False, ignore_www: bool = False, undecided: bool = False
) -> Pattern:
    """The pattern that `text` describes; raises BadPattern with a sentence for the person.

    `lower_path` and `ignore_www` say that key forms are folded so, and fold the pattern alike.
    """
    text = text.strip()
    _check(text)
    if text.startswith("re:"):
        return _regex_pattern(text, undecided)
    rest = _SCHEME.sub("", text, count=1)
    place, rest = _place(rest, is_url=rest != text)
    path, mark, query = rest.partition("?")
    host, port = _host(place, ignore_www) if place else (None, None)
    path_glob = _path(path.lower() if lower_path else path)
    return PathPattern(text, host, port, path_glob, _parameters(query) if mark else None)


def _check(text: str) -> None:
    if not text:
        raise BadPattern("The pattern is empty.", "Write a path such as /calendar/, or delete the line.")
    if len(text) > LONGEST_PATTERN:
        raise BadPattern(f"The pattern has {len(text)} characters; {LONGEST_PATTERN} are allowed.")
    if not text.isprintable():
        raise BadPattern(f"The pattern {text!r} holds a character that cannot be printed.", "Retype the pattern.")


def _regex_pattern(text: str, undecided: bool) -> RegexPattern:
    import regex  # only crawls with such a pattern need it

    source = text[3:]
    if not source:
        raise BadPattern("After re: a regular expression is expected.", r"For example re:/product/\d+$")
    try:
        return RegexPattern(text, regex.compile(source), undecided)
    except (regex.error, OverflowError, RecursionError, ValueError) as error:
        raise BadPattern(f"The regular expression {source} is not valid: {error}.") from None


def _place(rest: str, is_url: bool) -> tuple[str, str]:
    """Cut the host from what follows it."""
    if not is_url and rest.startswith(("/", "?")):
        return "", rest
    cut = min((at for at in (rest.find("/"), rest.find("?")) if at >= 0), default=len(rest))
    if not cut:
        raise BadPattern(f"No host stands between // and {rest}.", "Write a path such as /calendar/ or a host.")
    return rest[:cut], rest[cut:]


def _host(written: str, ignore_www: bool) -> tuple[Glob, int | None]:
    found = _HOST.fullmatch(written)
    if found is None or (found.group(2) and int(found.group(2)) > 65_535):
        raise BadPattern(
            f"“{written}” is no host.", "A pattern begins with / or ?, or with a host such as shop.example."
        )
    host, port = found.group(1).lower(), int(found.group(2)) if found.group(2) else None
    parsed = host if host.startswith("[") else _parsed_host(host, written)
    return glob(parsed.removeprefix("www.") if ignore_www else parsed, anchored=True), port


def _parsed_host(host: str, written: str) -> str:
    # A star stands for a part of a name while the parser looks at the rest.
    url = parse(f"http://{host.replace('*', 'x')}/")
    if not isinstance(url, Url) or url.target != "/":
        advice = "Write the path with a leading /, as in /*.pdf$, or a host such as shop.example."
        raise BadPattern(f"“{written}” is no host.", advice)
    return host if "*" in host else url.host


def _path(text: str) -> Glob:
    anchored = text.endswith("$")
    raw = glob(text[:-1] if anchored else text, escape=True, anchored=anchored)
    return Glob(tuple(comparable(piece) for piece in raw.pieces), anchored)


def _parameters(query: str) -> tuple[Parameter, ...]:
    return tuple(_parameter(part) for part in query.split("&") if part)


def _parameter(text: str) -> Parameter:
    name, _, value = text.partition("=")
    return Parameter(_word(name), _word(value) if value else None)


def _word(text: str) -> Glob:
    raw = glob(text, escape=True, anchored=True)
    return Glob(tuple(comparable(piece) for piece in raw.pieces), anchored=True)


def _telling(parameters: tuple[Parameter, ...]) -> str:
    """A text without which a query free of escapes cannot match; most queries are turned away by it."""
    name = max(parameters[0].name.pieces, key=len) if parameters else ""
    return "" if "%" in name else name


def _pairs(target: str) -> Iterator[tuple[tuple[int, int], tuple[str, str]]]:
    """Each parameter of a target: its place, and its name and value in comparable form."""
    at = target.find("?") + 1
    if not at:
        return
    for part in target[at:].split("&"):
        if part:
            name, _, value = part.partition("=")
            yield (at, at + len(part)), (comparable(name), comparable(value))
        at += len(part) + 1
