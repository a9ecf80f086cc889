"""The tables of the window and of the exports, with their stable names.

One tuple, the same for both: what a person sees is what is exported. The expressions are SQL over schema.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import BadInput
from core.store.columns import Cell, Column, Condition, TableQuery, TableRow, TableSpec
from core.store.fields import field_columns
from core.store.names import UrlState
from core.store.where import parse_where, where_text

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
    return (URLS, _records(settings), LINKS, HOSTS, ALARMS, METRICS, REFUSED, CONFLICTS, ROBOTS, LOG, CHANGES)


def table(name: str, settings: CrawlSettings) -> TableSpec:
    """The table of that name; raises BadInput with the names there are."""
    known = tables(settings)
    for spec in known:
        if spec.name == name:
            return spec
    raise BadInput(f"There is no table {name!r}.", f"There are: {', '.join(spec.name for spec in known)}.")


def _address(number: str) -> str:
    """The fetch form of a URL known by its number."""
    return (
        f"(SELECT origin_.base || url_.path FROM url url_ JOIN origin origin_ ON origin_.id = url_.origin_id "
        f"WHERE url_.id = {number})"
    )


def _state(number: str) -> str:
    """A URL's state as a word."""
    cases = " ".join(f"WHEN {int(state)} THEN '{state.label}'" for state in UrlState)
    return f"CASE {number} {cases} END"


def _hex(blob: str) -> str:
    return f"CASE WHEN {blob} IS NOT NULL THEN lower(hex({blob})) END"


_URL = "o.base || u.path"
_ORIGIN = "LEFT JOIN origin o ON o.id = u.origin_id"

URLS = TableSpec(
    "urls",
    "URLs",
    base="url u",
    joins=f"{_ORIGIN} LEFT JOIN host h ON h.id = u.host_id LEFT JOIN page p ON p.url_id = u.id",
    keys=("u.id",),
    searched=("url", "title"),
    latest="SELECT max(id) FROM url",
    arrival="u.id",
    columns=(
        Column("url", "URL", "url", _URL, width=420),
        Column("key", "Key", "url", f"key_form({_URL})", visible=False, width=420),
        Column("state", "State", "state", _state("u.state"), width=80),
        Column("reason", "Reason", "text", "u.reason", width=140),
        Column("status", "Status", "number", "p.status", width=60),
        Column("outcome", "Outcome", "text", "coalesce(p.outcome, '')", visible=False),
        Column("depth", "Depth", "number", "u.depth", width=60),
        Column("priority", "Priority", "number", "u.priority", visible=False, width=70),
        Column("host", "Host", "text", "h.name", visible=False, width=160),
        Column("content_type", "Type", "text", "p.content_type", width=110),
        Column("bytes", "Bytes", "bytes", "p.bytes", width=80),
        Column("seconds", "Seconds", "seconds", "p.seconds", width=70),
        Column("title", "Title", "text", "p.title", width=240),
        Column("canonical", "Canonical", "url", "p.canonical", visible=False, width=240),
        Column("alias_of", "Alias of", "url", _address("p.alias_of"), visible=False, width=240),
        Column("redirect_to", "Redirects to", "url", "p.redirect_to", visible=False, width=240),
        Column("content_hash", "Content hash", "hash", _hex("p.content_hash"), visible=False, width=140),
        Column("duplicate_of", "Copy of", "url", _address("p.duplicate_of"), visible=False, width=240),
        Column("soft_block", "Soft block", "flag", "p.soft_block", visible=False, width=70),
        Column("needs_javascript", "Needs JavaScript", "flag", "p.needs_javascript", visible=False, width=70),
        Column("found_on", "Found on", "url", _address("u.found_on"), visible=False, width=240),
        Column("inlinks", "In-links", "number", "(SELECT count(*) FROM link WHERE target = u.id)", width=70),
        Column("first_seen", "First seen", "time", "u.first_seen", visible=False, width=150),
        Column("last_fetched", "Last fetched", "time", "p.last_fetched", width=150),
        Column("last_changed", "Last changed", "time", "p.last_changed", visible=False, width=150),
        Column("next_due", "Next due", "time", "u.due", visible=False, width=150),
        Column("attempts", "Attempts", "number", "u.tries", visible=False, width=70),
        Column("error", "Error", "text", "p.error", visible=False, width=200),
    ),
)

