"""A page fetched for a preview: as the crawl would be answered, with the crawl's guards."""

from __future__ import annotations

import asyncio
import json

import pytest
import zstandard

from core.errors import BadUrl
from core.fetch.secrets import Secrets
from core.preview.page_fetch import FetchedPage, fetch_page
from core.preview.page_source import PageSource, kept_source
from core.settings import CrawlSettings, Scope
from tests.core.engine.scripted_site import ScriptedSite, moved, page

SECRETS = Secrets({}, lambda _: None)


def fetched(text: str, settings: CrawlSettings | None = None, seconds: float = 20.0) -> FetchedPage:
    return asyncio.run(fetch_page(text, settings or CrawlSettings(), SECRETS, seconds))


def test_a_page_comes_with_where_it_came_from() -> None:
    with ScriptedSite({"/old": moved("/new"), "/new": page(title="New")}) as site:
        came = fetched(f"{site.root}/old")
        assert (came.address, came.status, came.problem) == (f"{site.root}/new", 200, "")
        assert came.page is not None
        assert came.page.url == f"{site.root}/new"
        assert came.page.read().title == "New"


def test_what_brings_nothing_says_why() -> None:
    with ScriptedSite({}) as site:
        missing = fetched(f"{site.root}/missing")
        assert (missing.page, missing.status, missing.problem) == (None, 404, "It answered 404.")
        blocked = fetched(f"{site.root}/x", CrawlSettings(scope=Scope(block_hosts=("127.0.0.1",))))
        assert blocked.page is None
        assert "Nothing may be asked" in blocked.problem
    with pytest.raises(BadUrl):
        fetched("http://")


def kept(body: bytes, head: dict[str, object]) -> PageSource | None:
    return kept_source("http://shop.test/", json.dumps(head).encode(), zstandard.compress(body))


def test_a_kept_response_is_the_page_that_came() -> None:
    head = {"status": 200, "headers": [["Content-Type", "text/html; charset=latin-1"]]}
    assert kept(b"<title>\xfc", head) == PageSource("http://shop.test/", "text/html", "latin-1", b"<title>\xfc")


def test_what_is_no_kept_response_is_none() -> None:
    assert kept_source("http://shop.test/", b"{", zstandard.compress(b"x")) is None
    assert kept_source("http://shop.test/", b'{"headers": []}', b"no zstandard") is None
    assert kept(b"x", {"status": 200}) is None
