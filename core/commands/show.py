"""`status`, `check` and `export`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from core.store.rows import Status


def status(path: Path, *, as_json: bool) -> int:
    """What the crawl is doing, for people or programs."""
    from core.store.reader import Reader
    from core.store.status import status_json

    reader = Reader(path)
    try:
        found = reader.status()
    finally:
        reader.close()
    print(json.dumps(status_json(found), ensure_ascii=False) if as_json else "\n".join(_in_words(found)))
    return 0


def check(path: Path, *, as_json: bool) -> int:
    """The file's certificate; 1 where a promise does not hold."""
    from core.store.audit import audit

    certificate = audit(path)
    if as_json:
        print(json.dumps(asdict(certificate), ensure_ascii=False))
    else:
        print("\n".join(certificate.sentences()))
        print("\n".join(f"  {address}" for address in certificate.possibly_repeated), end="")
    return 0 if certificate.ok else 1


def export(options: argparse.Namespace) -> int:
    """Write a table to a file."""
    from core.export import export as write
    from core.store.columns import TableQuery
    from core.store.where import parse_where

    query = TableQuery(options.table, conditions=parse_where(options.where) if options.where else ())
    write(
        *(options.file, query, options.output, options.format),
        raw=options.raw,
        bom=options.bom,
        about=options.about,
    )
    return 0


def _in_words(found: Status) -> list[str]:
    states = ", ".join(f"{count:,} {state}" for state, count in found.urls.items() if count)
    lines = [
        f"{found.name}: {found.state}{f' ({found.reason})' if found.reason else ''}",
        f"run {found.run}, {found.elapsed:,.0f} s of running" if found.run else "never run",
        f"URLs: {states or 'none yet'}",
        f"{found.pages:,} pages by {found.requests:,} requests, {found.bytes:,} bytes",
        f"records: {found.records:,} ({_actions(found)})",
        f"discovery ratio {_number(found.discovery_ratio)}, duplicate rate {_percent(found.duplicate_rate)}, "
        f"content duplicates {_percent(found.content_duplicate_rate)}, "
        f"bytes per useful page {_number(found.bytes_per_useful_page)}",
    ]
    lines += [f"alarm: {alarm.message}" for alarm in found.alarms]
    if found.engine:
        lines.append(f"engine: process {found.engine.pid}")
    return lines


def _actions(found: Status) -> str:
    return ", ".join(f"{count:,} {action}" for action, count in found.record_actions.items())


def _number(number: float | None) -> str:
    return "-" if number is None else f"{number:,.2f}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
