"""A process beside the engine that reads pages under rules without a time limit of their own, and can be killed.

An XPath can take minutes on a small page, inside a library that holds the interpreter's lock: neither the loop nor a
thread could stop it. The engine sends a page, waits a bounded time for what was read, and else kills the process; the
next such page starts another. It is this program itself, started with one hidden word (cli.py).
"""

from __future__ import annotations

import asyncio
import pickle
from typing import TYPE_CHECKING, BinaryIO

from core.killable import LENGTH, begin, command, end_after, environment, frame, next_value
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
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *command(*PROGRAM), stdin=pipe, stdout=pipe, env=environment()
        )
        return self._process


async def _exchange(process: Process, settings: str, body: Body) -> Parsed:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the page reader was started without pipes")
    process.stdin.write(frame((settings, body)))
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(LENGTH), "big")
    parsed: Parsed = pickle.loads(await process.stdout.readexactly(length))  # noqa: S301 # our own child wrote it
    return parsed


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """The process's own side: pages in, what they say out, until the engine goes away."""
    from core.engine.reading import read_body
    from core.engine.rules import RulesInForce

    begin()
    rules: RulesInForce | None = None
    while True:
        try:
            settings, body = next_value(source)
        except EOFError:
            return
        if settings:
            rules = RulesInForce(decode(settings))
        if rules is None:
            raise RuntimeError("a page came before its rules")
        end_after(LIMIT + START)
        try:
            parsed = read_body(rules, body)
        except MemoryError:
            return  # the engine sees that the process is gone
        end_after(0)
        sink.write(frame(parsed))
        sink.flush()
