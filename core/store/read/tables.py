"""The tables of the window and of the exports, with their stable names.

One tuple, the same for both: what a person sees is what is exported. The expressions are SQL over the tables of schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import BadInput
from core.store.names import UrlState
from core.store.read.columns import Cell, Column, Condition, TableQuery, TableRow, TableSpec
from core.store.read.duplicates import DUPLICATES
from core.store.read.expressions import hex_text
from core.store.read.record_tables import CHANGES, CONFLICTS, PAGE_CHANGES, records_table
from core.store.read.response_table import RESPONSES
from core.store.read.seed_table import SEEDS
from core.store.read.url_tables import LINKS, REFUSED, URLS
from core.store.read.where import parse_where, where_text

if TYPE_CHECKING:
    from core.settings import CrawlSettings

__all__ = [
    "Cell",
    "Column",
    "Condition",
    "TableQuery",
    "TableRow",
    "TableSpec",
    "parse_where",
    "table",
    "tables",
    "where_text",
]


def tables(settings: CrawlSettings) -> tuple[TableSpec, ...]:
    """All tables of a crawl with these settings; the records have a column for each declared field."""
    found = (URLS, records_table(settings), LINKS, HOSTS, ALARMS, METRICS, REFUSED, CONFLICTS, ROBOTS, LOG, CHANGES)
    return (*found, SEEDS, DUPLICATES, PAGE_CHANGES, RESPONSES)


def table(name: str, settings: CrawlSettings) -> TableSpec:
    """The table of that name; raises BadInput with the names there are."""
    known = tables(settings)
    for spec in known:
        if spec.name == name:
            return spec
    raise BadInput(f"There is no table “{name}”.", f"There are: {', '.join(spec.name for spec in known)}.")


HOSTS = TableSpec(
    "hosts",
    "Hosts",
    base="host h",
    joins="",
    keys=("h.id",),
    searched=("host", "last_error"),
    latest="SELECT max(id) FROM host",
    arrival="h.id",
    columns=(
        Column("host", "Host", "text", "h.name", width=220),
        Column("tenant", "Tenant", "text", "h.tenant", visible=False),
        Column("state", "State", "state", "h.state", width=90),
        *(Column(state.label, state.label.capitalize(), "number", f"h.{state.label}", width=80) for state in UrlState),
        Column("refused", "Refused", "number", "h.refused", width=80),
        Column("requests", "Requests", "number", "h.requests", width=80),
        Column("status_2xx", "2xx", "number", "h.status_2xx", width=60),
        Column("status_3xx", "3xx", "number", "h.status_3xx", width=60),
        Column("status_4xx", "4xx", "number", "h.status_4xx", width=60),
        Column("status_5xx", "5xx", "number", "h.status_5xx", width=60),
        Column("errors", "Errors", "number", "h.errors", width=60),
        Column("bytes", "Bytes", "bytes", "h.bytes", width=80),
        Column("mean_seconds", "Mean time", "seconds", "h.seconds / nullif(h.requests, 0)", width=90),
        Column("delay", "Delay", "seconds", "h.delay", width=70),
        Column("backoff_until", "Backoff until", "time", "nullif(h.backoff_until, 0)", width=150),
        Column("last_request", "Last request", "time", "h.last_request", width=150),
        Column("unreachable_since", "Unreachable since", "time", "h.unreachable_since", visible=False, width=150),
        Column("last_error", "Last error", "text", "h.last_error", width=240),
    ),
)

ALARMS = TableSpec(
    "alarms",
    "Alarms",
    base="alarm a",
    joins="",
    keys=("a.id",),
    searched=("kind", "pattern", "host", "message"),
    latest="SELECT max(id) FROM alarm",
    arrival="a.id",
    columns=(
        Column("raised", "Raised", "time", "a.raised", width=150),
        Column("kind", "Kind", "text", "a.kind", width=120),
        Column("pattern", "Pattern", "text", "a.pattern", width=160),
        Column("host", "Host", "text", "a.host", width=160),
        Column("message", "Message", "text", "a.message", width=420),
        Column("cleared", "Cleared", "time", "a.cleared", width=150),
        Column("acknowledged", "Acknowledged", "time", "a.acknowledged", width=150),
    ),
)

METRICS = TableSpec(
    "metrics",
    "Metrics",
    base="sample s_",
    joins="",
    keys=("s_.id",),
    searched=(),
    latest="SELECT max(id) FROM sample",
    arrival="s_.id",
    columns=(
        Column("at", "Time", "time", "s_.at", width=150),
        Column("elapsed", "Running for", "seconds", "s_.elapsed"),
        *(
            Column(name, name.replace("_", " ").capitalize(), "bytes" if name == "bytes" else "number", f"s_.{name}")
            for name in "run frontier known pages requests bytes errors records useful discovery_ratio duplicate_rate "
            "content_duplicate_rate bytes_per_useful_page pages_per_second".split()
        ),
    ),
)

ROBOTS = TableSpec(
    "robots",
    "robots.txt",
    base="robots_version v",
    joins="LEFT JOIN origin o ON o.id = v.origin_id",
    keys=("v.id",),
    searched=("origin", "body"),
    latest="SELECT max(id) FROM robots_version",
    arrival="v.id",
    columns=(
        Column("origin", "Origin", "url", "o.base", width=240),
        Column("state", "In force", "state", "CASE WHEN o.robots_version = v.id THEN o.robots_state ELSE '' END"),
        Column("status", "Status", "number", "v.status", width=60),
        Column("first_seen", "First seen", "time", "v.first_seen", width=150),
        Column("last_seen", "Last seen", "time", "v.last_seen", width=150),
        Column("hash", "Hash", "hash", hex_text("v.hash"), visible=False, width=140),
        Column("body", "Text", "text", "decoded(v.body)", width=420),
    ),
)

LOG = TableSpec(
    "log",
    "Log",
    base="log g",
    joins="",
    keys=("g.id",),
    searched=("kind", "host", "url", "message"),
    latest="SELECT max(id) FROM log",
    arrival="g.id",
    columns=(
        Column("at", "Time", "time", "g.at", width=150),
        Column("elapsed", "Running for", "seconds", "g.elapsed", visible=False),
        Column("level", "Level", "state", "g.level", width=70),
        Column("kind", "Kind", "text", "g.kind", width=80),
        Column("host", "Host", "text", "g.host", width=160),
        Column("url", "URL", "url", "g.url", width=320),
        Column("message", "Message", "text", "g.message", width=420),
    ),
)
