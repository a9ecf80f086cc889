"""The file's certificate: what it promises, counted again from its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw

from core.store.lock import holder
from core.store.names import UrlState
from core.store.query import rows, value
from core.store.read.certificates import DEAD, MOST_LISTED, UNCLEAN
from core.store.read.look import look_into
from core.store.read.snapshot import ASKED_EVERY, Interrupted
from core.store.words import quantity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Certificate:
    """`ok` is about what must hold; requests that may have been sent twice at a kill are listed, not a fault."""

    ok: bool
    lost_links: int
    doubled_records: int
    counter_errors: tuple[str, ...]
    possibly_repeated: tuple[str, ...]
    integrity: str  # "ok", or what SQLite found
    kills: int = 0

    def sentences(self) -> tuple[str, ...]:
        """The certificate in plain words."""
        return (
            "The file is intact." if self.integrity == "ok" else f"The file is damaged: {self.integrity}",
            _counted(self.lost_links, "stored link leads", "stored links lead", "to nothing"),
            _counted(self.doubled_records, "record is there", "records are there", "twice"),
            "All counters equal a recount." if not self.counter_errors else "; ".join(self.counter_errors),
            f"{quantity(len(self.possibly_repeated), 'request')} may have been sent twice, "
            f"at {quantity(self.kills, 'unclean end')}.",
        )


def audit(path: Path, cancelled: Callable[[], bool] | None = None) -> Certificate:
    """Check a crawl file in one read transaction; a running engine is not disturbed.

    A large file takes minutes: `cancelled` is asked about once a millisecond, and Interrupted raised when it says yes.
    """
    alive = holder(path) is not None
    with look_into(path) as connection:
        if cancelled is None:
            return _audit(connection, alive=alive)
        connection.set_progress_handler(cancelled, ASKED_EVERY)
        try:
            return _audit(connection, alive=alive)
        except apsw.InterruptError:
            raise Interrupted from None
        finally:
            connection.set_progress_handler(None)


def _audit(connection: apsw.Connection, *, alive: bool) -> Certificate:
    integrity = "; ".join(str(line) for (line,) in rows(connection, "PRAGMA quick_check(10)"))
    lost = value(
        connection,
        "SELECT count(*) FROM link WHERE (target > 0 AND NOT EXISTS (SELECT 1 FROM url WHERE url.id = target)) "
        "OR (target < 0 AND NOT EXISTS (SELECT 1 FROM refused WHERE refused.id = -target))",
    )
    doubled = value(
        connection,
        "SELECT coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n FROM record "
        "GROUP BY tenant, source, type, natural_key HAVING n > 1)",
    )
    errors = tuple(_counter_errors(connection))
    sql = "SELECT address FROM reclaimed ORDER BY id DESC LIMIT ?"
    repeated = [str(address) for (address,) in rows(connection, sql, (MOST_LISTED,))]
    if not alive:  # leases without an engine: what was in flight when it died, until the next start takes it back
        repeated += [str(address) for (address,) in rows(connection, IN_FLIGHT)]
    which = UNCLEAN if alive else f"{UNCLEAN} OR {DEAD}"
    kills = value(connection, f"SELECT count(*) FROM session WHERE {which}", default=0)
    ok = integrity == "ok" and not lost and not doubled and not errors
    return Certificate(ok, lost, doubled, errors, tuple(repeated), integrity, kills)


def _counter_errors(connection: apsw.Connection) -> list[str]:
    """Every counter that differs from what its rows say."""
    found: list[str] = []
    for state in UrlState:
        kept = value(connection, f"SELECT sum({state.label}) FROM host", default=0)
        _compare(found, f"{state.label} URLs", kept, value(connection, COUNT_STATE, (int(state),)))
    for name, sql in RECOUNTS.items():
        _compare(found, name, _counter(connection, name), value(connection, sql, default=0))
    return [*found, *_refusal_errors(connection), *_run_errors(connection), *_alias_errors(connection)]


def _refusal_errors(connection: apsw.Connection) -> list[str]:
    """Every refusal has a row, or is counted by the page that revealed it."""
    kept = dict(rows(connection, "SELECT substr(name, 9), value FROM counter WHERE name LIKE 'refused.%' AND run = 0"))
    stored = dict(rows(connection, REFUSED))
    found: list[str] = []
    for word in sorted(kept.keys() | stored.keys()):
        _compare(found, f"refused for {word}", kept.get(word, 0), stored.get(word, 0))
    return found


def _run_errors(connection: apsw.Connection) -> list[str]:
    """What each run brought, and what the last one did to the records."""
    found: list[str] = []
    sql = f"SELECT run, {', '.join(f'sum({name})' for name in IN_RUN)} FROM capture GROUP BY run"
    for run, *sums in rows(connection, sql):
        for name, recount in zip(IN_RUN, sums, strict=True):
            _compare(found, f"{name} of run {run}", _counter(connection, name, run), recount)
    last = value(connection, "SELECT max(number) FROM run", default=0)
    for action in ("created", "unchanged", "updated"):
        counted = value(connection, "SELECT count(*) FROM record WHERE run = ? AND action = ?", (last, action), 0)
        _compare(found, f"{action} records of run {last}", _counter(connection, action, last), counted)
    return found


def _alias_errors(connection: apsw.Connection) -> list[str]:
    """An alias counts as a page nowhere, and the page it stands for is known and not its alias in turn."""
    found = ((words, value(connection, sql)) for words, sql in ALIASES.items())
    return [f"{count} {words}" for words, count in found if count]


IN_RUN = ("links", "known_links", "new_urls", "useful")
IN_FLIGHT = (
    "SELECT origin.base || coalesce(url.path, ' (' || purpose || ')') "
    "FROM lease JOIN origin ON origin.id = lease.origin_id LEFT JOIN url ON url.id = lease.url_id"
)
REFUSED = (
    "SELECT word, sum(count) FROM (SELECT word, count(*) AS count FROM refused GROUP BY word "
    "UNION ALL SELECT word, count FROM refusal_count) GROUP BY word"
)
COUNT_STATE = "SELECT count(*) FROM url WHERE state = ?"
RECOUNTS = {
    "pages": "SELECT count(*) FROM page",
    "records": "SELECT count(*) FROM record",
    "links": "SELECT sum(links) FROM capture",
    "known_links": "SELECT sum(known_links) FROM capture",
    "new_urls": "SELECT sum(new_urls) FROM capture",
    "useful": "SELECT sum(useful) FROM capture",
    "conflicts": "SELECT count(*) FROM conflict",
    "requests": "SELECT sum(requests) FROM host",
    "bytes": "SELECT sum(bytes) FROM host",
}


ALIASES = {
    "aliases counted as useful": "SELECT count(*) FROM page WHERE alias_of IS NOT NULL AND useful",
    "aliases of no known URL": "SELECT count(*) FROM page WHERE alias_of IS NOT NULL "
    "AND (alias_of = url_id OR NOT EXISTS (SELECT 1 FROM url WHERE id = alias_of))",
    "pages that are aliases of each other": "SELECT count(*) FROM page a JOIN page b ON b.url_id = a.alias_of "
    "WHERE a.alias_of IS NOT NULL AND b.alias_of = a.url_id",
}


def _compare(found: list[str], name: str, kept: Any, counted: Any) -> None:
    if kept != counted:
        found.append(f"{name}: {kept} kept, {counted} counted")


def _counter(connection: apsw.Connection, name: str, run: int = 0) -> int:
    number: int = value(connection, "SELECT value FROM counter WHERE name = ? AND run = ?", (name, run), 0)
    return number


def _counted(number: int, one: str, many: str, rest: str) -> str:
    return f"{number or 'No'} {one if number == 1 or not number else many} {rest}."
