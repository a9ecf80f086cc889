"""Work in a thread: told, finished, failed, called off; and nobody hears of it whose asker is gone."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject

from core.errors import BadInput
from gui.cancellable import Cancellable, awaited

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.cancellable import Cancelled, Tell

LIMIT = 5000


def test_progress_comes_before_the_result(qtbot: QtBot) -> None:
    heard: list[object] = []

    def work(_cancelled: Cancelled, tell: Tell) -> str:
        tell(1)
        tell(2)
        return "done"

    task = Cancellable(work)
    task.told.connect(heard.append)
    with qtbot.waitSignal(task.finished, timeout=LIMIT) as finished:
        task.start()
    assert (heard, finished.args) == ([1, 2], ["done"])


def test_a_fault_of_the_world_comes_back(qtbot: QtBot) -> None:
    def work(_cancelled: Cancelled, _tell: Tell) -> None:
        raise BadInput("no")

    task = Cancellable(work)
    with qtbot.waitSignal(task.failed, timeout=LIMIT) as failed:
        task.start()
    assert str(failed.args[0]) == "no"


def test_a_coroutine_that_is_called_off_is_cancelled(qtbot: QtBot) -> None:
    cancelled = threading.Event()

    async def for_ever() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    task = Cancellable(awaited(for_ever))
    with qtbot.assertNotEmitted(task.finished), qtbot.waitSignal(task.called_off, timeout=LIMIT):
        task.start()
        task.cancel()
        assert cancelled.wait(LIMIT / 1000)
        task._thread.join(LIMIT / 1000)


@pytest.mark.parametrize("round_", range(20))
def test_an_asker_that_goes_away_stops_the_work_and_hears_nothing(qtbot: QtBot, round_: int) -> None:
    begun = threading.Event()

    def work(cancelled: Cancelled, tell: Tell) -> None:
        while not cancelled():
            begun.set()
            tell(round_)

    asker = QObject()
    task = Cancellable(work, asker)
    task.start()
    assert begun.wait(LIMIT / 1000)
    thread = task._thread
    asker.deleteLater()
    qtbot.waitUntil(lambda: not thread.is_alive(), timeout=LIMIT)
