"""What the tables of the window show first, and the choices above each: values only, one line a table.

What a table is made of stands in core.store.read.tables; here is only what a person meets.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.store.names import RecordAction, UrlState
from core.store.read.columns import Condition

LIMITS = ("depth", "length", "host-limit", "total-limit", "pattern-limit", "bytes", "seconds")
LOG_KINDS = (
    "start",
    "stop",
    "kill",
    "finish",
    "settings",
    "offline",
    "online",
    "robots",
    "sitemap",
    "feed",
    "archive",
    "seed",
    "host",
    "limit",
    "page",
    "generated",
    "soft-block",
    "lag",
    "file",
)


@dataclass(frozen=True, slots=True)
class Option:
    """One entry of a choice and the conditions it means."""

    title: str
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """A field above the table; its first option is what the table shows at first, mostly all."""

    name: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A table as the window shows it.

    `noun` is what the rows are. `columns` are those shown before the person chose (empty: as the table says); `wide`
    takes the room that is left; `empty` says why there may be no row. `live` tables are read again while the crawl
    runs; `follow` keeps the end in view; `order` is the first order; `by_runs` has a choice of runs above it.
    """

    table: str
    title: str
    noun: str
    hint: str
    wide: str = "url"
    empty: str = "Nothing here yet. Rows come while the crawl runs."
    columns: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    order: tuple[str, bool] | None = None
    live: bool = False
    follow: bool = False
    by_host: bool = False
    by_type: bool = False
    by_runs: bool = False


def _is(column: str, *values: str) -> tuple[Option, ...]:
    return tuple(Option(value.replace("_", " ").capitalize(), (Condition(column, "=", value),)) for value in values)


def _status(column: str) -> Choice:
    classes = tuple(
        Option(title, (Condition(column, ">", str(low - 1)), Condition(column, "<", str(low + 100))))
        for title, low in (("2xx", 200), ("3xx redirects", 300), ("4xx client errors", 400), ("5xx server errors", 500))
    )
    return Choice("Status", (Option("Any status"), *classes, Option("No status", (Condition(column, "=", ""),))))


def _starts(column: str, *pairs: tuple[str, str]) -> tuple[Option, ...]:
    return tuple(Option(title, (Condition(column, "starts", word),)) for title, word in pairs)


STATES = tuple(state.label for state in UrlState)
_STATE = Choice("State", (Option("Any state"), *_is("state", *STATES)))
_TYPE = Choice(
    "Type",
    (
        Option("Any type"),
        *_starts("content_type", ("HTML", "text/html"), ("XHTML", "application/xhtml"), ("Plain text", "text/plain")),
        *_starts("content_type", ("PDF", "application/pdf"), ("JSON", "application/json"), ("Images", "image/")),
        Option("No type", (Condition("content_type", "=", ""),)),
    ),
)
_REASON = Choice(
    "Reason",
    (
        Option("Any reason"),
        *_starts("reason", ("Outside the scope", "scope"), ("Pattern", "pattern:"), ("Trap", "trap:")),
        *_starts("reason", *((word.capitalize(), word) for word in LIMITS)),
        *_starts("reason", ("Private address", "private"), ("Extension", "extension"), ("Blocked host", "block-host")),
    ),
)
_LEVEL = Choice("Level", (Option("Any level"), *_is("level", "info", "warning", "error")))
_KIND = Choice("Kind", (Option("Any kind"), *_is("kind", *LOG_KINDS)))
_TARGET = Choice("Target", (Option("Any target state"), *_is("target_state", *STATES, "refused")))
_ACTION = Choice(
    "What changed",
    (
        *_is("action", RecordAction.UPDATED.value, RecordAction.CREATED.value, "gone", "back"),
        Option("Every change"),
    ),
)
_GONE = Choice(
    "Standing",
    (
        Option("All records"),
        Option("Still there", (Condition("gone", "=", ""),)),
        Option("Gone", (Condition("gone", "!=", ""),)),
    ),
)
_SEED_KIND = Choice("Kind", (Option("Any kind"), *_is("kind", "seed", "sitemap", "feed", "archive")))
_SAMENESS = Choice(
    "Kind",
    (
        Option("Any kind"),
        Option("Exact copies", (Condition("kind", "=", "copy"),)),
        Option("Near duplicates", (Condition("kind", "=", "near"),)),
        Option("First of each group", (Condition("kind", "=", "first"),)),
    ),
)
_HOST_STATE = Choice(
    "State", (Option("Any state"), *_is("state", "unreachable", "held"), Option("OK", (Condition("state", "=", ""),)))
)
_HOST_COLUMNS = (
    "host state done failed pending requests status_4xx status_5xx errors last_error delay mean_seconds backoff_until"
)
_URL_COLUMNS = "url status state content_type depth inlinks bytes seconds last_fetched reason"
_LOG_COLUMNS = "at level kind message"
_CHANGE_COLUMNS = "run at type action field old new record_id"

