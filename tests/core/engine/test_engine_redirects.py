"""Redirects, hop by hop: each target is judged like a link before anything is sent to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import core.fetch.retry
from core.settings import Normalise, Scope
from core.store.read.reader import Reader
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path


def redirect_of(crawl: Crawl, path: str) -> str | None:
    ((target,),) = crawl.rows("SELECT redirect_to FROM page JOIN url ON url.id = url_id WHERE path = ?", path)
    found: str | None = target
    return found


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("b", "/d/b"),
        ("?q=1", "/d/start?q=1"),
        ("/caf\u00e9".encode().decode("latin-1"), "/caf%C3%A9"),
        ("/a b", "/a%20b"),
    ],
)
def test_a_location_is_resolved_against_the_requested_url(tmp_path: Path, location: str, target: str) -> None:
    """HTTP-01."""
    with ScriptedSite({"/d/start": moved(location), target: page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/d/start"))
        assert crawl.run().exit_status == 0
        assert target in site.targets()
        assert redirect_of(crawl, "/d/start") == f"{site.root}{target}"
    assert crawl.urls()["/d/start"].outcome == "redirect"


@pytest.mark.parametrize("location", ["//other.test/x", "///other.test/y", "http://other.test/z"])
def test_a_redirect_off_site_is_recorded_and_not_requested(tmp_path: Path, location: str) -> None:
    """HTTP-08: a link's redirect never widens the scope."""
    with ScriptedSite({"/": page("/out", "/in"), "/out": moved(location), "/in": page(title="In")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        assert set(site.targets()) == {"/robots.txt", "/", "/out", "/in"}
    assert (redirect_of(crawl, "/out") or "").startswith("http://other.test/")
    assert crawl.urls()["/out"].state == "done"
    assert list(crawl.refused().values()) == ["scope"]


@pytest.mark.parametrize("location", ["http://[::1", "http://example.test:99999/", "ftp://x/y", None, ""])
def test_a_bad_location_is_a_readable_failure(tmp_path: Path, location: str | None) -> None:
    """HTTP-03."""
    bad = Reply(status=302) if location is None else moved(location)
    with ScriptedSite({"/": page("/bad", "/good"), "/bad": bad, "/good": page(title="Good")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        assert set(site.targets()) == {"/robots.txt", "/", "/bad", "/good"}
    row = crawl.urls()["/bad"]
    assert (row.state, row.status, row.outcome) == ("failed", 302, "error:redirect")
    ((error,),) = crawl.rows("SELECT error FROM page JOIN url ON url.id = url_id WHERE path = '/bad'")
    assert error.endswith(".")


def test_each_hop_within_a_lease_is_recorded_and_is_no_page(tmp_path: Path) -> None:
    """SPEC 6.4: with its status and where it led; ratios are of pages alone."""
    with ScriptedSite({"/p?b=1&a=1": moved("/p?a=1&b=1", 301), "/p?a=1&b=1": page("/x")}) as site:
        site.answers["/x"] = page(title="X")
        crawl = Crawl(tmp_path, quick(f"{site.root}/p?b=1&a=1"))
        crawl.run()
        told = crawl.rows("SELECT url_id, status, outcome, led_to FROM capture ORDER BY id")
        there = f"{site.root}/p?a=1&b=1"
    assert told == [(1, 301, "redirect", there), (1, 200, "ok", None), (2, 200, "ok", None)]
    assert crawl.status().pages == 2
    assert crawl.status().discovery_ratio == 0.5
    assert crawl.rows("SELECT discovery_ratio FROM sample ORDER BY id DESC LIMIT 1") == [(0.5,)]
    reader = Reader(crawl.path)
    details = reader.url_details(1)
    reader.close()
    assert details is not None
    assert [(row.status, row.led_to) for row in details.captures] == [(200, ""), (301, there)]


def test_a_redirect_to_another_spelling_of_the_same_page_is_followed_within_the_lease(tmp_path: Path) -> None:
    """HTTP-05."""
    answers: dict[str, object] = {"/p?b=1&a=2": moved("/p?a=2&b=1"), "/p?a=2&b=1": page("/x"), "/x": page(title="X")}
    with ScriptedSite(answers) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/p?b=1&a=2"))
        assert crawl.run().exit_status == 0
        assert site.count("/p?a=2&b=1") == 1
    assert crawl.states() == {"/p?a=2&b=1": "done", "/x": "done"}
    assert crawl.status().requests == 4


def test_a_redirects_cookies_go_with_its_chain_and_nowhere_else(tmp_path: Path) -> None:
    def asked_for(asked: Asked) -> Reply:
        return Reply(page("/other", title="In")) if asked.headers.get("cookie") == "seen=1" else moved("/")

    answers: dict[str, object] = {
        "/": moved("/x", 302, ("Set-Cookie", "seen=1; Path=/")),
        "/x": moved("/y"),
        "/y": asked_for,
        "/other": page(title="Other"),
    }
    with ScriptedSite(answers) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        sent = {asked.target: asked.headers.get("cookie") for asked in site.asked}
    assert sent == {"/robots.txt": None, "/": None, "/x": "seen=1", "/y": "seen=1", "/other": None}


def test_a_chains_cookies_do_not_cross_to_another_origin(tmp_path: Path) -> None:
    with ScriptedSite({"b.test/x": page(title="B")}) as site:
        site.answers["a.test/"] = moved(f"{site.at('b.test')}/x", 302, ("Set-Cookie", "seen=1; Path=/"))
        both = {"a.test": "127.0.0.1", "b.test": "127.0.0.1"}
        crawl = Crawl(tmp_path, quick(f"{site.at('a.test')}/", fetch=fetch(resolve=both)))
        assert crawl.run().exit_status == 0
        assert [asked.headers.get("cookie") for asked in site.asked if asked.target == "/x"] == [None]


def test_a_retried_hop_is_asked_with_its_chains_cookies_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.fetch.retry, "FIRST_DELAY", 0.02)

    def at_second_try(asked: Asked) -> Reply:
        return Reply(status=503) if asked.number == 0 else Reply(page(title="X"))

    with ScriptedSite({"/": moved("/x", 302, ("Set-Cookie", "seen=1")), "/x": at_second_try}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", fetch=fetch(retries=1), politeness=politeness(adaptive=False)))
        assert crawl.run().exit_status == 0
        assert [asked.headers.get("cookie") for asked in site.asked if asked.target == "/x"] == ["seen=1"] * 2


def test_a_redirect_to_itself_brings_its_cookie_back(tmp_path: Path) -> None:
    """HTTP-05, second half; the cookie goes nowhere else."""

    def door(asked: Asked) -> object:
        if asked.headers.get("cookie") == "seen=1":
            return page("/x")
        return moved("/q", 302, ("Set-Cookie", "seen=1; Path=/"))

    with ScriptedSite({"/q": door, "/x": page(title="X")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/q"))
        assert crawl.run().exit_status == 0
        assert [asked.headers.get("cookie") for asked in site.asked if asked.target == "/x"] == [None]
    assert crawl.states() == {"/q": "done", "/x": "done"}


def test_a_redirect_to_itself_without_end_is_followed_once(tmp_path: Path) -> None:
    with ScriptedSite({"/q": moved("/q")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/q"))
        assert crawl.run().exit_status == 0
        assert site.count("/q") == 2
    row = crawl.urls()["/q"]
    assert (row.state, row.outcome) == ("failed", "error:redirect")


def test_normalising_makes_no_redirects(tmp_path: Path) -> None:
    """HTTP-06: only the linked spelling is asked for, also where the slash is ignored in comparing."""
    answers: dict[str, object] = {"/": page("/about/"), "/about/": page(title="About"), "/about": moved("/about/", 301)}
    with ScriptedSite(answers) as site:
        Crawl(tmp_path, quick(f"{site.root}/", normalise=Normalise(trailing_slash=True))).run()
        assert site.targets() == ["/robots.txt", "/", "/about/"]


def test_links_of_a_redirected_page_belong_to_where_it_led(tmp_path: Path) -> None:
    """HTTP-07."""
    answers: dict[str, object] = {"/ru/old": moved("/new/", 301), "/new/": page("x"), "/new/x": page(title="X")}
    with ScriptedSite(answers) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/ru/old"))
        crawl.run()
        assert "/new/x" in site.targets()
    sql = "SELECT a.path FROM link JOIN url a ON a.id = source JOIN url b ON b.id = target WHERE b.path = '/new/x'"
    assert crawl.rows(sql) == [("/new/",)]


def test_a_redirect_is_judged_before_it_is_followed(tmp_path: Path) -> None:
    """HTTP-09."""
    answers: dict[str, object] = {
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /blocked\n", type="text/plain"),
        "/": page("/1", "/2", "/3", "/done"),
        "/1": moved("/excluded"),
        "/2": moved("/blocked"),
        "/3": moved("/done"),
        "/done": page(title="Done"),
    }
    with ScriptedSite(answers) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", scope=Scope(exclude=("/excluded",))))
        assert crawl.run().exit_status == 0
        assert not {"/excluded", "/blocked"} & set(site.targets())
        assert site.count("/done") == 1
        assert crawl.refused() == {f"{site.root}/excluded": "pattern: /excluded"}
    row = crawl.urls()["/blocked"]
    assert (row.state, row.reason) == ("blocked", "robots: Disallow: /blocked")
    assert {crawl.states()[path] for path in ("/1", "/2", "/3")} == {"done"}


def test_a_circle_and_a_chain_over_ten_end(tmp_path: Path) -> None:
    answers: dict[str, object] = {"/": page("/round", "/h0"), "/round": moved("/back"), "/back": moved("/round")}
    answers |= {f"/h{n}": moved(f"/h{n + 1}") for n in range(30)}
    with ScriptedSite(answers) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        hops = [target for target in site.targets() if target.startswith("/h")]
        assert site.count("/round") == site.count("/back") == 1
    assert len(hops) == 11
    assert {crawl.urls()[path].outcome for path in ("/back", "/h10")} == {"error:redirect"}


@pytest.mark.parametrize("location", ["http://127.0.0.1:1/", "http://127.1:1/", "http://2130706433:1/"])
def test_a_redirect_to_a_private_port_that_nobody_listed_is_refused(tmp_path: Path, location: str) -> None:
    """The host is in scope, but only its port in the seeds is listed."""
    with ScriptedSite({"/": page("/go"), "/go": moved(location)}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", politeness=politeness(robots=False)))
        crawl.run()
        assert set(site.targets()) == {"/", "/go"}
    assert crawl.refused() == {"http://127.0.0.1:1/": "private"}


@pytest.mark.parametrize("location", ["http://10.0.0.7/", "http://[::ffff:127.0.0.1]/", "http://localhost:1/"])
def test_a_redirect_to_another_private_address_is_out_of_scope(tmp_path: Path, location: str) -> None:
    with ScriptedSite({"/": page("/go"), "/go": moved(location)}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", politeness=politeness(robots=False)))
        crawl.run()
        assert set(site.targets()) == {"/", "/go"}
    assert set(crawl.refused().values()) <= {"scope", "private"}
    assert len(crawl.refused()) == 1
