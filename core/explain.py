"""Explain URL: what becomes of a URL in this crawl, and why. It asks the very functions the engine asks."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.errors import BadUrl
from core.policy.authorisation import WORD, Authorisations, reason_of
from core.policy.canonical import why_not
from core.policy.overrides import RobotsOverrides
from core.policy.policy import Policy
from core.policy.robots import Robots, product_token
from core.policy.verdict import Facts
from core.policy.verdict import Step as Question
from core.policy.words import UNREACHABLE, in_words
from core.store.read.reader import Reader
from core.store.read.standing import Standing, read_standing
from core.store.write.refusals import NOFOLLOW, RESOURCE
from core.urls import Rejected, Rules, Url, fetch_form, key_form, parse, parse_seed_line
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

    `state` is the URL's own, `refused` or `unknown`. `questions` are the judge's, each with its answer in words: the
    links to it, the rules at the door, the host's authorisation, its robots.txt, the parts of the priority. `decides`
    is the rule of the first one that it does not pass, `why` that one's answer in words. `next_due` is Unix time.
    `canonical` is what its page names; `alias_of` the page it is believed to be an alias of, `canonical_doubt` why it
    is none, and `canonical_why` the same as a sentence. `same_as` is the known spelling that is fetched in its place,
    which `stands_for` so many that later rules made the same.
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
    decides: str = ""
    why: str = ""
    canonical: str = ""
    alias_of: str = ""
    canonical_doubt: str = ""
    canonical_why: str = ""
    same_as: str = ""
    stands_for: int = 0


def explain(path: Path, text: str, at: float | None = None) -> Explanation:
    """Explain what was typed to the crawl in `path`; raises BadUrl for a text that is no URL.

    `at` is the wall time that authorisations are held against: now, unless it is given.
    """
    reader = Reader(path)
    _, settings = reader.settings()
    reader.close()
    rules = Rules.of(settings.normalise)
    charset, fetch, key, standing = _as_found(path, settings, text)
    policy = Policy(settings, standing.extra_hosts)
    facts = facts_of(standing)
    verdict = policy.judge(fetch, key, facts, explain=True)
    authorised = authorisation_answer(settings, fetch, time.time() if at is None else at)
    known = parse(standing.url) if standing.url else fetch  # the spelling that is asked for
    robots, line = robots_answer(settings, standing, known if isinstance(known, Url) else fetch)
    door, parts = _divided(verdict.steps)
    found = links_answer(settings, standing)
    asked = [_told(question, fetch, settings, facts) for question in (*found, *door, *authorised, robots)]
    decides = next((question for question in asked if not question.passed), None)
    reason = decides.reason if decides else ""
    return Explanation(
        *(
            fetch.text,
            key.text,
            tuple(steps_of(text, rules, charset=charset)),
            not reason,
            reason or standing.reason,
            standing.state,
        ),
        depth=standing.depth,
        priority=verdict.priority if standing.priority is None else standing.priority,
        found_on=standing.found_on,
        next_due=standing.next_due,
        robots=line,
        questions=(*asked, *parts, *_since_queued(standing, verdict.priority)),
        decides=decides.rule if decides else "",
        why=decides.detail if decides else "",
        canonical=standing.canonical,
        alias_of=standing.alias_of,
        canonical_doubt=standing.canonical_doubt,
        canonical_why=why_not(standing.canonical_doubt),
        same_as=standing.url if standing.url != fetch.text else "",
        stands_for=standing.stands_for,
    )


def _as_found(path: Path, settings: CrawlSettings, text: str) -> tuple[str, Url, Url, Standing]:
    """The text as the page meant it on which it was found: charset, fetch form, key form and standing.

    A page's links carry their queries in its charset, so only a query beyond ASCII can mean several URLs. UTF-8 is
    meant where no page says otherwise. Raises BadUrl.
    """
    fetch, key = _forms(text, settings, "utf-8")
    standing = read_standing(path, settings, fetch, key)
    if standing.state == "unknown" and not text.partition("#")[0].partition("?")[2].isascii():
        from core.urls.charsets import LEGACY  # their tables are made on first use

        for charset in LEGACY:
            other, other_key = _forms(text, settings, charset)
            found = read_standing(path, settings, other, other_key)
            if found.charset == charset:
                return charset, other, other_key, found
    return "utf-8", fetch, key, standing


def _forms(text: str, settings: CrawlSettings, charset: str) -> tuple[Url, Url]:
    rules = Rules.of(settings.normalise)
    url = parse_seed_line(text, charset=charset)
    if isinstance(url, Rejected):
        raise BadUrl(url.message)
    return fetch_form(url, rules), key_form(url, rules)


def facts_of(standing: Standing) -> Facts:
    """What the judge is told. A URL that has its place already is not held against the limits once more."""
    found = Facts(standing.depth or 0, standing.seed, via=standing.via, lastmod_age=standing.lastmod_age)
    if standing.state in KNOWN:
        return found
    return Facts(
        *(found.depth, found.is_seed, standing.host_known, standing.total_known, standing.pattern_counts),
        parameter_sets=standing.parameter_sets,
        via=found.via,
        lastmod_age=found.lastmod_age,
    )


def links_answer(settings: CrawlSettings, standing: Standing) -> tuple[Question, ...]:
    """What the references to a refused URL are, where that alone keeps it out; the door asks it before all else."""
    followed = standing.reason != RESOURCE and not (standing.reason == NOFOLLOW and settings.politeness.nofollow)
    return () if standing.state != "refused" or followed else (_refusal("links", standing.reason),)


def authorisation_answer(settings: CrawlSettings, url: Url, at: float) -> tuple[Question, ...]:
    """Who allowed the crawl of the URL's host and until when; nothing where nobody has to."""
    written = Authorisations(settings)
    item = written.of(url)
    if item is None:
        return ()
    if written.expired(url, at):
        return (_refusal(WORD, reason_of(item)),)
    return (Question(WORD, True, f"by {item.by}, until {item.until.isoformat()} (UTC)"),)


