"""A preview is the same hop that a crawl would make."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from core.fetch.preview import fetch_once
from core.fetch.secrets import Secrets
from core.settings import CrawlSettings
from tests.core.fetch.raw_server import LOOPBACK, Site, html, says

if TYPE_CHECKING:
    from core.fetch.response import Fetched


def preview(answer: bytes, listed: frozenset[str] = LOOPBACK) -> tuple[Fetched, list[str]]:
    async def run() -> tuple[Fetched, list[str]]:
        async with Site(says(answer)) as site:
            fetched = await fetch_once(site.url("/a?x=%3F'"), CrawlSettings(), listed, Secrets({}, lambda _: None))
            return fetched, site.heads

    return asyncio.run(run())


def test_a_preview_gives_the_crawl_s_answer_and_leaves_the_url_as_it_is() -> None:
    fetched, heads = preview(html(b"<p>hi"))
    assert (fetched.outcome, fetched.body) == ("ok", b"<p>hi")
    assert heads[0].startswith("GET /a?x=%3F' HTTP/1.1")


def test_a_preview_does_not_follow_redirects() -> None:
    fetched, heads = preview(html(b"", b"Location: /b", status=b"302 Found"))
    assert (fetched.outcome, fetched.location, len(heads)) == ("redirect", "/b", 1)


def test_a_preview_keeps_the_address_policy_and_never_raises() -> None:
    fetched, heads = preview(html(), frozenset())
    assert fetched.outcome == "error:blocked"
    assert heads == []
