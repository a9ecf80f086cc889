"""The end of a session that could not write it any more: its disk was full, and has a little room again."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from core.store.crawl_file import open_writer
from core.store.faults import translated

if TYPE_CHECKING:
    from pathlib import Path

OPEN = "FROM session WHERE ended IS NULL AND pid = :pid"
STATEMENTS = (
    f"UPDATE run SET state = 'failed', reason = :reason WHERE ended IS NULL AND number IN (SELECT run {OPEN})",
    f"INSERT INTO log(at, level, kind, message) SELECT :at, 'error', 'failure', :reason {OPEN}",
    "UPDATE session SET ended = :at, outcome = 'failed', state = 'failed', reason = :reason "
    "WHERE ended IS NULL AND pid = :pid",
)


def end_failed(path: Path, pid: int, at: float, reason: str) -> None:
    """Close this process's session with the reason, if it is not closed. The caller holds the engine lock.

    Its leases stay, as after a crash: the next start takes them back.
    """
    with translated(path), closing(open_writer(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for statement in STATEMENTS:
            connection.execute(statement, {"pid": pid, "at": at, "reason": reason})
        connection.execute("COMMIT")