URLS = Shown(
    "urls",
    "All URLs",
    "URLs",
    "Search URL or title, or filter: status = 404",
    columns=tuple(_URL_COLUMNS.split()),
    choices=(_STATE, _status("status"), _TYPE),
    by_host=True,
)
REFUSED = Shown(
    "refused", "Refused", "refused URLs", "Search URL or reason", empty="No URL was refused so far.", choices=(_REASON,)
)
RESPONSES = Shown(
    "responses",
    "Kept",
    "kept responses",
    "Search URL or type, or filter: status = 404",
    empty="No response is kept yet. Whether they are, and how many, stands in Setup.",
    choices=(_status("status"), _TYPE),
)
LINKS = Shown(
    "links", "Links", "links", "Search source, target or text", "target", choices=(_TARGET, _status("target_status"))
)
SEEDS = Shown(
    "seeds",
    "Seeds",
    "sources",
    "Search seeds and problems, or filter: useful = 0",
    "seed",
    empty="No seed yet. Write some in Setup.",
    choices=(_SEED_KIND,),
)
DUPLICATES = Shown(
    "duplicates",
    "Duplicates",
    "pages in groups",
    "Search URL or title, or filter: distance > 3",
    empty="No two pages say the same so far. How near is near stands in Setup, under Pages.",
    choices=(_SAMENESS,),
    order=("group", False),
)
RECORDS = Shown(
    "records",
    "Records",
    "records",
    "Search records, or filter: price > 100",
    empty="No records yet. Declare what a page holds under Records in Setup.",
    choices=(_GONE,),
    by_type=True,
)
CHANGES = Shown(
    "changes",
    "Changes",
    "changes",
    "Search record, field or value",
    "new",
    empty="No known record changed so far. New records stand under “Created”, vanished ones under Records, “Gone”.",
    columns=tuple(_CHANGE_COLUMNS.split()),
    choices=(_ACTION,),
    by_type=True,
    by_runs=True,
)
PAGE_CHANGES = Shown(
    "page_changes",
    "Page changes",
    "changes of pages",
    "Search URL or title",
    empty="No page changed so far. A page is compared each time it is fetched again.",
    order=("at", True),
)
CONFLICTS = Shown("conflicts", "Conflicts", "conflicts", "Search URL, key or reason", by_type=True)
HOSTS = Shown(
    "hosts",
    "Hosts",
    "hosts",
    "Search hosts and last errors, or filter: errors > 0",
    "last_error",
    columns=tuple(_HOST_COLUMNS.split()),
    choices=(_HOST_STATE,),
    order=("host", False),
    live=True,
)
ROBOTS = Shown("robots", "robots.txt", "versions", "Search origin or text", "body", live=True)
LOG = Shown(
    "log",
    "Log",
    "lines",
    "Search the log",
    "message",
    columns=tuple(_LOG_COLUMNS.split()),
    choices=(_LEVEL, _KIND),
    live=True,
    follow=True,
)
ALARMS = Shown(
    "alarms", "Alarms", "alarms", "Search alarms", "message", "No alarm was raised.", order=("raised", True), live=True
)
