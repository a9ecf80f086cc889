"""The status of crawl files made by hand."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from core.settings import CrawlSettings, Recrawl
from core.store.lock import EngineLock
from core.store.names import UrlState
from core.store.read.reader import Reader
from core.store.read.status import FIXED_NAMES, LastRun, state_of, status_json
from core.store.rows import Holder, Status
from core.store.stored_settings import stored
from tests.hand_made_crawl import NOON, HandMadeCrawl

ENGINE = Holder(7, NOON)


def status_of(crawl: HandMadeCrawl) -> Status:
    reader = Reader(crawl.path)
    try:
        return reader.status()
    finally:
        reader.close()


def test_new_file_is_idle_with_nothing_to_divide(crawl: HandMadeCrawl) -> None:
    status = status_of(crawl)
    assert (status.state, status.reason, status.run, status.name) == ("idle", "", 0, "Shop")
    assert (status.discovery_ratio, status.duplicate_rate, status.requests_per_record) == (None, None, None)
    assert status.record_actions == {"created": 0, "unchanged": 0, "updated": 0, "conflicts": 0}
    assert status.settings_version == 1
    assert status.file_bytes > 0


def test_run_without_engine_has_crashed(crawl: HandMadeCrawl) -> None:
    crawl.run()
    crawl.session()
    assert status_of(crawl).state == "crashed"


def test_run_killed_from_the_window_is_stopped(crawl: HandMadeCrawl) -> None:
    crawl.run()
    crawl.session()
    crawl.add("wish", at=NOON + 1, kind="kill", done=NOON + 1)
    status = status_of(crawl)
    assert (status.state, status.reason) == ("stopped", "killed")


def test_kill_of_an_earlier_session_does_not_excuse_a_crash(crawl: HandMadeCrawl) -> None:
    crawl.add("wish", at=NOON - 1, kind="kill", done=NOON - 1)
    crawl.run()
    crawl.session()
    assert status_of(crawl).state == "crashed"


@pytest.mark.parametrize("days", [-1, 1])
def test_a_kill_is_known_by_its_number_where_the_clock_was_set_since(crawl: HandMadeCrawl, days: int) -> None:
    crawl.add("wish", at=NOON, kind="kill", done=NOON)
    crawl.add("meta", name="wished_before", value="1")
    crawl.run()
    crawl.session()
    assert status_of(crawl).state == "crashed"
    crawl.add("wish", at=NOON + days * 86_400, kind="kill", done=NOON)
    assert status_of(crawl).state == "stopped"


def test_held_file_runs_and_a_stop_wish_makes_it_stopping(crawl: HandMadeCrawl) -> None:
    crawl.run()
    crawl.session()
    lock = EngineLock.acquire(crawl.path)
    try:
        running = status_of(crawl)
        crawl.add("wish", at=NOON + 1, kind="stop")
        stopping = status_of(crawl)
    finally:
        lock.release()
    assert (running.state, stopping.state) == ("running", "stopping")
    assert running.engine is not None


@pytest.mark.parametrize(
    ("run", "engine", "expected"),
    [
        (LastRun(), ENGINE, ("running", "")),
        (LastRun(1, NOON, session_pid=7, session_state="offline"), ENGINE, ("offline", "")),
        (LastRun(1, NOON, session_pid=7, session_state="stopping"), ENGINE, ("stopping", "stop")),
        (LastRun(1, NOON, None, "stopped", "stop", 7, NOON, NOON + 9, "", "stopped"), None, ("stopped", "stop")),
        (LastRun(1, NOON, None, "stopped", "depth", 7, NOON, NOON + 9, "", "finished"), None, ("stopped", "depth")),
        (LastRun(1, NOON, NOON + 9, "finished", "", 7, NOON, NOON + 9, "", "finished"), None, ("finished", "")),
        (LastRun(1, NOON, None, "running", "", 7, NOON, NOON + 9, "", "failed", "disk"), None, ("crashed", "disk")),
        (LastRun(1, NOON, None, "running", "", 7, NOON, NOON + 9, "", "killed"), None, ("stopped", "killed")),
    ],
)
def test_state_follows_from_run_session_and_lock(
    run: LastRun, engine: Holder | None, expected: tuple[str, str]
) -> None:
    assert state_of(run, engine, stop_asked=False, killed=False) == expected


def test_counts_and_ratios_come_from_counters_and_rows(crawl: HandMadeCrawl) -> None:
    crawl.run()
    crawl.session(ended=NOON + 9, outcome="stopped", seconds=9.0)
    crawl.counters(pages=8, requests=10, records=4, bytes=4000, useful=2, links=100, known_links=80, bodies=8)
    crawl.counters(duplicate_bodies=2, refused__scope=3, refused__depth=2, not_modified=1)
    crawl.counters(run=1, created=3, updated=1)
    crawl.connection.execute(
        "UPDATE host SET pending = 4, leased = 1, waiting = 2, done = 8, status_2xx = 7, errors = 1"
    )
    status = status_of(crawl)
    assert status.frontier == 7
    assert status.urls["done"] == 8
    assert set(status.urls) == {state.label for state in UrlState} | {"refused"}
    assert (status.urls["refused"], status.refusals) == (5, {"scope": 3, "depth": 2})
    assert (status.duplicate_rate, status.content_duplicate_rate) == (0.8, 0.25)
    assert (status.bytes_per_useful_page, status.requests_per_record) == (2000, 2.5)
    assert status.record_actions == {"created": 3, "unchanged": 0, "updated": 1, "conflicts": 0}
    assert (status.elapsed, status.statuses["2xx"], status.errors, status.hosts) == (9.0, 7, 1, 1)


def test_discovery_ratio_looks_at_the_last_thousand_pages(crawl: HandMadeCrawl) -> None:
    number = crawl.url("/a")
    for new in [9] * 5 + [1] * 500 + [0] * 500:
        crawl.add("capture", url_id=number, run=1, at=NOON, outcome="ok", new_urls=new)
    assert status_of(crawl).discovery_ratio == 0.5


def test_json_has_the_fixed_names_first_and_plain_alarms(crawl: HandMadeCrawl) -> None:
    crawl.add("alarm", kind="trap", pattern="/calendar/", host="shop.test", message="It grows.", raised=NOON)
    crawl.add("alarm", kind="host", message="It answers again.", raised=NOON, cleared=NOON)
    printed = status_json(status_of(crawl))
    assert list(printed)[: len(FIXED_NAMES)] == FIXED_NAMES
    assert printed["alarms"] == [{"kind": "trap", "pattern": "/calendar/", "host": "shop.test", "message": "It grows."}]
    assert printed["engine"] is None


def test_a_schedule_says_when_the_next_run_is_due_and_when_it_is_overdue(crawl: HandMadeCrawl) -> None:
    settings = msgspec.structs.replace(CrawlSettings(), recrawl=Recrawl(every=600))
    crawl.add("setting", version=2, at=NOON, json=stored(settings))
    assert status_of(crawl).next_run is None
    crawl.run()
    status = status_of(crawl)
    assert status.next_run == NOON + 600
    assert not status.overdue(NOON + 599)
    assert status.overdue(NOON + 600)
    assert not replace(status, engine=ENGINE).overdue(NOON + 600)
    assert status_json(status)["next_run"] == "2027-01-15T08:10:00Z"
