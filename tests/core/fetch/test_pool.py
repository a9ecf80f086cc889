"""Idle connections are kept for a while, in bounded number, and never handed out dead."""

from __future__ import annotations

from core.fetch.connection import Connection
from core.fetch.pool import KEPT, MOST_IDLE, Pool

PLACE = ("http", "a.test", 80)


def connection() -> Connection:
    return Connection(lambda _: None)


def test_the_connection_used_last_comes_first_and_each_once() -> None:
    pool = Pool()
    first, second = connection(), connection()
    pool.give(PLACE, first, 0.0)
    pool.give(PLACE, second, 1.0)
    assert pool.take(PLACE, 2.0) is second
    assert pool.take(PLACE, 2.0) is first
    assert pool.take(PLACE, 2.0) is None
    assert pool.take(("https", "a.test", 443), 2.0) is None


def test_closed_and_old_connections_are_never_handed_out() -> None:
    pool = Pool()
    closed, old = connection(), connection()
    pool.give(PLACE, old, 0.0)
    pool.give(PLACE, closed, KEPT)
    closed.close()
    assert pool.take(PLACE, KEPT + 1) is None
    assert old.closed


def test_too_many_idle_connections_make_room_oldest_first() -> None:
    pool = Pool()
    every = [connection() for _ in range(MOST_IDLE + 1)]
    for number, each in enumerate(every):
        pool.give(("http", f"{number}.test", 80), each, number / 1000)
    assert every[0].closed
    assert not every[-1].closed
    assert sum(not each.closed for each in every) <= MOST_IDLE


def test_clearing_closes_every_one() -> None:
    pool = Pool()
    each = connection()
    pool.give(PLACE, each, 0.0)
    pool.clear()
    assert each.closed
    assert pool.take(PLACE, 0.0) is None