def robots_answer(settings: CrawlSettings, standing: Standing, url: Url) -> tuple[Question, RobotsLine | None]:
    """What robots.txt says of it, or why it is not asked, and the line that decided either way."""
    politeness = settings.politeness
    if not politeness.robots:
        return Question("robots", True, "robots.txt is not asked: politeness.robots is off"), None
    if item := RobotsOverrides(settings).of(url):
        return Question("robots", True, f"overridden for {item.host}: {item.reason}"), None
    if standing.robots_state == "rules":
        return _by_the_rules(settings, standing, url)
    if standing.robots_state == "disallow":
        known = standing.reason.startswith(UNREACHABLE)  # with its cause
        return _refusal("robots", standing.reason if known else UNREACHABLE), None
    return Question("robots", True, _WITHOUT_RULES[standing.robots_state]), None


_WITHOUT_RULES = {
    "allow": "the origin has no robots.txt: everything may be fetched",
    "unknown": "robots.txt is not known yet; it is asked for before the first page",
}


def _by_the_rules(settings: CrawlSettings, standing: Standing, url: Url) -> tuple[Question, RobotsLine | None]:
    verdict = Robots.parse(standing.robots_body, product_token(settings.fetch.user_agent)).verdict(url.target)
    if not verdict.rule:
        return Question("robots", True, "no line of robots.txt applies"), None
    line = RobotsLine(verdict.rule, verdict.line)
    if verdict.allowed:
        return Question("robots", True, f"line {verdict.line}: {verdict.rule}"), line
    words = f"line {verdict.line} of robots.txt forbids it: {verdict.rule}"
    return Question("robots", False, words, f"robots: {verdict.rule}"), line


def _refusal(rule: str, reason: str) -> Question:
    """A question that is not passed, its answer still the documented reason."""
    return Question(rule, False, reason, reason)


def _told(question: Question, url: Url, settings: CrawlSettings, facts: Facts) -> Question:
    """The question with its answer in words."""
    if question.passed or question.detail != question.reason:
        return question
    return replace(question, detail=in_words(question.reason, url, settings, facts))


def _divided(steps: tuple[Question, ...]) -> tuple[list[Question], list[Question]]:
    """The judge's questions at the door, and the parts of the priority."""
    parts = [step for step in steps if step.rule.startswith("priority: ")]
    return [step for step in steps if step not in parts], parts


def _since_queued(standing: Standing, points: int) -> tuple[Question, ...]:
    """What a stored priority has beyond its parts today: it is worked out once, as a URL is queued."""
    rest = 0 if standing.priority is None else standing.priority - points
    return (Question("priority: as it was queued", True, f"{rest:+d}"),) if rest else ()
