"""A process beside the engine that reads pages under rules without a time limit of their own, and can be killed.

An XPath can take minutes on a small page, inside a library that holds the interpreter's lock: neither the loop nor a
thread could stop it. The engine sends a page, waits a bounded time for what was read, and else kills the process; the
next such page starts another. It is this program itself, started with one hidden word (cli.py).
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from core.settings import decode, encode

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from core.engine.reading import Body
    from core.engine.rules import RulesInForce
    from core.store.results import Parsed

WORD = "read-pages"  # as the only argument
PROGRAM = ("-P", "-m", "core", WORD)  # what Python runs
LIMIT = 5.0  # seconds a page
START = 10.0  # seconds more for the first one
MEMORY = 2 * 1024**3  # bytes of address space, where the system can bound it
LENGTH = 4  # bytes of a frame's length


class OutOfTime(Exception):
    """The page took too long, or too much memory. The process is gone."""


class Worker:
    """At most one process and one page at a time. Used on the engine's loop; nothing starts before the first page."""

    def __init__(self, limit: float = LIMIT) -> None:
        self._limit = limit
        self._turn = asyncio.Lock()
        self._process: Process | None = None
        self._rules: RulesInForce | None = None  # those the process has

    async def read(self, rules: RulesInForce, body: Body) -> Parsed:
        """What the page says, its records included. Raises OutOfTime."""
        async with self._turn:
            fresh = self._process is None or self._process.returncode is not None
            process = await self._start() if fresh or self._process is None else self._process
            settings = encode(rules.settings) if self._rules is not rules else ""
            self._rules = rules
            try:
                async with asyncio.timeout(self._limit + (START if fresh else 0)):
                    return await _exchange(process, settings, body)
            except (TimeoutError, asyncio.IncompleteReadError, ConnectionError) as fault:
                await self.close()
                raise OutOfTime from fault
            except asyncio.CancelledError:
                await self.close()  # half a page is under way: the process is of no use any more
                raise

    async def close(self) -> None:
        """End the process, whatever it does."""
        process, self._process, self._rules = self._process, None, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()

    async def _start(self) -> Process:
        frozen = getattr(sys, "frozen", False)
        start = [sys.executable, WORD] if frozen else [sys.executable, *PROGRAM]
        places = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))}
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(*start, stdin=pipe, stdout=pipe, env=environment)
        return self._process


async def _exchange(process: Process, settings: str, body: Body) -> Parsed:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the page reader was started without pipes")
    process.stdin.write(_frame((settings, body)))
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(LENGTH), "big")
    parsed: Parsed = pickle.loads(await process.stdout.readexactly(length))  # noqa: S301 # our own child wrote it
    return parsed


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """The process's own side: pages in, what they say out, until the engine goes away."""
    from core.engine.reading import read_body
    from core.engine.rules import RulesInForce

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the engine
    _bound_memory()
    rules: RulesInForce | None = None
    while frame := _next_frame(source):
        settings, body = pickle.loads(frame)  # noqa: S301 # our own engine wrote it
        if settings:
            rules = RulesInForce(decode(settings))
        if rules is None:
            raise RuntimeError("a page came before its rules")
        _end_after(LIMIT + START)
        try:
            parsed = read_body(rules, body)
        except MemoryError:
            return  # the engine sees that the process is gone
        _end_after(0)
        sink.write(_frame(parsed))
        sink.flush()


def _frame(value: object) -> bytes:
    content = pickle.dumps(value, protocol=5)
    return len(content).to_bytes(LENGTH, "big") + content


def _next_frame(source: BinaryIO) -> bytes:
    """Empty where the engine has gone."""
    head = source.read(LENGTH)
    length = int.from_bytes(head, "big")
    content = source.read(length)
    return content if len(head) == LENGTH and len(content) == length else b""


def _end_after(seconds: float) -> None:
    """The kernel ends a process whose engine was killed while it read: nobody else would. 0: no more."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _bound_memory() -> None:
    if os.name == "posix":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
