"""The tables of what was gained: records, what changed in them, what could not become one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.read.columns import Column, TableSpec
from core.store.read.expressions import ORIGIN, URL
from core.store.read.fields import field_columns

if TYPE_CHECKING:
    from core.settings import CrawlSettings

CONFLICTS = TableSpec(
    "conflicts",
    "Conflicts",
    base="conflict c",
    joins=f"LEFT JOIN url u ON u.id = c.url_id {ORIGIN}",
    keys=("c.id",),
    searched=("url", "natural_key", "reason", "data"),
    latest="SELECT max(id) FROM conflict",
    arrival="c.id",
    columns=(
        Column("run", "Run", "number", "c.run", width=60),
        Column("url", "URL", "url", URL, width=320),
        Column("type", "Type", "text", "c.type"),
        Column("natural_key", "Key", "text", "c.natural_key", width=140),
        Column("record_id", "Record", "hash", "c.record_id", width=140),
        Column("reason", "Reason", "text", "c.reason", width=240),
        Column("data", "Data", "text", "c.data", width=320),
        Column("at", "Time", "time", "c.at", width=150),
    ),
)

CHANGES = TableSpec(
    "changes",
    "Changes",
    base="record_version v",
    joins="JOIN json_each(v.data) j LEFT JOIN record r ON r.id = v.record_id "
    "LEFT JOIN record_version b ON b.record_id = v.record_id AND b.version = v.version - 1",
    keys=("v.record_id", "v.version", "j.key"),
    fixed="(v.data -> j.fullkey) IS NOT (b.data -> j.fullkey) AND (b.record_id IS NOT NULL OR j.type <> 'null')",
    searched=("record_id", "field", "old", "new"),
    latest="SELECT max(valid_from) FROM record_version",
    arrival="v.valid_from",
    columns=(
        Column("run", "Run", "number", "v.run", width=60),
        Column("record_id", "Record", "hash", "v.record_id", width=140),
        Column("type", "Type", "text", "r.type"),
        Column("action", "Action", "state", "CASE WHEN v.version = 1 THEN 'created' ELSE 'updated' END", width=80),
        Column("field", "Field", "text", "j.key", width=120),
        Column("old", "Before", "text", "cell_text(b.data -> j.fullkey)", width=240, native="b.data -> j.fullkey"),
        Column("new", "After", "text", "cell_text(v.data -> j.fullkey)", width=240, native="v.data -> j.fullkey"),
        Column("at", "Time", "time", "v.valid_from", width=150),
        Column("reason", "Reason", "text", "iif(v.rules IS NULL, 'page', 'rule: settings ' || v.rules)", width=120),
        Column(
            "idempotency_key", "Idempotency key", "hash", "v.record_id || ':' || v.version", visible=False, width=180
        ),
    ),
)

_RECORD_COLUMNS = (
    Column("record_id", "Record", "hash", "r.id", width=140),
    Column("type", "Type", "text", "r.type", width=90),
    Column("tenant", "Tenant", "text", "r.tenant", visible=False),
    Column("source", "Source", "text", "r.source", visible=False, width=140),
    Column("natural_key", "Key", "text", "r.natural_key", visible=False, width=140),
    Column("url", "URL", "url", URL, width=320),
    Column("first_seen", "First seen", "time", "r.first_seen", visible=False, width=150),
    Column("last_seen", "Last seen", "time", "r.last_seen", width=150),
    Column("last_changed", "Last changed", "time", "r.last_changed", width=150),
    Column("version", "Version", "number", "r.version", width=70),
    Column("gone", "Gone", "time", "r.gone", visible=False, width=150),
)


def records_table(settings: CrawlSettings) -> TableSpec:
    """The records, with a column for each field that these settings declare."""
    fields = field_columns(settings.records, {column.name for column in _RECORD_COLUMNS})
    return TableSpec(
        "records",
        "Records",
        base="record r",
        joins=f"LEFT JOIN url u ON u.id = r.url_id {ORIGIN}",
        keys=("r.rowid",),
        searched=("record_id", "natural_key", "url", *(column.name for column in fields)),
        latest="SELECT max(rowid) FROM record",
        arrival="r.rowid",
        columns=_RECORD_COLUMNS + fields,
    )
