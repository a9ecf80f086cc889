"""Work asked for at every keystroke: the newest answer counts, and a widget that is gone hears nothing of it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject

from core.errors import BadInput
from gui.latest import Latest
from gui.task import Task

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

LIMIT = 5000


def test_only_the_newest_question_is_answered(qtbot: QtBot) -> None:
    asked: list[int] = []

    def work(question: int) -> int:
        asked.append(question)
        return question * 2

    latest = Latest(work)
    with qtbot.waitSignal(latest.ready, timeout=LIMIT) as ready:
        for question in (1, 2, 300):
            latest.ask(question)
    assert (ready.args, asked) == ([600], [300])
    assert not latest.is_waiting


@pytest.mark.parametrize("round_", range(5))
def test_an_answer_for_a_widget_that_is_gone_is_dropped(qtbot: QtBot, round_: int) -> None:
    gate, begun, ended = threading.Event(), threading.Event(), threading.Event()

    def work(question: int) -> int:
        begun.set()
        assert gate.wait(LIMIT / 1000)
        ended.set()
        return question

    asker = QObject()
    latest = Latest(work, asker, pause_ms=0)
    latest.ask(round_)
    qtbot.waitUntil(begun.is_set, timeout=LIMIT)
    gone = threading.Event()
    latest.destroyed.connect(gone.set)
    asker.deleteLater()
    qtbot.waitUntil(gone.is_set, timeout=LIMIT)
    gate.set()
    qtbot.waitUntil(ended.is_set, timeout=LIMIT)


def test_a_task_brings_its_result_or_its_fault(qtbot: QtBot) -> None:
    def fail() -> None:
        raise BadInput("no")

    task = Task(lambda: 7)
    with qtbot.waitSignal(task.finished, timeout=LIMIT) as finished:
        task.start()
    failing = Task(fail)
    with qtbot.waitSignal(failing.failed, timeout=LIMIT) as failed:
        failing.start()
    assert (finished.args, str(failed.args[0])) == ([7], "no")
