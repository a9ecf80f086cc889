"""The outbox: a line for each change, in its transaction; never one key for two contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.settings import Notify
from core.store.crawl_file import open_writer
from core.store.query import value
from core.store.write.outbox import Outbox
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from core.store.notices import Notice

BOTH = Notify(file="a.jsonl", webhook="http://hook.test/")


class Kept:
    """A crawl with one record, on the writer's own connection."""

    def __init__(self, path: Path, notify: Notify = BOTH) -> None:
        made = HandMadeCrawl(path)
        made.run()
        self.page = made.page("/p")
        made.connection.close()
        self.connection = made.connection = open_writer(path)
        self.made = made
        self.outbox = Outbox(self.connection)
        self.outbox.use(notify)

    def create(self, data: str = '{"a":0}') -> None:
        self.made.record("1", data, self.page, fingerprint=data)
        self._version(1, data)

    def update(self, version: int, data: str) -> None:
        """As the run that made the version before, or another, would do it."""
        self.connection.execute("DELETE FROM record_version WHERE version >= ?", (version,))
        self._version(version, data)
        self.connection.execute("UPDATE record SET fingerprint = ?, data = ?, version = ?", (data, data, version))

    def go(self, at: float = NOON) -> None:
        number = 1 + value(self.connection, "SELECT count(*) FROM absence")
        self.made.add("absence", record_id="id-1", version=1, number=number, run=1, at=at, reason="status: 404")
        self.connection.execute("UPDATE record SET gone = ?", (at,))

    def come_back(self, at: float = NOON) -> None:
        self.connection.execute("UPDATE record SET gone = NULL")
        self.connection.execute("UPDATE absence SET back = ?, back_run = 1 WHERE back IS NULL", (at,))

    def waiting(self, way: str = "file") -> tuple[Notice, ...]:
        return self.outbox.waiting(way, 1000).notices

    def tell(self, way: str) -> None:
        self.outbox.told(way, self.outbox.waiting(way, 1000).through)

    def lines(self) -> int:
        return int(value(self.connection, "SELECT count(*) FROM notice"))

    def _version(self, version: int, data: str) -> None:
        self.made.add(
            *("record_version",), record_id="id-1", version=version, fingerprint=data, data=data, run=1, valid_from=NOON
        )


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    found = Kept(tmp_path / "shop.crawl")
    yield found
    found.connection.close()


def test_created_updated_gone_and_back_each_have_a_key_of_record_and_version(kept: Kept) -> None:
    kept.create()
    kept.connection.execute("UPDATE record SET last_seen = 1, gone = NULL")  # seen again, unchanged
    kept.update(2, '{"a":1}')
    kept.go()
    kept.come_back()
    kept.go()
    assert [notice.key for notice in kept.waiting()] == [
        *("id-1:1", "id-1:2", "id-1:2:gone:1", "id-1:2:back:1", "id-1:2:gone:2")
    ]
    created, updated, gone, *_ = kept.waiting()
    assert (created.event, created.data, created.before) == ("created", '{"a":0}', None)
    assert (updated.event, updated.data, updated.before) == ("updated", '{"a":1}', '{"a":0}')
    assert (gone.event, gone.data, gone.url, gone.at) == ("gone", '{"a":1}', "http://shop.test/p", NOON)


def test_a_change_that_is_rolled_back_is_not_told(kept: Kept) -> None:
    kept.connection.execute("BEGIN IMMEDIATE")
    kept.create()
    kept.connection.execute("ROLLBACK")
    assert kept.waiting() == ()


def test_each_way_has_its_own_cursor_and_what_all_have_told_goes(kept: Kept) -> None:
    kept.create()
    kept.update(2, '{"a":1}')
    kept.tell("file")
    assert (kept.waiting("file"), len(kept.waiting("webhook")), kept.outbox.left()) == ((), 2, 2)
    kept.tell("webhook")
    assert (kept.lines(), kept.outbox.left()) == (1, 0)
    kept.update(3, '{"a":2}')
    assert [notice.key for notice in kept.waiting("webhook")] == ["id-1:3"]


def test_another_session_goes_on_where_the_cursor_stood(kept: Kept) -> None:
    kept.create()
    kept.tell("webhook")
    again = Outbox(kept.connection)
    again.use(BOTH)
    assert [len(again.waiting(way, 9).notices) for way in ("file", "webhook")] == [1, 0]


def test_where_nobody_is_told_nothing_is_kept(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "shop.crawl", Notify())
    kept.create()
    assert (kept.lines(), kept.outbox.left()) == (0, 0)
    kept.outbox.use(Notify(file="x"))
    kept.update(2, '{"a":1}')
    assert [notice.key for notice in kept.waiting()] == ["id-1:2"]
    kept.outbox.use(Notify())
    kept.update(3, '{"a":2}')
    assert kept.lines() == 0
    kept.connection.close()


def test_a_version_that_its_run_took_back_is_not_told(kept: Kept) -> None:
    kept.create()
    kept.tell("file")
    kept.update(2, '{"a":1}')
    kept.update(1, '{"a":0}')
    assert [notice.data for notice in kept.waiting()] == ['{"a":0}']


def test_no_trigger_stands_in_the_file(kept: Kept) -> None:
    sql = "SELECT count(*) FROM main.sqlite_schema WHERE type = 'trigger'"
    assert kept.connection.execute(sql).fetchall() == [(0,)]


@given(steps=st.lists(st.tuples(st.sampled_from(("next", "same", "back", "tell")), st.integers(0, 3)), max_size=12))
def test_no_key_is_ever_told_with_two_contents(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    """Whatever runs do to their versions, and whenever they are told: else a receiver would drop the newer one."""
    kept = Kept(tmp_path_factory.mktemp("outbox") / "shop.crawl")
    told: dict[str, str | None] = {}
    standing = '{"a":0}'
    version = 1
    kept.create(standing)

    def tell() -> None:
        for notice in kept.waiting():
            assert told.setdefault(notice.key, notice.data) == notice.data
        kept.tell("file")
        kept.tell("webhook")

    history = [standing]
    for step, number in steps:
        if step == "tell":
            tell()
            continue
        if step == "back" and version == 1:
            continue
        version = {"next": version + 1, "same": version, "back": version - 1}[step]
        standing = history[version - 1] if step == "back" else f'{{"a":{number}}}'
        history = [*history[: version - 1], standing]
        kept.update(version, standing)
    tell()
    assert standing in told.values()
    kept.connection.close()


def test_a_kill_at_any_statement_repeats_and_loses_none(tmp_path: Path) -> None:
    """The end between any two statements of a session that tells: the next one tells the rest."""
    kept = Kept(tmp_path / "shop.crawl")
    kept.create()
    kept.tell("file")
    for after in range(1, 25):
        heard: list[str] = []
        kept.update(after + 1, f'{{"a":{after}}}')
        left = iter(range(after))

        def trace(*_: object, left: Iterator[int] = left) -> bool:
            return next(left, None) is not None

        dying = open_writer(kept.made.path)
        try:
            dying.exec_trace = trace
            outbox = Outbox(dying)
            outbox.use(BOTH)
            waiting = outbox.waiting("file", 9)
            heard += [notice.key for notice in waiting.notices]  # they are delivered here
            outbox.told("file", waiting.through)
        except apsw.ExecTraceAbort:
            pass  # as a kill would
        dying.exec_trace = None
        dying.close()
        heard += [notice.key for notice in kept.waiting("file")]
        kept.tell("file")
        assert set(heard) == {f"id-1:{after + 1}"}
    kept.connection.close()