LINKS = TableSpec(
    "links",
    "Links",
    base="link l",
    joins=f"LEFT JOIN url u ON u.id = l.source {_ORIGIN}",
    keys=("l.source", "l.target"),
    searched=("source", "target", "text"),
    latest="SELECT max(id) FROM capture",
    arrival="(SELECT max(c.id) FROM capture c WHERE c.url_id = l.source)",
    columns=(
        Column("source", "From", "url", _URL, width=320),
        Column(
            "target",
            "To",
            "url",
            "CASE WHEN l.target < 0 THEN (SELECT url FROM refused WHERE id = -l.target) "
            f"ELSE {_address('l.target')} END",
            width=320,
        ),
        Column("text", "Text", "text", "l.text", width=200),
        Column("rel", "Rel", "text", "l.rel", width=80),
        Column("kind", "Kind", "text", "l.kind", visible=False, width=70),
        Column(
            "target_state",
            "Target state",
            "state",
            f"CASE WHEN l.target < 0 THEN 'refused' ELSE (SELECT {_state('state')} FROM url WHERE id = l.target) END",
            width=80,
        ),
        Column(
            "target_status", "Target status", "number", "(SELECT status FROM page WHERE url_id = l.target)", width=80
        ),
    ),
)

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
        Column("mean_seconds", "Mean seconds", "seconds", "h.seconds / nullif(h.requests, 0)", width=90),
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

REFUSED = TableSpec(
    "refused",
    "Refused",
    base="refused r",
    joins="",
    keys=("r.id",),
    searched=("url", "reason"),
    latest="SELECT max(id) FROM refused",
    arrival="r.id",
    columns=(
        Column("url", "URL", "url", "r.url", width=420),
        Column("reason", "Reason", "text", "r.reason", width=200),
        Column("found_on", "Found on", "url", _address("r.found_on"), width=320),
        Column("depth", "Depth", "number", "r.depth", width=60),
        Column("seed", "Seed", "flag", "r.seed", visible=False, width=60),
        Column("at", "Time", "time", "r.at", width=150),
    ),
)

CONFLICTS = TableSpec(
    "conflicts",
    "Conflicts",
    base="conflict c",
    joins=f"LEFT JOIN url u ON u.id = c.url_id {_ORIGIN}",
    keys=("c.id",),
    searched=("url", "natural_key", "reason", "data"),
    latest="SELECT max(id) FROM conflict",
    arrival="c.id",
    columns=(
        Column("run", "Run", "number", "c.run", width=60),
        Column("url", "URL", "url", _URL, width=320),
        Column("type", "Type", "text", "c.type"),
        Column("natural_key", "Key", "text", "c.natural_key", width=140),
        Column("record_id", "Record", "hash", "c.record_id", width=140),
        Column("reason", "Reason", "text", "c.reason", width=240),
        Column("data", "Data", "text", "c.data", width=320),
        Column("at", "Time", "time", "c.at", width=150),
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
        Column("hash", "Hash", "hash", _hex("v.hash"), visible=False, width=140),
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

CHANGES = TableSpec(
    "changes",
    "Changes",
    base="record_version v",
    joins="JOIN json_each(v.data) j LEFT JOIN record r ON r.id = v.record_id "
    "LEFT JOIN record_version b ON b.record_id = v.record_id AND b.version = v.version - 1",
    keys=("v.record_id", "v.version", "j.key"),
    fixed="(v.data -> j.fullkey) IS NOT (b.data -> j.fullkey) AND (v.version > 1 OR j.type <> 'null')",
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
    Column("url", "URL", "url", _URL, width=320),
    Column("first_seen", "First seen", "time", "r.first_seen", visible=False, width=150),
    Column("last_seen", "Last seen", "time", "r.last_seen", width=150),
    Column("last_changed", "Last changed", "time", "r.last_changed", width=150),
    Column("version", "Version", "number", "r.version", width=70),
    Column("gone", "Gone", "time", "r.gone", visible=False, width=150),
)


def _records(settings: CrawlSettings) -> TableSpec:
    fields = field_columns(settings.records, {column.name for column in _RECORD_COLUMNS})
    return TableSpec(
        "records",
        "Records",
        base="record r",
        joins=f"LEFT JOIN url u ON u.id = r.url_id {_ORIGIN}",
        keys=("r.rowid",),
        searched=("record_id", "natural_key", "url", *(column.name for column in fields)),
        latest="SELECT max(rowid) FROM record",
        arrival="r.rowid",
        columns=_RECORD_COLUMNS + fields,
    )
