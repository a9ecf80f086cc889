"""A robots.txt asked for on its own: what an engine with these settings would be given now, and what it would mean."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import BadUrl
from core.fetch.secrets import Secrets
from core.policy.robots import MOST_OCTETS, RobotsAnswer, robots_access
from core.preview.visit import Visit
from core.urls import Rejected, Url, parse, parse_seed_line

if TYPE_CHECKING:
    from core.settings import CrawlSettings

DEADLINE = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class FetchedRobots:
    """What came. `access` is how the answer is read (RFC 9309 section 2.3.1); `text` is empty unless it is `rules`.

    `problem` says why there is no answer; `address` is where it finally came from.
    """

    origin: str
    address: str
    access: RobotsAnswer
    status: int | None = None
    text: str = ""
    problem: str = ""


async def fetch_robots(
    origin: str, settings: CrawlSettings, secrets: Secrets | None = None, seconds: float = DEADLINE
) -> FetchedRobots:
    """Ask an origin, or the origin of any URL, for its robots.txt. Raises BadUrl and SecretMissing."""
    url = parse_seed_line(origin)
    if isinstance(url, Rejected):
        raise BadUrl(url.message)
    place = parse(f"{url.origin}/robots.txt")
    assert isinstance(place, Url)  # noqa: S101  # an origin with a plain path is a URL
    try:
        async with asyncio.timeout(seconds):
            fetched, came_from = await Visit(settings, secrets or Secrets(), typed=url).fetch(place)
    except TimeoutError:
        return FetchedRobots(url.origin, place.text, RobotsAnswer.DISALLOW, problem="No answer within the time.")
    access = robots_access(fetched.status, fetched.outcome)
    text = fetched.body[:MOST_OCTETS].decode("utf-8-sig", "replace") if access is RobotsAnswer.RULES else ""
    return FetchedRobots(url.origin, came_from.text, access, fetched.status, text, fetched.error or "")
