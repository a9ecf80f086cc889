"""One look at a robots.txt: up to five redirects, then what the answer means (RFC 9309 section 2.3).

A redirect within the host is followed within the lease; one to another host ends it, and the look goes on when that
host's turn comes. One to a host that may not be asked is not followed; then the rules are not known, and nothing may
be fetched.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from core.engine.page import answer_of
from core.fetch.request import FetchRequest
from core.fetch.retry import STARVED_DELAY, retry_delay
from core.policy.robots import MOST_OCTETS, Robots, RobotsAnswer, robots_access
from core.store.results import FoundLink, RobotsResult
from core.urls import Rejected, Resolver, Url, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.engine.page import Host
    from core.engine.rules import RulesInForce
    from core.fetch.client import Client
    from core.fetch.response import Fetched
    from core.store.results import Answer, Pace, Work

MOST_HOPS = 5
MOST_KEPT = MOST_OCTETS + 1  # one more than is read: so that a line which the limit cuts is known to be cut
GOOD_FOR = 86_400.0  # seconds (RFC 9309 section 2.4)
MOST_TOLD = 3  # bad lines that would name a sitemap
PROBE_EVERY = 300.0  # seconds between looks at a robots.txt that cannot be had
NOT_IN_THIS_SESSION = 10 * 365 * 86_400.0  # seconds; a start asks again whatever could not be had


class RobotsFetch:
    """Carries out robots.txt leases."""

    def __init__(self, client: Client, rules: RulesInForce, host: Host, chance: Callable[[], float]) -> None:
        self._client = client
        self._rules = rules
        self._host = host
        self._chance = chance

    async def run(self, work: Work) -> RobotsResult:
        """Fetch it and say what it means for its origin."""
        result = await self._looked(work)
        return result if self._rules.overrides.obeys(_whose(work)) else replace(result, obeyed=False)

    async def _looked(self, work: Work) -> RobotsResult:
        fetched, moved = await self._fetch(work)
        answer = answer_of(fetched)
        if moved is not None:
            return RobotsResult(work, answer, self._host.pace(work, fetched), "elsewhere", moved=moved)
        access = robots_access(fetched.status, fetched.outcome)
        if access is RobotsAnswer.DISALLOW:
            return self._unreachable(work, fetched, answer, self._host.pace(work, fetched))
        due = answer.at + GOOD_FOR
        if access is RobotsAnswer.ALLOW:
            return RobotsResult(work, answer, self._host.pace(work, fetched), "allow", due=due)
        body = fetched.body
        robots = Robots.parse(body, self._rules.token)
        capped = self._capped(robots.crawl_delay)
        asked = capped if self._rules.overrides.obeys(_whose(work)) else None
        pace = self._host.pace(work, fetched, None if work.rules_of else asked)
        owner_delay = self._host.slow_down(work.rules_of, asked) if work.rules_of and asked is not None else None
        sitemaps, warnings = self._sitemaps(work, robots)
        return RobotsResult(
            *(work, answer, pace, "rules", body, due),
            crawl_delay=capped,
            sitemaps=sitemaps,
            warnings=warnings,
            owner_delay=owner_delay,
        )

    async def _fetch(self, work: Work) -> tuple[Fetched, FoundLink | None]:
        """The last answer, and where the look goes on at another host."""
        url = work.url
        for hop in range(work.depth, MOST_HOPS + 1):
            fetched = await self._client.fetch(
                FetchRequest(url, MOST_KEPT, self._rules.settings.fetch.timeout, cut=True)
            )
            if fetched.outcome != "redirect" or hop == MOST_HOPS:
                break
            resolved = Resolver(url, self._rules.urls).resolve(fetched.location or "")
            if isinstance(resolved, Rejected) or not fetched.location:
                break
            if reason := self._rules.barred(resolved[0], time.time()):
                word = reason.partition(":")[0]
                fault = f"{word}: it redirects to {resolved[0].host}, where nothing may be asked."
                return replace(fetched, outcome="error:blocked", error=fault), None
            target = FoundLink(resolved[0], key_form(resolved[0], self._rules.urls), kind="robots")
            if target.key.host != key_form(work.url, self._rules.urls).host:
                return fetched, target
            await self._host.hop(work, answer_of(fetched))
            url = target.fetch
        return fetched, None

    def _unreachable(self, work: Work, fetched: Fetched, answer: Answer, pace: Pace) -> RobotsResult:
        if fetched.starved:
            return RobotsResult(work, answer, pace, "retry", due=answer.at + STARVED_DELAY, counts=False)
        if self._host.spared(fetched):
            return RobotsResult(work, answer, pace, "retry", due=answer.at, counts=False)
        if fetched.outcome == "error:blocked":  # it leads where nothing may be asked, and will at every look
            return RobotsResult(work, answer, pace, "disallow", due=answer.at + NOT_IN_THIS_SESSION)
        tries = self._rules.settings.fetch.retries
        if work.tries >= tries:
            return RobotsResult(work, answer, pace, "disallow", due=answer.at + PROBE_EVERY)
        cap = self._rules.settings.politeness.retry_after_max
        delay = retry_delay(work.tries + 1, self._chance(), fetched.retry_after, cap=cap)
        return RobotsResult(work, answer, pace, "retry", due=answer.at + delay)

    def _capped(self, delay: float | None) -> float | None:
        most = self._rules.settings.politeness.crawl_delay_max
        return min(delay, most) if delay is not None and most else delay

    def _sitemaps(self, work: Work, robots: Robots) -> tuple[tuple[FoundLink, ...], tuple[str, ...]]:
        """Those it names, where they are wanted, and what is wrong with the first lines that name none."""
        if "auto" not in self._rules.settings.seeds.sitemaps:
            return (), ()
        from core.seeds.robots import sitemaps_named  # a start waits for no import that only some crawls need

        named, warnings = sitemaps_named(robots.sitemaps, work.url.text)
        urls = (parse(item.url_text) for item in named)
        rules = self._rules.urls
        links = tuple(FoundLink(url, key_form(url, rules), kind="sitemap") for url in urls if isinstance(url, Url))
        return links, tuple(str(warning) for warning in warnings[:MOST_TOLD])


def _whose(work: Work) -> Url:
    """An address of the origin whose rules are asked for."""
    first = parse(work.first) if work.first else work.url
    return first if isinstance(first, Url) else work.url
