"""How a session ends before its time: wishes, budgets, the window going away, faults; nothing is lost."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

import pytest

import core.engine.engine
from core.errors import BadInput, SecretMissing
from core.settings import Budgets, Header, PatternBudget, Seeds
from core.store.wishes import Wishes
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path


def gallery(site: ScriptedSite, count: int, answer: object = None) -> None:
    """A page with `count` links to /p/N."""
    site.answers["/"] = page(*(f"/p/{number}" for number in range(count)))
    for number in range(count):
        site.answers[f"/p/{number}"] = answer or page(title=f"Page {number}")


def test_a_stop_wish_finishes_what_is_in_flight_and_keeps_the_rest(tmp_path: Path) -> None:
    gate = threading.Event()
    with ScriptedSite() as site:
        gallery(site, 20, Reply(page(), gate=gate))
        crawl = Crawl(tmp_path, quick(f"{site.root}/", politeness=politeness(concurrency=3)))

        def stop() -> None:
            site.wait_for(lambda: len(site.asked) >= 5)  # robots.txt, /, and three at once
            crawl.stop()
            crawl.wait_until(lambda: crawl.rows("SELECT 1 FROM wish WHERE done IS NOT NULL") != [])
            gate.set()

        ending = crawl.run(stop)
        assert (ending.exit_status, ending.reason) == (3, "stop")
        status = crawl.status()
        assert (status.state, status.reason) == ("stopped", "stop")
        assert (status.urls["done"], status.urls["pending"], status.urls["leased"]) == (4, 17, 0)
        assert crawl.run().exit_status == 0
        assert len(site.asked) == 22
    assert crawl.status().run == 1


def test_a_second_start_after_a_stop_ignores_the_old_wish(tmp_path: Path) -> None:
    with ScriptedSite({"/": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.stop()
        assert crawl.run().exit_status == 0


def attached(monkeypatch: pytest.MonkeyPatch) -> int:
    """Standard input as the window holds it; the other end, to be closed."""
    reading, writing = os.pipe()

    class Stdin:
        def fileno(self) -> int:
            return reading

    monkeypatch.setattr("sys.stdin", Stdin())
    return writing


def test_a_window_that_goes_away_stops_its_engine_within_the_drain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core.engine.engine, "DRAIN", 0.3)
    writing = attached(monkeypatch)
    gate = threading.Event()
    with ScriptedSite() as site:
        gallery(site, 5, Reply(page(), gate=gate))
        crawl = Crawl(tmp_path, quick(f"{site.root}/", politeness=politeness(concurrency=2)))

        def close() -> None:
            site.wait_for(lambda: len(site.asked) >= 4)
            os.close(writing)

        ending = crawl.run(close, attached=True)
        gate.set()
        assert (ending.exit_status, ending.reason) == (3, "stop: the window closed")
        assert crawl.run().exit_status == 0
    assert set(crawl.states().values()) == {"done"}


@pytest.mark.parametrize("days", [0.0, -1.0])
def test_a_keep_wish_lets_the_engine_go_on_without_its_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: float
) -> None:
    """Also where the clock was set back by a day since the engine began."""
    writing = attached(monkeypatch)
    with ScriptedSite() as site:
        gallery(site, 8, Reply(page(), hold=0.2))
        crawl = Crawl(tmp_path, quick(f"{site.root}/", politeness=politeness(concurrency=2)))

        def keep() -> None:
            site.wait_for(lambda: len(site.asked) >= 3)
            wishes = Wishes(crawl.path, lambda: time.time() + days * 86_400.0)
            wishes.keep()
            wishes.close()
            os.close(writing)

        assert crawl.run(keep, attached=True).exit_status == 0
    assert set(crawl.states().values()) == {"done"}


@pytest.mark.parametrize(
    ("budgets", "reason", "pages"),
    [
        (Budgets(max_pages=4), "total-limit: 7 URLs left", 4),
        (Budgets(max_pages_per_host=4), "host-limit: 7 URLs left at 127.0.0.1", 4),
        (Budgets(patterns=(PatternBudget(pattern="/p/*", max_pages=4),)), "pattern-limit: /p/* 7 URLs left", 5),
        (Budgets(max_bytes=500), "bytes: 500 used up", None),
    ],
)
def test_a_limit_ends_with_3_says_what_was_left_and_raising_it_goes_on(
    tmp_path: Path, budgets: Budgets, reason: str, pages: int | None
) -> None:
    with ScriptedSite() as site:
        gallery(site, 10)
        settings = quick(f"{site.root}/", budgets=budgets, politeness=politeness(concurrency=1))
        crawl = Crawl(tmp_path, settings)
        ending = crawl.run()
        assert ending.exit_status == 3
        assert ending.reason.startswith(reason.partition(" URLs")[0].rstrip("0123456789 "))
        assert crawl.status().state == "stopped"
        assert pages is None or crawl.status().urls["done"] == pages
        assert len(site.asked) < 11
        assert crawl.run().exit_status == 3
        crawl.set(quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        assert sorted(site.targets()) == sorted(["/robots.txt", "/", *(f"/p/{n}" for n in range(10))])


def test_a_host_limit_names_the_host_and_what_is_left(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        gallery(site, 10)
        crawl = Crawl(tmp_path, quick(f"{site.root}/", budgets=Budgets(max_pages_per_host=4)))
        assert crawl.run().reason == f"host-limit: 7 URLs left at 127.0.0.1:{site.port}"


def test_depth_is_scope_and_no_early_end(tmp_path: Path) -> None:
    with ScriptedSite({"/": page("/1"), "/1": page("/2"), "/2": page("/3")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", budgets=Budgets(max_depth=2)))
        assert crawl.run().exit_status == 0
    assert list(crawl.refused().values()) == ["depth"]
    assert crawl.status().state == "finished"


def test_seconds_of_running_are_a_budget_across_starts(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        gallery(site, 30, Reply(page(), hold=0.1))
        settings = quick(f"{site.root}/", budgets=Budgets(max_seconds=0.5), politeness=politeness(concurrency=1))
        crawl = Crawl(tmp_path, settings)
        ending = crawl.run()
        assert (ending.exit_status, ending.reason) == (3, "seconds: 0.5 used up")
        asked = len(site.asked)
        assert asked < 15
        assert crawl.run().exit_status == 3
        assert len(site.asked) == asked


def test_a_missing_secret_is_told_before_the_first_request_and_leaves_no_trace(tmp_path: Path) -> None:
    with ScriptedSite({"/": page()}) as site:
        header = Header(origin=site.root, name="X-Api-Key", value="env:NO_SUCH_VARIABLE_HERE")
        crawl = Crawl(tmp_path, quick(f"{site.root}/", fetch=fetch(headers=(header,))))
        with pytest.raises(SecretMissing, match="NO_SUCH_VARIABLE_HERE"):
            crawl.run()
        assert site.asked == []
    assert crawl.status().state == "idle"


def test_a_missing_seed_file_is_told_before_the_start(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path, quick(seeds=Seeds(files=(str(tmp_path / "none.txt"),))))
    with pytest.raises(BadInput, match=r"none\.txt"):
        crawl.run()
    assert crawl.status().state == "idle"


def test_a_fault_of_ours_ends_the_engine_loudly_and_leaves_the_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedSite() as site:
        gallery(site, 5)
        crawl = Crawl(tmp_path, quick(f"{site.root}/", politeness=politeness(concurrency=1)))

        def broken(*_arguments: object) -> None:
            raise ZeroDivisionError("a broken invariant")

        with monkeypatch.context() as patch:
            patch.setattr("core.engine.engine.Engine._rest", broken)
            with pytest.raises(ZeroDivisionError):
                crawl.run()
        status = crawl.status()
        assert (status.state, status.reason) == ("crashed", "error: ZeroDivisionError: a broken invariant")
        assert crawl.run().exit_status == 0
    assert set(crawl.states().values()) == {"done"}


def test_a_page_is_asked_for_again_when_its_answer_was_not_stored(tmp_path: Path) -> None:
    """FRO-01: leases of a session that ended badly are work again, and listed."""
    with ScriptedSite() as site:
        gallery(site, 3)
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        session = crawl.rows("SELECT max(id) FROM session")[0][0]
        crawl.change("UPDATE url SET state = 1 WHERE path = '/p/1'")
        crawl.change("UPDATE host SET done = done - 1, leased = leased + 1")
        crawl.change("UPDATE run SET ended = NULL")
        crawl.change("UPDATE session SET ended = NULL, outcome = ''")
        crawl.change(
            "INSERT INTO lease(url_id, origin_id, purpose, session_id, at, expires) "
            "SELECT id, origin_id, 'page', ?, 1, 2 FROM url WHERE path = '/p/1'",
            session,
        )
        assert crawl.run().exit_status == 0
        assert site.count("/p/1") == 2
    assert crawl.rows("SELECT address FROM reclaimed") == [(f"{site.root}/p/1",)]
    assert crawl.log("kill")


def test_the_drain_counts_requests_of_the_site_once(tmp_path: Path) -> None:
    """A stop while a redirect to itself waits for its host's turn: the second half of the lease is still sent."""

    def door(asked: Asked) -> object:
        return page() if "cookie" in asked.headers else Reply(b"", 302, (("Location", "/q"), ("Set-Cookie", "a=1")))

    with ScriptedSite({"/q": door}) as site:
        settings = quick(f"{site.root}/q", politeness=politeness(delay=0.4, robots=False))
        crawl = Crawl(tmp_path, settings)

        def stop() -> None:
            site.wait_for(lambda: len(site.asked) >= 1)
            crawl.stop()

        crawl.run(stop)
        assert site.targets() == ["/q", "/q"]
        assert site.asked[1].at - site.asked[0].at >= 0.3
    assert crawl.states() == {"/q": "done"}
    assert crawl.status().requests == 2


def test_a_retry_that_a_wrong_clock_put_off_by_a_day_waits_as_long_as_any(tmp_path: Path) -> None:
    """The clock was a day ahead as the last session ended, and has been set right since."""

    def busy_at_first(asked: Asked) -> Reply:
        return Reply(page(title="A"), 200 if asked.number else 503, (("Retry-After", "100"),))

    with ScriptedSite({"/": page("/a"), "/a": busy_at_first}) as site:
        settings = quick(f"{site.root}/", fetch=fetch(retries=2))
        crawl = Crawl(tmp_path, settings)

        def stop() -> None:
            crawl.wait_until(lambda: "waiting" in crawl.states().values())
            crawl.stop()

        crawl.run(stop)
        crawl.change("UPDATE url SET due = due + 86400 WHERE state = 2")
        crawl.change("UPDATE host SET backoff_until = backoff_until + 86400, last_request = last_request + 86400")
        crawl.set(quick(f"{site.root}/", fetch=fetch(retries=2), politeness=politeness(retry_after_max=0.2)))
        assert crawl.run().exit_status == 0
    assert set(crawl.states().values()) == {"done"}
