from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from core.errors import FileMissing, NotACrawl
from core.store.wishes import Wishes
from gui.session import OpenCrawl, may_start, may_stop

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from core.settings import CrawlSettings

LIMIT = 15_000


def state(crawl: OpenCrawl) -> str:
    return crawl.status.state if crawl.status else ""


def test_a_new_crawl_is_idle_and_may_start(crawl: OpenCrawl) -> None:
    assert state(crawl) == "idle"
    assert crawl.name == "Shop"
    assert may_start(crawl.status, crawl.engine.is_ours)
    assert not may_stop(crawl.status)


def test_the_window_sees_its_engine_come_and_go(crawl: OpenCrawl, qtbot: QtBot) -> None:
    crawl.start()
    assert not may_start(crawl.status, crawl.engine.is_ours)
    qtbot.waitUntil(lambda: state(crawl) == "running", timeout=LIMIT)
    crawl.engine.drain()
    qtbot.waitUntil(lambda: state(crawl) == "idle" and not crawl.engine.is_ours, timeout=LIMIT)


def test_settings_applied_here_are_read_back(crawl: OpenCrawl, settings: CrawlSettings, qtbot: QtBot) -> None:
    wanted = msgspec.structs.replace(settings, name="Renamed")
    with qtbot.waitSignals([crawl.settings_applied, crawl.settings_changed], timeout=LIMIT):
        crawl.apply(wanted)
    assert crawl.settings == wanted


def test_settings_written_by_somebody_else_arrive(
    crawl: OpenCrawl, crawl_file: Path, settings: CrawlSettings, qtbot: QtBot
) -> None:
    wishes = Wishes(crawl_file)
    with qtbot.waitSignal(crawl.settings_changed, timeout=LIMIT):
        wishes.set_settings(msgspec.structs.replace(settings, name="From a shell"))
    wishes.close()
    assert crawl.name == "From a shell"


def test_a_kill_is_written_down_and_is_no_crash(crawl: OpenCrawl, qtbot: QtBot) -> None:
    told: list[str] = []
    crawl.error_raised.connect(told.append)
    crawl.start()
    qtbot.waitUntil(lambda: state(crawl) == "running", timeout=LIMIT)
    with qtbot.waitSignal(crawl.engine.ended, timeout=LIMIT):
        crawl.kill()
    assert told == []
    assert crawl.engine.held_by() is None
    assert killed_by_wish(crawl)


def killed_by_wish(crawl: OpenCrawl) -> bool:
    from core.store.crawl_file import connect

    database = connect(crawl.path)
    rows = database.execute_sql("SELECT count(*) FROM wish WHERE kind = 'kill'").fetchall()
    database.close()
    return bool(rows[0][0] == 1)


def test_an_engine_that_dies_by_itself_is_told_with_its_last_words(crawl: OpenCrawl, qtbot: QtBot) -> None:
    crawl.start()
    qtbot.waitUntil(lambda: state(crawl) == "running", timeout=LIMIT)
    with qtbot.waitSignal(crawl.error_raised, timeout=LIMIT) as told:
        crawl.engine.kill()
    assert told.args is not None
    assert "the stand-in runs" in told.args[0]


def test_what_is_no_crawl_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("a" * 5000)
    with pytest.raises(NotACrawl):
        OpenCrawl(text)
    with pytest.raises(FileMissing):
        OpenCrawl(tmp_path / "gone.crawl")
    assert text.read_text() == "a" * 5000


def test_closing_leaves_one_file(crawl_file: Path, qtbot: QtBot) -> None:
    opened = OpenCrawl(crawl_file)
    qtbot.waitUntil(lambda: opened.status is not None, timeout=LIMIT)
    assert opened.reader.recent_urls(5) == []
    with qtbot.waitSignal(opened.closed, timeout=LIMIT):
        opened.close()
    assert opened.wait_closed()
    assert [path.name for path in crawl_file.parent.glob("shop.crawl*")] == ["shop.crawl"]
