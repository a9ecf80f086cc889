"""Real engines in processes of their own, started as the window starts them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).parents[2]
DEADLINE = 60.0  # seconds


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
    """`python -m core ...` in a session of its own."""
    command = [sys.executable, "-m", "core", *map(str, arguments)]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=ROOT, start_new_session=True, text=True, **{**pipes, **options})


def finish(child: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    out, err = child.communicate(timeout=DEADLINE)
    return child.returncode, out, err


def command(
    *arguments: str | Path, environ: Mapping[str, str] | None = None, preexec: Callable[[], None] | None = None
) -> tuple[int, str, str]:
    """Run one command to its end."""
    return finish(start(*arguments, env={**os.environ, **(environ or {})}, preexec_fn=preexec))


def status(path: Path) -> dict[str, Any]:
    """`status --json`."""
    code, out, err = command("status", path, "--json")
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def kill(child: subprocess.Popen[str]) -> None:
    """SIGKILL to the whole group, as a crash would have it."""
    os.killpg(child.pid, signal.SIGKILL)
    child.communicate(timeout=DEADLINE)
