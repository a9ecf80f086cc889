"""`reparse`: the rules of now over the stored responses, without a request; dry, it only says what that would do."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

import msgspec

from core.commands.output import say
from core.store.words import quantity

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.reparsed import Collision, Example, ReparseReport

ENDED_EARLY = 3
TELL_SECONDS = 0.2
MOST_SHOWN = 5  # examples of one kind


class Wanted:
    """Until Ctrl-C, SIGTERM, or, where a window holds our standard input, its end."""

    def __init__(self, *, attached: bool) -> None:
        self._ended = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda _number, _frame: self._ended.set())
        if attached:
            threading.Thread(target=self._await_end_of_stdin, name="stdin", daemon=True).start()

    def __call__(self) -> bool:
        return not self._ended.is_set()

    def _await_end_of_stdin(self) -> None:
        while sys.stdin is not None and os.read(sys.stdin.fileno(), 4096):
            pass
        self._ended.set()


def reparse(path: Path, *, dry_run: bool, as_json: bool, attached: bool) -> int:
    """Parse again and report; 3 where it was cut off, to go on with the next call."""
    from core.commands.migrate import use_older
    from core.store.lock import EngineLock

    use_older(path)
    wanted = Wanted(attached=attached)
    told = _tell_progress(attached=attached)
    if dry_run:
        report = _run(path, wanted, told, dry_run=True)
    else:
        lock = EngineLock.acquire(path)
        try:
            _bring_in_line(path)
            report = _run(path, wanted, told, dry_run=False)
        finally:
            lock.release()
    say(json.dumps(msgspec.to_builtins(report), ensure_ascii=False) if as_json else "\n".join(in_words(report)))
    return 0 if report.finished else ENDED_EARLY


class _Told:
    """Lines of JSON for the window that started us: how many pages are done, of how many."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, done: int, pages: int) -> None:
        now = time.monotonic()
        if done == pages or now - self._last >= TELL_SECONDS:
            self._last = now
            say(json.dumps({"done": done, "of": pages}))


def _tell_progress(*, attached: bool) -> _Told | None:
    return _Told() if attached else None


def _run(path: Path, wanted: Wanted, told: _Told | None, *, dry_run: bool) -> ReparseReport:
    from core.engine.reparse import reparse as parse_again

    return asyncio.run(parse_again(path, dry_run=dry_run, progress=told, wanted=wanted))


def _bring_in_line(path: Path) -> None:
    """What the newest settings mean for the stored rows comes first: which pages are one, which are left out."""
    from core.store.write.writer import Writer

    writer = Writer(path)
    try:
        writer.apply(time.monotonic(), time.time())
    finally:
        writer.close()


def in_words(report: ReparseReport) -> list[str]:
    """The report in plain words."""
    pages = quantity(report.pages, "stored page")
    if not report.finished:
        head = f"Ended early after {report.done:,} of {pages}. The next `reparse` goes on there."
    elif report.dry_run:
        head = f"What parsing {pages} again would do; nothing was changed."
    else:
        head = f"{pages} parsed again, without a request."
    lines = [head]
    for type_, counts in report.records.items():
        found = msgspec.to_builtins(counts)
        lines.append(f"  {type_}: " + ", ".join(f"{number:,} {name}" for name, number in found.items()))
    if report.missing:
        lines.append(
            f"  {quantity(report.missing, 'response')} kept no more: the records of these pages stay as they are."
        )
    if report.unreadable:
        lines.append(f"  {quantity(report.unreadable, 'page')} that cannot be read: their records stay as they are.")
    lines += _collisions(report.collisions)
    for action in ("created", "updated", "gone"):
        lines += [line for each in _first(report.examples, action) for line in _example(each)]
    return lines


def _first(examples: list[Example], action: str) -> list[Example]:
    return [each for each in examples if each.action == action][:MOST_SHOWN]


def _example(example: Example) -> list[str]:
    lines = [f"  {example.action}: {example.type} on {example.url}"]
    return lines + [f"    {each.field}: {each.before or '-'} -> {each.after or '-'}" for each in example.fields]


def _collisions(collisions: list[Collision]) -> list[str]:
    return [
        f"  one key, different data: {each.type} “{each.key}” on {each.url} and {each.other}"
        for each in collisions[:MOST_SHOWN]
    ]
