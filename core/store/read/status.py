"""One consistent look at a crawl: its state, counts and ratios, as `fronteira status` prints them.

Every count is exact after any number of kills: it changed in the transaction that stored what it counts, or it is
computed here from rows.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from core.policy.schedule import next_run
from core.settings import Recrawl
from core.store.names import FRONTIER_STATES, CrawlState, UrlState, WishKind
from core.store.query import row, rows, value
from core.store.read.certificates import read_certificate
from core.store.read.look import look
from core.store.rows import AlarmRow, Holder, Status
from core.store.session_wishes import wished_since
from core.store.times import iso, iso_or_none

if TYPE_CHECKING:
    from pathlib import Path

    import apsw

LAST_PAGES = 1_000  # the discovery ratio looks at so many
DIED = "error: the engine ended without a word"
ACTIONS = ("created", "unchanged", "updated", "conflicts")
FIXED_NAMES = (
    "state reason run urls pages requests not_modified records record_actions bytes frontier discovery_ratio "
    "duplicate_rate content_duplicate_rate bytes_per_useful_page requests_per_record refusals alarms hosts engine"
).split()
_HOST_SUMS = (
    *(state.label for state in UrlState),
    *("status_2xx", "status_3xx", "status_4xx", "status_5xx", "errors"),
)


@dataclass(frozen=True, slots=True)
class LastRun:
    """The current or last run with its last session, as the rows have it. `session_pid` is None before a session."""

    number: int = 0
    started: float | None = None
    ended: float | None = None
    state: str = ""
    reason: str = ""
    session_pid: int | None = None
    session_started: float = 0
    session_ended: float | None = None
    session_state: str = ""
    session_outcome: str = ""
    session_reason: str = ""


def read_status(connection: apsw.Connection, path: Path, engine: Holder | None) -> Status:
    """The status in one read transaction; `engine` is who holds the lock."""
    with look(connection):
        return _read(connection, path, engine)


def status_json(status: Status) -> dict[str, Any]:
    """The stable output of `fronteira status --json`: the fixed names first, then what there is beyond them."""
    whole = asdict(status)
    whole["alarms"] = [
        {"kind": alarm.kind, "pattern": alarm.pattern, "host": alarm.host, "message": alarm.message}
        for alarm in status.alarms
    ]
    if status.certificate is not None:
        whole["certificate"]["at"] = iso_or_none(status.certificate.at)
    whole["next_run"] = iso_or_none(status.next_run)
    whole["started"], whole["ended"] = iso_or_none(status.started), iso_or_none(status.ended)
    if status.engine is not None:
        whole["engine"] = {"pid": status.engine.pid, "since": iso(status.engine.since)}
    return {name: whole[name] for name in (*FIXED_NAMES, *(name for name in whole if name not in FIXED_NAMES))}


def state_of(run: LastRun, engine: Holder | None, *, stop_asked: bool, killed: bool) -> tuple[CrawlState, str]:
    """The state of a crawl and its reason, by the rule of the stable outputs.

    A run that has not ended and that no engine holds has crashed, unless its session ended in order (it was stopped)
    or the window killed it.
    """
    if run.number == 0:
        return (CrawlState.RUNNING, "") if engine else (CrawlState.IDLE, "")
    live = run.ended is None and run.session_ended is None
    if live and engine:
        return _running(run, stop_asked=stop_asked)
    if live and run.session_pid is not None:
        last_word = run.session_reason if run.session_state != CrawlState.OFFLINE else ""
        return (CrawlState.STOPPED, "killed") if killed else (CrawlState.CRASHED, last_word or DIED)
    return _ended(run)


def _running(run: LastRun, *, stop_asked: bool) -> tuple[CrawlState, str]:
    if stop_asked or run.session_state == CrawlState.STOPPING:
        return CrawlState.STOPPING, run.session_reason or "stop"
    offline = run.session_state == CrawlState.OFFLINE
    return (CrawlState.OFFLINE if offline else CrawlState.RUNNING), run.session_reason


def _ended(run: LastRun) -> tuple[CrawlState, str]:
    reason = run.reason or run.session_reason
    if run.session_outcome in {"crashed", "failed"}:
        return CrawlState.CRASHED, reason or DIED
    if run.session_outcome == "killed":
        return CrawlState.STOPPED, "killed"
    finished = CrawlState.FINISHED in (run.state, run.session_outcome) and run.state != CrawlState.STOPPED
    return (CrawlState.FINISHED if finished else CrawlState.STOPPED), reason


def _read(connection: apsw.Connection, path: Path, engine: Holder | None) -> Status:
    run = _last_run(connection)
    state, reason = state_of(run, engine, **_wishes(connection, run.session_started))
    counted, of_run = _counters(connection, 0), _counters(connection, run.number)
    hosts, sums = _host_sums(connection)
    refusals = {name.removeprefix("refused."): n for name, n in counted.items() if name.startswith("refused.") and n}
    urls = {label: sums[label] for label in (state.label for state in UrlState)} | {"refused": sum(refusals.values())}
    requests, records = counted.get("requests", 0), counted.get("records", 0)
    useful = counted.get("useful", 0)
    return Status(
        name=_name(connection) or path.stem,
        state=str(state),
        reason=reason,
        run=run.number,
        urls=urls,
        pages=counted.get("pages", 0),
        requests=requests,
        not_modified=counted.get("not_modified", 0),
        records=records,
        record_actions={action: of_run.get(action, 0) if run.number else 0 for action in ACTIONS},
        bytes=counted.get("bytes", 0),
        frontier=sum(urls[state.label] for state in FRONTIER_STATES),
        discovery_ratio=_discovery_ratio(connection),
        duplicate_rate=_ratio(counted.get("known_links", 0), counted.get("links", 0)),
        content_duplicate_rate=_ratio(counted.get("duplicate_bodies", 0), counted.get("bodies", 0)),
        bytes_per_useful_page=_ratio(counted.get("bytes", 0), useful),
        requests_per_record=_ratio(requests, records),
        refusals=refusals,
        alarms=read_alarms(connection),
        hosts=hosts,
        engine=engine,
        started=run.started,
        ended=run.ended,
        elapsed=value(connection, "SELECT sum(seconds) FROM session", default=0.0),
        run_elapsed=value(connection, "SELECT sum(seconds) FROM session WHERE run = ?", (run.number,), 0.0),
        pages_per_second=_pace(connection) if engine else None,
        useful_pages=useful,
        errors=sums["errors"],
        statuses={name.removeprefix("status_"): n for name, n in sums.items() if name.startswith("status_")},
        settings_version=value(connection, "SELECT max(version) FROM setting", default=0),
        file_bytes=_size(path),
        wal_bytes=_size(path.with_name(f"{path.name}-wal")),
        certificate=read_certificate(connection, alive=engine is not None),
        next_run=next_run(run.started, _schedule(connection)),
    )


def read_alarms(connection: apsw.Connection) -> tuple[AlarmRow, ...]:
    """The alarms that stand: neither cleared by the engine nor acknowledged by the analyst."""
    found = rows(
        connection,
        "SELECT id, kind, pattern, host, message, raised FROM alarm "
        "WHERE cleared IS NULL AND acknowledged IS NULL ORDER BY id",
    )
    return tuple(AlarmRow(*alarm) for alarm in found)


def _last_run(connection: apsw.Connection) -> LastRun:
    found = row(
        connection,
        "SELECT r.number, r.started, r.ended, r.state, r.reason, s.pid, coalesce(s.started, 0), s.ended, "
        "coalesce(s.state, ''), coalesce(s.outcome, ''), coalesce(s.reason, '') "
        "FROM run r LEFT JOIN session s ON s.run = r.number ORDER BY r.number DESC, s.id DESC LIMIT 1",
    )
    return LastRun(*found) if found else LastRun()


def _wishes(connection: apsw.Connection, since: float) -> dict[str, bool]:
    """Whether a stop is wished and not done, and whether the window killed, since the session began."""
    return {
        "stop_asked": wished_since(connection, WishKind.STOP, since, still_open=True),
        "killed": wished_since(connection, WishKind.KILL, since),
    }


def _counters(connection: apsw.Connection, run: int) -> dict[str, int]:
    return dict(rows(connection, "SELECT name, value FROM counter WHERE run = ?", (run,)))


def _host_sums(connection: apsw.Connection) -> tuple[int, dict[str, int]]:
    sums = ", ".join(f"coalesce(sum({name}), 0)" for name in _HOST_SUMS)
    count, *found = row(connection, f"SELECT count(*), {sums} FROM host")
    return count, dict(zip(_HOST_SUMS, found, strict=True))


def _discovery_ratio(connection: apsw.Connection) -> float | None:
    last = "SELECT new_urls FROM capture WHERE led_to IS NULL ORDER BY id DESC LIMIT ?"
    pages, new = row(connection, f"SELECT count(*), sum(new_urls) FROM ({last})", (LAST_PAGES,))
    return _ratio(new or 0, pages)


def _pace(connection: apsw.Connection) -> float | None:
    pace: float | None = value(connection, "SELECT pages_per_second FROM sample ORDER BY id DESC LIMIT 1")
    return pace


def _name(connection: apsw.Connection) -> str:
    text: str = value(connection, "SELECT json ->> '$.name' FROM setting ORDER BY version DESC LIMIT 1", default="")
    return text


def _schedule(connection: apsw.Connection) -> Recrawl:
    sql = "SELECT json ->> '$.recrawl.every', json ->> '$.recrawl.at' FROM setting ORDER BY version DESC LIMIT 1"
    every, at = row(connection, sql) or (0, "")
    return Recrawl(every=int(every or 0), at=str(at or ""))


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
