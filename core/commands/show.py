"""`status`, `check` and `export`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from core.commands.output import say
from core.commands.words import size
from core.errors import BadInput
from core.store.words import quantity, reason_in_words, state_in_words

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from core.store.rows import Status


def status(path: Path, *, as_json: bool) -> int:
    """What the crawl is doing, for people or programs."""
    from core.store.read.reader import Reader
    from core.store.read.status import status_json

    reader = Reader(path)
    try:
        found = reader.status()
    finally:
        reader.close()
    say(json.dumps(status_json(found), ensure_ascii=False) if as_json else "\n".join(_in_words(found)))
    return 0


def check(path: Path, *, as_json: bool) -> int:
    """The file's certificate; 1 where a promise does not hold."""
    from core.store.read.audit import audit

    certificate = audit(path)
    if as_json:
        say(json.dumps(asdict(certificate), ensure_ascii=False))
    else:
        say("\n".join((*certificate.sentences(), *(f"  {address}" for address in certificate.possibly_repeated))))
    return 0 if certificate.ok else 1


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
    ]
    word = state_in_words(found.state, found.reason)
    reason = "" if found.reason == word else reason_in_words(found.reason)
    state = f"{found.name}: {word}{_in_brackets(reason)}"
    return [state, *(f"  {label:<16}{text}" for label, text in rows)]


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _number(number: float | None) -> str:
    return "-" if number is None else f"{number:,.2f}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
