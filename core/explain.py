"""Explain URL: what becomes of a URL in this crawl, and why. It asks the very functions the engine asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import BadUrl
from core.policy.policy import Facts, Policy
from core.policy.policy import Step as Question
from core.policy.robots import Robots, product_token
from core.store.reader import Reader
from core.store.standing import Standing, read_standing
from core.urls import Rejected, Rules, Url, fetch_form, key_form, parse_seed_line
from core.urls import explain as steps_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings
    from core.urls.steps import Step

KNOWN = frozenset("pending leased waiting done failed excluded blocked held gone".split())


@dataclass(frozen=True, slots=True)
class RobotsLine:
    """The line of robots.txt that decided, and its number from 1."""

    rule: str
    line: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """`url` is the fetch form, `key` what is compared. `reason` is why it is not allowed, else the stored one.

    `state` is the URL's own, `refused` or `unknown`. `questions` are the judge's, each with its answer in words.
    `next_due` is Unix time.
    """

    url: str
    key: str
    steps: tuple[Step, ...]
    allowed: bool
    reason: str
    state: str
    depth: int | None
    priority: int
    found_on: str
    next_due: float | None
    robots: RobotsLine | None
    questions: tuple[Question, ...] = ()


def explain(path: Path, text: str) -> Explanation:
    """Explain what was typed to the crawl in `path`. Raises BadUrl for a text that is no URL."""
    reader = Reader(path)
    _, settings = reader.settings()
    reader.close()
    rules = Rules.of(settings.normalise)
    url = parse_seed_line(text)
    if isinstance(url, Rejected):
        raise BadUrl(url.message)
    fetch, key = fetch_form(url, rules), key_form(url, rules)
    standing = read_standing(path, settings, key)
    policy = Policy(settings, standing.extra_hosts)
    verdict = policy.judge(fetch, key, facts_of(standing), explain=True)
    objection, line = robots_objection(settings, standing, fetch)
    reason = verdict.reason or policy.excluded(key) or objection
    return Explanation(
        *(fetch.text, key.text, tuple(steps_of(text, rules)), not reason, reason or standing.reason, standing.state),
        depth=standing.depth,
        priority=verdict.priority if standing.priority is None else standing.priority,
        found_on=standing.found_on,
        next_due=standing.next_due,
        robots=line,
        questions=verdict.steps,
    )


def facts_of(standing: Standing) -> Facts:
    """What the judge is told. A URL that has its place already is not held against the limits once more."""
    found = Facts(standing.depth or 0, standing.seed, via="seed" if standing.seed else "link")
    if standing.state in KNOWN:
        return found
    return Facts(
        *(found.depth, found.is_seed, standing.host_known, standing.total_known, standing.pattern_counts),
        parameter_sets=standing.parameter_sets,
        via=found.via,
    )


def robots_objection(settings: CrawlSettings, standing: Standing, url: Url) -> tuple[str, RobotsLine | None]:
    """What robots.txt says against it, and the line that decided either way."""
    politeness = settings.politeness
    overridden = {item.host.lower() for item in politeness.robots_override}
    if not politeness.robots or overridden & {url.host, f"{url.host}:{url.port}"}:
        return "", None
    if standing.robots_state == "disallow":
        return "robots: unreachable", None
    if standing.robots_state != "rules":
        return "", None
    verdict = Robots.parse(standing.robots_body, product_token(settings.fetch.user_agent)).verdict(url.target)
    line = RobotsLine(verdict.rule, verdict.line) if verdict.rule else None
    return ("" if verdict.allowed else f"robots: {verdict.rule}"), line
