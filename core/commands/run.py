"""`run`, `recrawl` and `stop`."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from core.commands.certify import AuditBeside
from core.commands.output import fall_silent
from core.errors import DiskFull, FronteiraError
from core.store.ballast import Ballast
from core.store.faults import blame_damage, translated
from core.store.lock import EngineLock, holder
from core.store.words import ending_in_words, in_lines

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from core.engine.ending import Ending


def run(path: Path, *, attached: bool = False, concurrency: int | None = None, recrawl: str = "") -> int:
    """Crawl a file until it is done, stopped or at a limit; the exit status says which."""
    from core.commands.migrate import use_older
    from core.store.folders import refuse_shared_folder

    use_older(path)
    refuse_shared_folder(path)
    lock = EngineLock.acquire(path)
    try:
        ending = _crawl_with_room(path, attached=attached, concurrency=concurrency, recrawl=recrawl)
    finally:
        lock.release()
    if ending.outcome != "finished":
        _say(ending_in_words(ending.outcome, ending.reason))
    if attached:
        fall_silent()
    return ending.exit_status


def stop(path: Path) -> int:
    """Ask a running engine to stop; it finishes what is in flight."""
    from core.store.crawl_file import inspect
    from core.store.wishes import Wishes

    inspect(path)
    wishes = Wishes(path)
    try:
        if holder(path) is None:
            _say("No engine runs this crawl.")
        else:
            wishes.stop()
    finally:
        wishes.close()
    return 0


def _crawl_with_room(path: Path, *, attached: bool, concurrency: int | None, recrawl: str) -> Ending:
    """Crawl with a little room on the disk in reserve: where it grows full, the file can still say so."""
    with translated(path):
        ballast = Ballast(path.resolve().parent)
    audit = AuditBeside(path)
    try:
        ending = _crawl(path, attached=attached, concurrency=concurrency, recrawl=recrawl)
        audit.finish()
        return ending
    except DiskFull as full:
        ballast.drop()
        _leave_word(path, f"disk: {full}")
        raise
    except FronteiraError:
        raise
    except Exception as fault:
        blame_damage(path, fault)
        raise
    finally:
        audit.call_off()
        ballast.drop()


def _leave_word(path: Path, reason: str) -> None:
    from core.store.write.last_words import end_failed  # rarely needed

    with suppress(FronteiraError):  # others have filled the room: the next start finds a session without an end
        end_failed(path, os.getpid(), time.time(), reason[:500])


def _crawl(path: Path, *, attached: bool, concurrency: int | None, recrawl: str) -> Ending:
    from core.engine.descriptors import open_the_limit
    from core.engine.engine import Engine

    open_the_limit()
    with translated(path):
        engine = Engine(path, attached=attached, concurrency=concurrency, recrawl=recrawl)
    watched = sys.stderr is not None and sys.stderr.isatty()  # None: it was closed before the start
    if not watched or attached:
        return _run_loop(engine.run())
    from core.commands.progress import with_progress

    return _run_loop(with_progress(path, engine.run()))


def _run_loop(main: Coroutine[Any, Any, Ending]) -> Ending:
    """The fastest loop there is here; asyncio's own where there is no other."""
    try:
        if sys.platform == "win32":
            from winloop import run as run_loop
        else:
            from uvloop import run as run_loop
    except ImportError:
        return asyncio.run(main)
    ending: Ending = run_loop(main)
    return ending


def _say(text: str) -> None:
    """A sentence for whoever still listens: the window that started us may have gone, the status says it too."""
    with suppress(OSError):
        print(in_lines(text), file=sys.stderr, flush=True)
