"""Whatever fails while a page, a robots.txt or a sitemap is worked on is its own outcome, and the crawl goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.fetch.headers import request_bytes
from core.parse import parse_page
from core.settings import FieldRule, RecordType, Seeds
from tests.core.engine.crawl import Crawl, fetch, quick
from tests.core.engine.scripted_site import ScriptedSite, moved, page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EXCEPTIONS = (
    *(ValueError("no"), AssertionError("no"), TypeError("no"), UnicodeEncodeError("utf-8", "\ud800", 0, 1, "no")),
    *(RecursionError("no"), MemoryError("no"), KeyError("no"), OverflowError("no")),
)


def failing(real: Callable[..., object], error: Exception, where: str) -> Callable[..., object]:
    """The same, but for calls whose arguments show this word."""

    def call(*arguments: object, **named: object) -> object:
        if where in str(arguments):
            raise error
        return real(*arguments, **named)

    return call


@pytest.mark.parametrize("error", EXCEPTIONS, ids=lambda error: type(error).__name__)
def test_an_exception_while_a_page_is_read_is_its_outcome_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr("core.engine.reading.parse_page", failing(parse_page, error, "EVIL"))
    with ScriptedSite({"/": page("/evil", "/good"), "/evil": b"EVIL", "/good": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
    assert {path: row.outcome for path, row in crawl.urls().items()} == {
        "/": "ok",
        "/evil": "error:parse",
        "/good": "ok",
    }
    ((told,),) = crawl.rows("SELECT error FROM page WHERE outcome = 'error:parse'")
    assert told.endswith(".")


def test_an_exception_in_a_rule_costs_the_records_and_keeps_the_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("core.engine.records.found_records", broken)
    kind = RecordType(name="thing", match="/", fields={"t": FieldRule(css="title")})
    with ScriptedSite({"/": page("/a"), "/a": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", records=(kind,)))
        assert crawl.run().exit_status == 0
    assert {path: row.outcome for path, row in crawl.urls().items()} == {"/": "error:parse", "/a": "error:parse"}


def test_an_exception_while_a_connection_is_used_is_a_request_s_outcome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.fetch.client.request_bytes", failing(request_bytes, KeyError("no"), "/evil"))
    with ScriptedSite({"/": page("/evil", "/good"), "/good": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/": "done", "/evil": "failed", "/good": "done"}
    assert crawl.urls()["/evil"].outcome == "error:protocol"


def test_an_exception_where_a_redirect_leads_is_that_page_s_outcome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("core.engine.page.PageFetch._target", broken)
    with ScriptedSite({"/": page("/evil", "/good"), "/evil": moved("/x"), "/good": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/": "done", "/evil": "failed", "/good": "done"}


def test_an_exception_while_a_sitemap_is_read_fails_it_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise AssertionError

    with ScriptedSite({"/": page(), "/map.xml": b"<urlset/>"}) as site:
        seeds = Seeds(urls=(f"{site.root}/",), sitemaps=(f"{site.root}/map.xml",))
        crawl = Crawl(tmp_path, quick(seeds=seeds))
        monkeypatch.setattr("core.engine.sources.SourceFetch._pieces", broken)
        assert crawl.run().exit_status == 0
    ((state, message),) = crawl.rows("SELECT state, message FROM seed_source")
    assert state == "failed"
    assert "AssertionError" in message
    assert crawl.states() == {"/": "done"}


def test_an_exception_while_robots_txt_is_read_forbids_all_of_its_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("core.engine.robots.Robots.parse", broken)
    with ScriptedSite({"/": page(), "/robots.txt": b"User-agent: *\nAllow: /"}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", fetch=fetch(retries=0)))
        assert crawl.run().exit_status == 3
    assert crawl.states() == {"/": "blocked"}
    assert site.targets() == ["/robots.txt"]
