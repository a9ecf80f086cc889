"""The small file beside an export that says where its rows came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from core.export.cells import writable
from core.store.read.tables import where_text
from core.store.times import iso

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.read.columns import TableQuery
    from core.store.read.snapshot import Snapshot


def about_text(snapshot: Snapshot, path: Path, query: TableQuery, format_name: str, rows: int, at: float) -> str:
    """JSON: crawl, time, table, filter, order, columns, format, rows, and the hash of the settings in force."""
    settings = snapshot.settings()
    order = f"{query.order[0]} {'descending' if query.order[1] else 'ascending'}" if query.order else ""
    facts = {
        "crawl": settings.name or path.stem,
        "file": path.name,
        "exported": iso(at),
        "table": query.table,
        "filter": where_text(query.conditions),
        "search": query.search,
        "order": order,
        "columns": list(query.columns),
        "format": format_name,
        "rows": rows,
        "settings_sha256": snapshot.settings_hash(),
    }
    return msgspec.json.format(writable(msgspec.json.encode(facts).decode()), indent=2) + "\n"
