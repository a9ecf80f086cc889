"""Runs and sessions: where a start takes up what the last one left, however that one ended.

A session is one engine process. One that has no end when the next begins was killed: its leases are taken back.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw

from core.errors import EngineHeld
from core.store.names import RECKONING, WishKind
from core.store.query import row, rows, value
from core.store.session_wishes import WISHED_BEFORE, wished_since

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.write.leases import Leases


@dataclass(frozen=True, slots=True)
class Begun:
    """What a session found when it began. `interrupted` is the number of leases taken back, None after a clean end."""

    session: int
    run: int
    new_run: bool
    interrupted: int | None
    elapsed: float  # seconds of running in all earlier sessions
    last_outcome: str = ""  # of the session before: killed, crashed, or as it ended


class Sessions:
    """Used by the lock's holder alone, inside the writer's transactions."""

    def __init__(self, connection: apsw.Connection, leases: Leases, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._leases = leases

    def begin(self, pid: int, at: float, *, recrawl: bool) -> Begun:
        """Open a session: on the run that has not ended, or on a new one.

        A recrawl takes up a run with work left, and ends one that only lacks what it may not, or cannot, have: else a
        host that is away for good would keep the others from ever being crawled again.
        """
        interrupted = self.close_dead(at)
        run, new_run = self._run(at, recrawl=recrawl)
        self._connection.execute(
            "INSERT INTO session(run, pid, started, state) VALUES (?, ?, ?, 'running')", (run, pid, at)
        )
        session = self._leases.session = self._connection.last_insert_rowid()
        self._connection.execute(
            "INSERT OR REPLACE INTO meta(name, value) SELECT ?, coalesce(max(id), 0) FROM wish", (WISHED_BEFORE,)
        )
        elapsed: float = value(self._connection, "SELECT sum(seconds) FROM session", default=0.0)
        last = value(
            self._connection, "SELECT outcome FROM session WHERE id < ? ORDER BY id DESC LIMIT 1", (session,), ""
        )
        return Begun(session, run, new_run, interrupted, elapsed, last or "")

    def outside(self) -> Begun:
        """What stands for a session where rows are only brought in line."""
        run: int = value(self._connection, "SELECT max(number) FROM run", default=0)
        return Begun(0, run, False, None, value(self._connection, "SELECT sum(seconds) FROM session", default=0.0))

    def refuse_stranger(self, session: int) -> None:
        """Raises EngineHeld where a later session has begun: the lock file was deleted, or the file has two names."""
        newest = row(self._connection, "SELECT id, pid FROM session ORDER BY id DESC LIMIT 1")
        if session and newest is not None and newest[0] != session:
            raise EngineHeld(newest[1], None)

    def has_open_run(self) -> bool:
        return row(self._connection, "SELECT 1 FROM run WHERE ended IS NULL LIMIT 1") is not None

    def tick(self, session: int, seconds: float, state: str, reason: str = "") -> None:
        """Note how long the session has run, and what it is doing."""
        self._connection.execute(
            "UPDATE session SET seconds = ?, state = ?, reason = ? WHERE id = ?", (seconds, state, reason, session)
        )

    def end(self, begun: Begun, at: float, seconds: float, outcome: str, reason: str) -> None:
        """Close the session; `finished` ends the run too, everything else leaves it open."""
        self._connection.execute(
            "UPDATE session SET ended = ?, seconds = ?, outcome = ?, reason = ?, state = ? WHERE id = ?",
            (at, seconds, outcome, reason, outcome, begun.session),
        )
        self._connection.execute(
            "UPDATE run SET state = ?, reason = ?, ended = CASE WHEN ? = 'finished' THEN ? END WHERE number = ?",
            (outcome, reason, outcome, at, begun.run),
        )

    def close_dead(self, at: float) -> int | None:
        """Take back the leases of sessions that were killed: how many, None where none was."""
        dead = rows(self._connection, "SELECT id FROM session WHERE ended IS NULL")
        leases = self._leases.take_back_all(at)
        for (session,) in dead:
            started = value(self._connection, "SELECT started FROM session WHERE id = ?", (session,))
            outcome = "killed" if wished_since(self._connection, WishKind.KILL, started) else "crashed"
            self._connection.execute(
                "UPDATE session SET ended = ?, outcome = ?, state = ? WHERE id = ?", (at, outcome, outcome, session)
            )
        return leases if dead or leases else None

    def _run(self, at: float, *, recrawl: bool) -> tuple[int, bool]:
        open_run: int | None = value(self._connection, "SELECT max(number) FROM run WHERE ended IS NULL")
        if open_run is not None and recrawl and not self._has_work_left(open_run):
            self._connection.execute("UPDATE run SET ended = ? WHERE number = ?", (at, open_run))
            open_run = None
        if open_run is not None:
            self._connection.execute("UPDATE run SET state = 'running', reason = '' WHERE number = ?", (open_run,))
            return open_run, False
        kind = "recrawl" if recrawl else "crawl"
        self._connection.execute(
            "INSERT INTO run(kind, started, state, reason) VALUES (?, ?, 'running', '')", (kind, at)
        )
        return self._connection.last_insert_rowid(), True

    def _has_work_left(self, run: int) -> bool:
        """Whether the tenant has a frontier, or the run has fetched nothing yet, or was cut off in its reckoning."""
        sql = "SELECT sum(pending + leased + waiting) FROM host WHERE tenant = ?"
        if value(self._connection, sql, (self._tenant,), 0):
            return True
        began = "SELECT 1 FROM meta WHERE name = ? AND value ->> 'run' = ? AND value ->> 'part' <> 'over'"
        if value(self._connection, began, (RECKONING, run)):
            return True
        return not value(self._connection, "SELECT count(*) FROM page")


def leave_word(path: Path, pid: int, reason: str) -> None:
    """Note why an engine ends without an end, on a connection of its own: its writer may be in a transaction.

    Waits half a second for it at the most, and gives up in silence: the process ends either way.
    """
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.setbusytimeout(500)
    with suppress(apsw.Error):
        connection.execute(
            "UPDATE session SET state = 'stopping', reason = ? WHERE ended IS NULL AND pid = ?", (reason, pid)
        )
