"""The window is killed while its engine crawls: no engine is left behind, and the file is as after any stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.store.lock import holder
from core.store.read.audit import audit
from tests.system.children import DEADLINE, ROOT, status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ORPHAN_LIVES = 10.0  # seconds at most
LATE = 5.0  # seconds by which a busy machine may be late with it


@pytest.fixture
def window(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The real window on the sample crawl, which it starts by itself."""
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "share"), "XDG_CONFIG_HOME": str(tmp_path / "etc")}
    environ = {**os.environ, **home, "QT_QPA_PLATFORM": "offscreen"}
    child = subprocess.Popen([sys.executable, "-m", "core", "demo"], cwd=ROOT, env=environ, start_new_session=True)
    yield child
    child.kill()
    child.wait(DEADLINE)


def wait_until(holds: Callable[[], bool], seconds: float = DEADLINE) -> None:
    pause, end = threading.Event(), time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        pause.wait(0.05)


def is_gone(pid: int) -> bool:
    """Whether a process has ended; nobody may have asked how."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2][0]
    except FileNotFoundError:
        return True
    return state == "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the window finds its folders, and others, otherwise")
def test_a_killed_window_leaves_no_engine_after_ten_seconds(tmp_path: Path, window: subprocess.Popen[bytes]) -> None:
    wait_until(lambda: any(tmp_path.rglob("*.crawl")))
    (path,) = tmp_path.rglob("*.crawl")
    wait_until(lambda: holder(path) is not None)
    wait_until(lambda: status(path)["pages"] > 5)
    engine = holder(path)
    assert engine is not None
    window.send_signal(signal.SIGKILL)
    window.wait(DEADLINE)
    wait_until(lambda: holder(path) is None, ORPHAN_LIVES + LATE)
    wait_until(lambda: is_gone(engine.pid), LATE)
    found = status(path)
    assert (found["state"], found["reason"]) == ("stopped", "stop: the window closed")
    assert audit(path).ok
