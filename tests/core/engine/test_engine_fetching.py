"""What becomes of each kind of answer: retries, waits, broken bodies, checks, credentials."""

from __future__ import annotations

import gzip
import time
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import core.fetch.retry
from core.settings import Auth, Budgets, Check, Cookie, FieldRule, Header, Pages, RecordType
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path

TWO = {"a.test": "127.0.0.1", "b.test": "127.0.0.1"}


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.fetch.retry, "FIRST_DELAY", 0.02)


@pytest.mark.usefixtures("quick_retries")
@pytest.mark.parametrize("broken", [Reply(status=500), Reply(raw=b""), Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Le")])
def test_a_transient_fault_is_tried_again_and_counted(tmp_path: Path, broken: Reply) -> None:
    with ScriptedSite({"/": lambda asked: broken if asked.number < 2 else page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", fetch=fetch(retries=2), politeness=politeness(robots=False)))
        assert crawl.run().exit_status == 0
        assert len(site.asked) == crawl.status().requests == 3
    assert crawl.states() == {"/": "done"}
    assert crawl.status().pages == 1


@pytest.mark.usefixtures("quick_retries")
def test_tries_are_bounded_and_the_last_fault_is_the_outcome(tmp_path: Path) -> None:
    with ScriptedSite({"/": Reply(status=502)}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", fetch=fetch(retries=3), politeness=politeness(robots=False)))
        assert crawl.run().exit_status == 0
        assert len(site.asked) == 4
    row = crawl.urls()["/"]
    assert (row.state, row.reason, row.status, row.outcome) == ("failed", "status: 502", 502, "ok")


def test_tries_back_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.fetch.retry, "FIRST_DELAY", 0.1)
    with ScriptedSite({"/": Reply(status=500)}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", fetch=fetch(retries=2), politeness=politeness(robots=False)))
        crawl.run()
        first, second, third = (asked.at for asked in site.asked)
    assert second - first >= 0.05
    assert third - second >= 0.1


def test_retry_after_makes_the_whole_host_wait_and_no_other(tmp_path: Path) -> None:
    """HTTP-15: the host's queue waits, not just the URL."""
    with ScriptedSite() as site:
        site.answers |= {
            "a.test/": page("/1", "/2", title="A"),
            "a.test/1": lambda asked: page(title="1") if asked.number else Reply(b"", 429, (("Retry-After", "1"),)),
            "a.test/2": page(title="2"),
            "b.test/": page("/3", title="B"),
            "b.test/3": page(title="3"),
        }
        settings = quick(
            *(f"{site.at('a.test')}/", f"{site.at('b.test')}/"),
            fetch=fetch(retries=1, resolve=TWO),
            politeness=politeness(per_host=1, robots=False, adaptive=False),
        )
        crawl = Crawl(tmp_path, settings)
        assert crawl.run().exit_status == 0
        refused = next(asked.at for asked in site.asked if asked.target == "/1")
        later = [asked for asked in site.asked if asked.at > refused and asked.host.startswith("a.test")]
        other = next(asked.at for asked in site.asked if asked.target == "/3")
    assert [asked.target for asked in later if asked.at < refused + 0.95] == []
    assert {asked.target for asked in later} == {"/1", "/2"}
    assert other < refused + 0.9


def test_retry_after_is_capped(tmp_path: Path) -> None:
    busy = Reply(b"", 503, (("Retry-After", "999999"),))
    with ScriptedSite({"/": lambda asked: page() if asked.number else busy}) as site:
        paces = politeness(retry_after_max=0.3, robots=False)
        crawl = Crawl(tmp_path, quick(f"{site.root}/", fetch=fetch(retries=1), politeness=paces))
        started = time.monotonic()
        assert crawl.run().exit_status == 0
        assert 0.29 <= time.monotonic() - started < 5
    assert crawl.states() == {"/": "done"}


def test_starts_at_a_host_are_apart_with_robots_and_redirects_counted(tmp_path: Path) -> None:
    """HTTP-17."""
    answers: dict[str, object] = {
        "/robots.txt": moved("/rules"),
        "/rules": Reply(b"", 404),
        "/": page("/a", "/r"),
        "/a": page(title="A"),
        "/r": moved("/c"),
        "/c": page(title="C"),
    }
    with ScriptedSite(answers) as site:
        paces = politeness(delay=0.1, per_host=8)
        assert Crawl(tmp_path, quick(f"{site.root}/", politeness=paces)).run().exit_status == 0
        starts = [asked.at for asked in site.asked]
    assert len(starts) == 6
    assert starts[-1] - starts[0] >= 0.45
    assert min(later - earlier for earlier, later in pairwise(starts)) >= 0.05  # as they arrive: a late one is nearer


def test_a_slow_host_holds_up_no_other(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        site.answers |= {"a.test/": Reply(page(), hold=1.5), "b.test/": page(*(f"/{n}" for n in range(20)))}
        site.answers |= {f"/{number}": page(title=str(number)) for number in range(20)}
        seeds = (f"{site.at('a.test')}/", f"{site.at('b.test')}/")
        paces = politeness(per_host=1, robots=False)
        assert Crawl(tmp_path, quick(*seeds, fetch=fetch(resolve=TWO), politeness=paces)).run().exit_status == 0
        slow = next(asked.at for asked in site.asked if asked.host.startswith("a.test"))
        assert max(asked.at for asked in site.asked if asked.host.startswith("b.test")) < slow + 1.5


def test_a_truncated_page_is_tried_again_and_never_taken_for_whole(tmp_path: Path) -> None:
    """HTTP-12."""
    body = gzip.compress(page("/x") + b" " * 5000)
    head = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nETag: "1"\r\n\r\n'
    with ScriptedSite({"/": Reply(raw=head + body[: len(body) - 12]), "/x": page(title="X")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", politeness=politeness(robots=False)))
        assert crawl.run().exit_status == 0
        row = crawl.urls()["/"]
        assert (row.state, row.outcome) == ("failed", "truncated")
        assert crawl.states()["/x"] == "done"  # its links are kept
        assert crawl.rows("SELECT content_hash FROM page WHERE url_id = 1") == [(None,)]
        crawl.run(recrawl="all")
        assert {asked.headers.get("if-none-match") for asked in site.asked} == {None}


def test_a_body_beyond_the_limit_is_too_large(tmp_path: Path) -> None:
    """HTTP-14: decoded bytes count."""
    bomb = gzip.compress(b"<p>" + b" " * 3_000_000)
    with ScriptedSite({"/": Reply(bomb, headers=(("Content-Encoding", "gzip"),))}) as site:
        budgets = Budgets(max_body_bytes=100_000)
        crawl = Crawl(tmp_path, quick(f"{site.root}/", budgets=budgets, politeness=politeness(robots=False)))
        assert crawl.run().exit_status == 0
    row = crawl.urls()["/"]
    assert (row.state, row.outcome, row.reason) == ("failed", "error:too_large", "error: too_large")


def test_a_304_nobody_asked_for_is_an_error(tmp_path: Path) -> None:
    """HTTP-10, second half."""
    with ScriptedSite({"/": Reply(status=304)}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", politeness=politeness(robots=False)))
        assert crawl.run().exit_status == 0
    assert crawl.urls()["/"].outcome == "error:protocol"


def test_a_page_that_fails_a_check_is_a_soft_block(tmp_path: Path) -> None:
    answers: dict[str, object] = {"/": page("/product/1", "/product/2")}
    answers |= {"/product/1": "<p class='sku'>A</p>", "/product/2": "<p>Access denied</p>"}
    checks = (Check(pattern="/product/*", must="class='sku'", must_not="Access denied"),)
    with ScriptedSite(answers) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", pages=Pages(checks=checks)))
        assert crawl.run().exit_status == 0
    rows = crawl.urls()
    assert (rows["/product/1"].state, rows["/product/2"].state) == ("done", "failed")
    assert rows["/product/2"].reason == "soft-block"


def test_links_of_a_page_with_base_and_nofollow(tmp_path: Path) -> None:
    body = '<base href="/d/"><a href="x">x</a><a href="y" rel="nofollow">y</a><a href="mailto:a@b.test">m</a>'
    with ScriptedSite({"/": body, "/d/x": page(title="X")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/robots.txt", "/", "/d/x"]
        assert crawl.refused() == {f"{site.root}/d/y": "robots: nofollow"}


def test_credentials_go_to_their_origin_alone_and_stand_in_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_KEY", "hush-hush-1")
    monkeypatch.setenv("THE_PASSWORD", "hush-hush-2")
    with ScriptedSite() as site:
        site.answers |= {"a.test/": page(f"{site.at('b.test')}/x", title="A"), "b.test/x": page(title="B")}
        origin = site.at("a.test")
        settings = quick(
            *(f"{origin}/", f"{site.at('b.test')}/"),
            fetch=fetch(
                headers=(Header(origin=origin, name="X-Api-Key", value="env:THE_KEY"),),
                auth=(Auth(origin=origin, user="ann", password="env:THE_PASSWORD"),),
                cookies=(Cookie(origin=origin, name="c", value="env:THE_KEY"),),
                resolve=TWO,
            ),
        )
        crawl = Crawl(tmp_path, settings)
        crawl.run()
        for asked in site.asked:
            ours = asked.host.startswith("a.test")
            assert [name in asked.headers for name in ("x-api-key", "authorization", "cookie")] == [ours] * 3
    for file in tmp_path.iterdir():
        assert b"hush-hush" not in file.read_bytes()


def test_records_come_with_their_page_and_a_missing_key_is_a_conflict(tmp_path: Path) -> None:
    product = RecordType(
        name="product", match="/product/*", key="sku", fields={"sku": FieldRule(css=".sku"), "n": FieldRule(css="h1")}
    )
    answers: dict[str, object] = {"/": page("/product/1", "/product/2", "/other")}
    answers |= {
        "/product/1": "<i class=sku>A-1</i><h1>One</h1>",
        "/product/2": "<h1>Two</h1>",
        "/other": "<i class=sku>",
    }
    with ScriptedSite(answers) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", records=(product,)))
        assert crawl.run().exit_status == 0
    assert crawl.rows("SELECT natural_key, json_extract(data, '$.n') FROM record") == [("A-1", "One")]
    ((reason,),) = crawl.rows("SELECT reason FROM conflict")
    assert "no sku on the page" in reason
    assert crawl.status().record_actions["conflicts"] == 1
