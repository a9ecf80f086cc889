"""`status`, `check` and `export`."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from core.commands.output import say
from core.commands.words import size
from core.errors import BadInput
from core.store.times import iso
from core.store.words import quantity, reason_in_words, state_in_words

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from core.store.rows import Status, UncleanEnd


def status(path: Path, *, as_json: bool) -> int:
    """What the crawl is doing, for people or programs."""
    from core.store.read.reader import Reader

    reader = Reader(path)
    try:
        found = reader.status()
    finally:
        reader.close()
    say(json.dumps(_stable(path, found), ensure_ascii=False) if as_json else "\n".join(_in_words(found)))
    return 0


def _stable(path: Path, found: Status) -> dict[str, Any]:
    """The fixed names, what there is beyond them, and what may have been sent twice at which end."""
    from core.store.read.certificates import read_unclean_ends
    from core.store.read.status import status_json

    ends = [{**asdict(end), "at": iso(end.at)} for end in read_unclean_ends(path)]
    return {**status_json(found), "overdue": found.overdue(time.time()), "unclean_ends": ends}


def check(path: Path, *, as_json: bool) -> int:
    """The file's certificate, which is kept in it after an unclean end; 1 where a promise does not hold."""
    from core.store.read.certificates import read_unclean_ends
    from core.store.rescue.certify import certify

    certificate = certify(path, time.time())
    ends = read_unclean_ends(path)
    if as_json:
        listed = [{**asdict(end), "at": iso(end.at)} for end in ends]
        say(json.dumps({**asdict(certificate), "unclean_ends": listed}, ensure_ascii=False))
    else:
        say("\n".join((*certificate.sentences(), *(line for end in ends for line in _in_doubt(end)))))
    return 0 if certificate.ok else 1


def _in_doubt(end: UncleanEnd) -> list[str]:
    """One unclean end, and below it the requests that may have been sent twice because of it."""
    how = {"killed": "was killed", "failed": "failed"}.get(end.outcome, "crashed")
    requests = [f"    {address}" for address in end.requests]
    return [f"  Process {end.pid} {how}; noticed {iso(end.at)}: {quantity(len(requests), 'request')}", *requests]


def export(options: argparse.Namespace) -> int:
    """Write a table to a file."""
    from core.export import export as write
    from core.store.read.columns import TableQuery
    from core.store.read.where import parse_where

    if options.bom and options.format != "csv":
        raise BadInput("A byte order mark begins CSV files only.", "Leave --bom out, or export as csv.")
    query = TableQuery(options.table, conditions=parse_where(options.where) if options.where else ())
    write(
        *(options.file, query, options.output, options.format),
        raw=options.raw,
        bom=options.bom,
        about=options.about,
    )
    return 0


def _in_words(found: Status) -> list[str]:
    rows = [
        ("run", f"{found.run}, {found.elapsed:,.0f} s of running" if found.run else "none yet"),
        ("URLs", _counted(found.urls) or "none yet"),
        ("pages", f"{found.pages:,} by {quantity(found.requests, 'request')}, {size(found.bytes)}"),
        ("records", f"{found.records:,}{_in_brackets(_counted(found.record_actions))}"),
        ("answers", _counted(found.statuses) or "none yet"),
        ("discovery ratio", f"{_number(found.discovery_ratio)} new URLs a page, over the last 1,000 pages"),
        (
            "duplicates",
            f"{_percent(found.duplicate_rate)} of links, {_percent(found.content_duplicate_rate)} of bodies",
        ),
        ("a useful page", f"{size(found.bytes_per_useful_page)} on the wire" if found.bytes_per_useful_page else "-"),
        *(("alarm", alarm.message) for alarm in found.alarms),
        *([("engine", f"process {found.engine.pid}")] if found.engine else []),
        *_certified(found),
        *_scheduled(found, time.time()),
    ]
    word = state_in_words(found.state, found.reason)
    reason = "" if found.reason == word else reason_in_words(found.reason)
    state = f"{found.name}: {word}{_in_brackets(reason)}"
    return [state, *(f"  {label:<16}{text}" for label, text in rows)]


def _certified(found: Status) -> list[tuple[str, str]]:
    """How the file was found after the last unclean end."""
    kept = found.certificate
    if kept is None:
        return []
    if kept.due or kept.at is None:
        return [("check", "due after an unclean end: `fronteira check FILE`")]
    return [("check", f"{'all is well' if kept.ok else 'a promise does not hold'}, at {iso(kept.at)}")]


def _scheduled(found: Status, now: float) -> list[tuple[str, str]]:
    """When the next run is due by the schedule."""
    if found.next_run is None:
        return []
    since = "overdue since " if found.overdue(now) else ""
    return [("next run", f"{since}{iso(found.next_run)}")]


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _number(number: float | None) -> str:
    return "-" if number is None else f"{number:,.2f}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
