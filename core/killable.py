"""A process of this program beside another one, for work that knows no end of its own: what both sides need.

An XPath, or a page made for it, can hold the interpreter for minutes, where no thread could stop it; so such work is
done by a child that can be killed. The child is this program itself, started with one hidden word (cli.py), and speaks
in frames: four bytes of length, then a pickle. Neither side talks to anybody else.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from pathlib import Path
from typing import IO, Any

MEMORY = 2 * 1024**3  # bytes of address space, where the system can bound it
LENGTH = 4  # bytes of a frame's length


def command(*program: str) -> list[str]:
    """What starts the child: a frozen program starts itself with the last word, Python runs all of them."""
    return [sys.executable, program[-1]] if getattr(sys, "frozen", False) else [sys.executable, *program]


def environment() -> dict[str, str]:
    """Ours, in which the child finds the same program, wherever it is started."""
    places = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))}


def frame(value: object) -> bytes:
    """A value as it goes over the pipe."""
    content = pickle.dumps(value, protocol=5)
    return len(content).to_bytes(LENGTH, "big") + content


def next_value(source: IO[bytes]) -> Any:
    """What the other side sends next; raises EOFError where it has gone."""
    head = source.read(LENGTH)
    length = int.from_bytes(head, "big")
    content = source.read(length)
    if len(head) != LENGTH or len(content) != length:
        raise EOFError
    return pickle.loads(content)  # noqa: S301 # our own child or parent wrote it


def begin() -> None:
    """The child's first step: Ctrl-C is meant for the parent, and memory has a bound."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name == "posix":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def end_after(seconds: float) -> None:
    """The kernel ends a child whose parent was killed while it worked: nobody else would. 0: no more."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
