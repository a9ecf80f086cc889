"""A page asked for on its own, so that rules can be tried on it: as a crawl with these settings would be answered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import BadUrl
from core.fetch.secrets import Secrets
from core.preview.page_source import PageSource
from core.preview.visit import Visit, has_body
from core.urls import Rejected, parse_seed_line

if TYPE_CHECKING:
    from core.settings import CrawlSettings

DEADLINE = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What came. `page` is None where nothing did: `problem` says why; with a page it says what is missing of it."""

    address: str
    status: int | None = None
    page: PageSource | None = None
    problem: str = ""


async def fetch_page(
    text: str, settings: CrawlSettings, secrets: Secrets | None = None, seconds: float = DEADLINE
) -> FetchedPage:
    """Ask for the page of a URL as it is typed, redirects followed. Raises BadUrl and SecretMissing."""
    url = parse_seed_line(text)
    if isinstance(url, Rejected):
        raise BadUrl(url.message)
    try:
        async with asyncio.timeout(seconds):
            fetched, came_from = await Visit(settings, secrets or Secrets(), typed=url).fetch(url)
    except TimeoutError:
        return FetchedPage(url.text, problem="No answer within the time.")
    if not has_body(fetched):
        said = fetched.error or (f"It answered {fetched.status}." if fetched.status != 200 else "It is empty.")
        return FetchedPage(came_from.text, fetched.status, problem=said)
    page = PageSource(came_from.text, fetched.content_type, fetched.charset, fetched.body)
    cut = "Only its beginning came." if fetched.outcome == "truncated" else ""
    return FetchedPage(came_from.text, fetched.status, page, cut)
