"""URLs tried against the text of a robots.txt. Pure; the rules are the very ones the engine asks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.policy.robots import Robots
from core.urls import Rejected, Rules, Url, fetch_form, parse, parse_seed_line

if TYPE_CHECKING:
    from core.policy.robots import RobotsVerdict
    from core.settings import Normalise

MOST_URLS = 1000


@dataclass(frozen=True, slots=True)
class Question:
    """A robots.txt with the name we go by, and lines to try: URLs, or paths of `origin` (empty: of any)."""

    text: str
    token: str
    lines: str
    origin: str
    normalise: Normalise


@dataclass(frozen=True, slots=True)
class Decision:
    """About one line: `rule` decided, in line `line` of the text (0: none applied). `problem`: it is no URL, or the
    file of another origin decides about it."""

    url: str
    allowed: bool = False
    rule: str = ""
    line: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """`decisions` in the order of the lines; `crawl_delay` in seconds, as the text has it for our name."""

    decisions: tuple[Decision, ...] = ()
    crawl_delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    left_out: int = 0

    def lines(self) -> dict[int, tuple[bool, int]]:
        """The lines that decided: whether they allow, and for how many URLs."""
        counted = Counter((each.line, each.allowed) for each in self.decisions if each.line)
        return {line: (allowed, number) for (line, allowed), number in counted.items()}


def try_urls(question: Question) -> Answer:
    """Total on any text."""
    robots = Robots.parse(question.text, question.token)
    rules = Rules.of(question.normalise)
    lines = [line.strip() for line in question.lines.splitlines() if line.strip()]
    decisions = tuple(_decide(line, robots, rules, question.origin) for line in lines[:MOST_URLS])
    return Answer(decisions, robots.crawl_delay, robots.sitemaps, max(0, len(lines) - MOST_URLS))


def _decide(text: str, robots: Robots, rules: Rules, origin: str) -> Decision:
    url = _url(text, origin)
    if isinstance(url, Rejected):
        return Decision(text, problem=url.message)
    fetch = fetch_form(url, rules)
    if origin and not text.startswith("/") and fetch.origin != origin:
        return Decision(fetch.text, problem=f"Not of {origin}: the robots.txt of {fetch.origin} decides.")
    verdict = robots.verdict(fetch.target)
    return Decision(fetch.text if origin or not text.startswith("/") else fetch.target, *_parts(verdict))


def _parts(verdict: RobotsVerdict) -> tuple[bool, str, int]:
    return verdict.allowed, verdict.rule, verdict.line


def _url(text: str, origin: str) -> Url | Rejected:
    if not text.startswith("/"):
        return parse_seed_line(text)
    base = parse(f"{origin or 'http://host.invalid'}/")
    return parse(text, base) if isinstance(base, Url) else base
