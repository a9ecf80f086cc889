"""The tables of what was gained: records, what changed in them, what could not become one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.read.columns import Column, TableSpec
from core.store.read.expressions import ORIGIN, URL, hex_text
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

# A version's fields, and among them its record's absences under names that no field has: gone and back, numbered.
ABSENT = "unicode(j.key) = 1"
EVENTS = """iif(EXISTS (SELECT 1 FROM absence WHERE record_id = v.record_id AND version = v.version),
json_patch(v.data, (SELECT json_group_object(name, json(what)) FROM (
    SELECT char(1) || 'gone:' || number AS name, json_array(run, at) AS what FROM absence
    WHERE record_id = v.record_id AND version = v.version UNION ALL
    SELECT char(1) || 'back:' || number, json_array(back_run, back) FROM absence
    WHERE record_id = v.record_id AND version = v.version AND back IS NOT NULL))), v.data)"""
ACTION = f"CASE WHEN {ABSENT} THEN substr(j.key, 2, 4) WHEN v.version = 1 THEN 'created' ELSE 'updated' END"
AT = f"iif({ABSENT}, j.value ->> 1, v.valid_from)"
KEY = f"v.record_id || ':' || v.version || iif({ABSENT}, ':' || substr(j.key, 2), '')"
OLD = f"iif({ABSENT}, NULL, b.data -> j.fullkey)"
NEW = f"iif({ABSENT}, NULL, v.data -> j.fullkey)"
REASON = f"iif({ABSENT} OR v.rules IS NULL, 'page', 'rule: settings ' || v.rules)"
CHANGED = (
    f"({ABSENT} OR ((v.data -> j.fullkey) IS NOT (b.data -> j.fullkey) "
    "AND (b.record_id IS NOT NULL OR j.type <> 'null')))"
)

CHANGES = TableSpec(
    "changes",
    "Changes",
    base="record_version v",
    joins=f"JOIN json_each({EVENTS}) j LEFT JOIN record r ON r.id = v.record_id "
    "LEFT JOIN record_version b ON b.record_id = v.record_id AND b.version = v.version - 1",
    keys=("v.record_id", "v.version", "j.key"),
    fixed=CHANGED,
    searched=("record_id", "field", "old", "new"),
    latest="SELECT max(at) FROM (SELECT max(valid_from) AS at FROM record_version "
    "UNION ALL SELECT max(at) FROM absence UNION ALL SELECT max(back) FROM absence)",
    arrival=AT,
    columns=(
        Column("run", "Run", "number", f"iif({ABSENT}, j.value ->> 0, v.run)", width=60),
        Column("record_id", "Record", "hash", "v.record_id", width=140),
        Column("type", "Type", "text", "r.type"),
        Column("action", "Action", "state", ACTION, width=80),
        Column("field", "Field", "text", f"iif({ABSENT}, NULL, j.key)", width=120),
        Column("old", "Before", "text", f"cell_text({OLD})", width=240, native=OLD),
        Column("new", "After", "text", f"cell_text({NEW})", width=240, native=NEW),
        Column("at", "Time", "time", AT, width=150),
        Column("reason", "Reason", "text", REASON, width=120),
        Column("idempotency_key", "Idempotency key", "hash", KEY, visible=False, width=180),
    ),
)

PAGE_CHANGES = TableSpec(
    "page_changes",
    "Page changes",
    base="page_version v",
    joins=f"LEFT JOIN url u ON u.id = v.url_id {ORIGIN} LEFT JOIN page p ON p.url_id = v.url_id "
    "LEFT JOIN page_version n ON n.url_id = v.url_id AND n.version = v.version + 1",
    keys=("v.url_id", "v.version"),
    searched=("url", "old_title", "new_title"),
    latest="SELECT max(valid_to) FROM page_version",
    arrival="v.valid_to",
    columns=(
        Column("run", "Run", "number", "(SELECT max(number) FROM run WHERE started <= v.valid_to)", width=60),
        Column("at", "Changed", "time", "v.valid_to", width=150),
        Column("url", "URL", "url", URL, width=320),
        Column("version", "Version", "number", "v.version", width=70),
        Column("old_title", "Title before", "text", "v.title", width=220),
        Column("new_title", "Title after", "text", "iif(n.url_id IS NULL, p.title, n.title)", width=220),
        Column("since", "Before since", "time", "v.valid_from", width=150),
        Column("old_hash", "Content before", "hash", hex_text("v.content_hash"), width=140),
        Column(
            *("new_hash", "Content after", "hash"),
            hex_text("iif(n.url_id IS NULL, p.content_hash, n.content_hash)"),
            width=140,
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
