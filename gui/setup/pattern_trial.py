"""What patterns would take out of a number of known URLs. Pure; the patterns are the very ones the engine uses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.errors import BadPattern
from core.policy.patterns import Pattern, compile_pattern
from core.urls import Rules, Url, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.settings import Normalise

LONGEST = 1.0  # seconds for one pattern: a slow regular expression is not counted to the end


@dataclass(frozen=True, slots=True)
class Question:
    """Patterns, which of them is looked at (-1 for none), and the URLs to try, as fetched."""

    patterns: tuple[str, ...]
    current: int
    urls: tuple[str, ...]
    normalise: Normalise


@dataclass(frozen=True, slots=True)
class Hit:
    """One URL (key form) with the part that the current pattern matches."""

    url: str
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """`counts` by pattern, None where the time was not enough or the pattern is wrong; those hit come first."""

    counts: tuple[int | None, ...] = ()
    problems: dict[int, str] = field(default_factory=dict)
    hits: tuple[Hit, ...] = ()

    @property
    def matched(self) -> int:
        return sum(hit.span is not None for hit in self.hits)


def try_patterns(question: Question, now: Callable[[], float]) -> Answer:
    """Compile and count. `now` is a monotonic clock in seconds."""
    urls = keys_of(question.urls, question.normalise)
    counts: list[int | None] = []
    problems: dict[int, str] = {}
    hits = tuple(Hit(url.text) for url in urls)
    for at, text in enumerate(question.patterns):
        if not text.strip():
            counts.append(None)
            continue
        try:
            pattern = _compiled(text, question.normalise)
        except BadPattern as fault:
            problems[at] = str(fault)
            counts.append(None)
            continue
        spans = _spans(pattern, urls, now)
        counts.append(None if spans is None else sum(span is not None for span in spans))
        if at == question.current and spans is not None:
            pairs = [Hit(url.text, span) for url, span in zip(urls, spans, strict=True)]
            hits = tuple(sorted(pairs, key=lambda hit: hit.span is None))
    return Answer(tuple(counts), problems, hits)


def keys_of(urls: tuple[str, ...], normalise: Normalise) -> tuple[Url, ...]:
    """The key forms that patterns see; what is no URL is left out."""
    rules = Rules.of(normalise)
    parsed = (parse(text) for text in urls)
    return tuple(key_form(url, rules) for url in parsed if isinstance(url, Url))


def kind_of(text: str) -> str:
    """What sort of pattern it is, for a person."""
    bare = text.strip()
    if bare.startswith("re:"):
        return "Expression"
    if bare.startswith("?") or "?" in bare:
        return "Parameter"
    return "Path" if bare.startswith("/") else "Host" if bare else ""


def _compiled(text: str, normalise: Normalise) -> Pattern:
    return compile_pattern(text, lower_path=normalise.lower_path, ignore_www=normalise.ignore_www)


def _spans(pattern: Pattern, urls: tuple[Url, ...], now: Callable[[], float]) -> list[tuple[int, int] | None] | None:
    end = now() + LONGEST
    spans: list[tuple[int, int] | None] = []
    for url in urls:
        spans.append(pattern.span(url))
        if now() > end:
            return None
    return spans
