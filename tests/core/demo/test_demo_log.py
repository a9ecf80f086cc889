"""The request log: exact counts, exact peaks, and times."""

from __future__ import annotations

from core.demo.log import RequestLog


def test_counts_urls_and_bytes() -> None:
    log = RequestLog()
    assert [
        log.begin("a:1", "/x", 1.0, 100.0),
        log.begin("a:1", "/x", 2.0, 101.0),
        log.begin("b:1", "/x", 3.0, 102.0),
    ] == [
        0,
        1,
        0,
    ]
    log.end("a:1", 200, 10)
    snapshot = log.snapshot()
    assert snapshot.urls == {"a:1/x": 2, "b:1/x": 1}
    assert (snapshot.requests, snapshot.bytes, snapshot.repeated, snapshot.statuses) == (3, 10, 1, {200: 1})
    assert snapshot.count("/x") == 3
    assert snapshot.times == {"a:1": (1.0, 2.0), "b:1": (3.0,)}
    assert snapshot.hosts["a:1"].wall == (100.0, 101.0)


def test_peak_is_the_most_open_at_once_per_host_and_in_all() -> None:
    log = RequestLog()
    log.begin("a:1", "/1", 0, 0)
    log.begin("a:1", "/2", 0, 0)
    log.end("a:1", 200, 0)
    log.begin("b:1", "/1", 0, 0)
    log.begin("b:1", "/2", 0, 0)
    snapshot = log.snapshot()
    assert (snapshot.peak, snapshot.hosts["a:1"].peak, snapshot.hosts["b:1"].peak) == (3, 2, 2)


def test_reset_keeps_what_is_still_open() -> None:
    log = RequestLog()
    log.begin("a:1", "/1", 0, 0)
    log.reset()
    assert (log.requests, log.live, log.snapshot().peak) == (0, 1, 1)
    log.end("a:1", 200, 5)
    assert log.live == 0


def test_snapshot_stays_as_it_was() -> None:
    log = RequestLog()
    log.begin("a:1", "/1", 0, 0)
    snapshot = log.snapshot()
    log.begin("a:1", "/1", 0, 0)
    assert snapshot.urls == {"a:1/1": 1}
