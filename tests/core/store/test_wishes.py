"""What the window leaves for the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw
import pytest

from core.errors import FileLocked, ReadOnlyFile
from core.settings import CrawlSettings, decode
from core.store.wishes import Wishes
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def wishes(crawl: HandMadeCrawl) -> Iterator[Wishes]:
    opened = Wishes(crawl.path, now=lambda: NOON)
    yield opened
    opened.close()


def rows(crawl: HandMadeCrawl, sql: str) -> list[Any]:
    return crawl.connection.execute(sql).fetchall()


def test_wishes_wait_for_the_engine_but_a_kill_is_done_at_once(crawl: HandMadeCrawl, wishes: Wishes) -> None:
    wishes.stop()
    wishes.kill()
    wishes.keep()
    found = rows(crawl, "SELECT kind, at, done FROM wish ORDER BY id")
    assert found == [("stop", NOON, None), ("kill", NOON, NOON), ("keep", NOON, None)]


def test_settings_get_a_new_version_only_when_they_differ(crawl: HandMadeCrawl, wishes: Wishes) -> None:
    other = CrawlSettings(name="Other")
    assert wishes.set_settings(CrawlSettings(name="Shop")) == 1
    assert wishes.set_settings(other) == 2
    assert wishes.set_settings(other) == 2
    texts = rows(crawl, "SELECT json FROM setting ORDER BY version")
    assert [decode(text).name for (text,) in texts] == ["Shop", "Other"]


def test_alarm_is_acknowledged_once(crawl: HandMadeCrawl) -> None:
    alarm = crawl.add("alarm", kind="trap", message="It grows.", raised=NOON)
    times = iter((NOON + 1, NOON + 2))
    wishes = Wishes(crawl.path, now=lambda: next(times))
    wishes.acknowledge_alarm(alarm)
    wishes.acknowledge_alarm(alarm)
    wishes.close()
    assert rows(crawl, "SELECT acknowledged FROM alarm") == [(NOON + 1,)]


def test_another_programs_lock_is_told_and_nothing_is_written(crawl: HandMadeCrawl, wishes: Wishes) -> None:
    wishes._connection.set_busy_timeout(1)
    crawl.connection.execute("BEGIN IMMEDIATE")
    with pytest.raises(FileLocked):
        wishes.stop()
    crawl.connection.execute("ROLLBACK")
    assert rows(crawl, "SELECT * FROM wish") == []
    wishes.stop()
    assert len(rows(crawl, "SELECT * FROM wish")) == 1


def test_failed_transaction_leaves_nothing_and_the_next_one_works(crawl: HandMadeCrawl, wishes: Wishes) -> None:
    with pytest.raises(apsw.SQLError), wishes._transaction() as connection:
        connection.execute("INSERT INTO wish(at, kind) VALUES (1, 'stop'); nonsense")
    assert rows(crawl, "SELECT * FROM wish") == []
    assert wishes.stop() == 1


def test_file_that_may_not_be_written_is_told(crawl: HandMadeCrawl, wishes: Wishes) -> None:
    wishes._connection.execute("PRAGMA query_only=1")
    with pytest.raises(ReadOnlyFile):
        wishes.stop()
