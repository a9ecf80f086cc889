from __future__ import annotations

from typing import TYPE_CHECKING

from gui.closing import CloseChoice, Closing

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.session import OpenCrawl

LIMIT = 15_000


def run(crawl: OpenCrawl, qtbot: QtBot) -> None:
    crawl.start()
    qtbot.waitUntil(lambda: crawl.status is not None and crawl.status.state == "running", timeout=LIMIT)


def test_nothing_running_is_finished_at_once(crawl: OpenCrawl, qtbot: QtBot) -> None:
    closing = Closing([crawl], CloseChoice.DRAIN)
    with qtbot.waitSignal(closing.finished, timeout=LIMIT):
        closing.begin()


def test_a_drained_engine_ends_before_the_window_does(crawl: OpenCrawl, qtbot: QtBot) -> None:
    run(crawl, qtbot)
    closing = Closing([crawl], CloseChoice.DRAIN)
    with qtbot.waitSignal(closing.finished, timeout=LIMIT):
        closing.begin()
    assert crawl.engine.held_by() is None


def test_a_kept_engine_goes_on_after_the_window(crawl: OpenCrawl, qtbot: QtBot) -> None:
    run(crawl, qtbot)
    closing = Closing([crawl], CloseChoice.KEEP)
    with qtbot.waitSignal(closing.finished, timeout=LIMIT):
        closing.begin()
    crawl.engine.drain()  # what the end of the window does: stdin closes
    qtbot.waitUntil(crawl.path.with_name("kept").exists, timeout=LIMIT)
    assert crawl.engine.held_by() is not None
