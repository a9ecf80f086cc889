from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import core
from gui.engine_process import Child, EngineProcess, engine_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

LIMIT = 15_000  # milliseconds


@pytest.fixture
def engine(qtbot: QtBot, crawl_file: Path, stand_in: Callable[..., list[str]]) -> Iterator[EngineProcess]:
    made = EngineProcess(crawl_file, command=stand_in)
    yield made
    made.kill()
    qtbot.waitUntil(lambda: not made.is_ours, timeout=LIMIT)


def holds(engine: EngineProcess) -> bool:
    held = engine.held_by()
    return held is not None and held.pid > 0


def test_a_started_engine_holds_the_file_and_a_drained_one_ends(engine: EngineProcess, qtbot: QtBot) -> None:
    engine.start()
    qtbot.waitUntil(lambda: holds(engine), timeout=LIMIT)
    held = engine.held_by()
    assert held is not None
    assert held.pid == engine.pid
    with qtbot.waitSignal(engine.ended, timeout=LIMIT) as ended:
        engine.drain()
    assert ended.args == [0, "the stand-in runs"]
    assert engine.held_by() is None


def test_a_killed_engine_is_gone_at_once(engine: EngineProcess, qtbot: QtBot) -> None:
    engine.start()
    qtbot.waitUntil(lambda: holds(engine), timeout=LIMIT)
    with qtbot.waitSignal(engine.ended, timeout=LIMIT) as ended:
        engine.kill()
    assert ended.args is not None
    assert ended.args[0] != 0
    assert engine.held_by() is None


def test_starting_twice_starts_once(engine: EngineProcess, qtbot: QtBot) -> None:
    engine.start()
    first = engine.pid
    engine.start()
    assert engine.pid == first
    qtbot.waitUntil(lambda: holds(engine), timeout=LIMIT)


def test_an_engine_of_another_window_is_found_and_can_be_killed(
    engine: EngineProcess, crawl_file: Path, stand_in: Callable[..., list[str]], qtbot: QtBot
) -> None:
    other = subprocess.Popen(
        stand_in(crawl_file),
        stdin=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path(core.__file__).parent.parent)},
    )
    try:
        qtbot.waitUntil(lambda: holds(engine), timeout=LIMIT)
        engine.start()
        assert not engine.is_ours
        engine.kill()
        assert other.wait(10) != 0
    finally:
        other.kill()
        other.communicate()
    assert engine.held_by() is None


def test_killing_when_nothing_runs_does_nothing(engine: EngineProcess) -> None:
    engine.kill()
    assert engine.held_by() is None


def test_the_last_words_of_a_crash_are_kept_and_bounded(qtbot: QtBot, crawl_file: Path) -> None:
    noise = "import sys; sys.stderr.write('x' * 100_000 + 'the end'); sys.exit(7)"
    engine = EngineProcess(crawl_file, command=lambda _path, _purpose: [sys.executable, "-c", noise])
    with qtbot.waitSignal(engine.ended, timeout=LIMIT) as ended:
        engine.start()
    assert ended.args is not None
    status, words = ended.args
    assert status == 7
    assert words.endswith("the end")
    assert len(words) <= 8192


def test_an_engine_lives_in_a_session_of_its_own(qtbot: QtBot) -> None:
    child = Child([sys.executable, "-c", "import sys; sys.stdin.read()"])
    try:
        if sys.platform != "win32":
            assert os.getsid(child.pid) == child.pid
    finally:
        child.close_stdin()
    qtbot.waitUntil(lambda: child.exit_status == 0, timeout=LIMIT)


def test_the_window_starts_this_very_program(crawl_file: Path) -> None:
    assert engine_command(crawl_file)[1:] == ["-P", "-m", "core", "run", str(crawl_file), "--attached"]
