"""The log a person can read: what was decided and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw


class Journal:
    """Written inside the writer's transactions."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def write(
        self, at: float, elapsed: float, level: str, kind: str, message: str, *, host: str = "", url: str = ""
    ) -> None:
        """One line. `at` is a wall time, `elapsed` seconds of running since the crawl began."""
        self._connection.execute(
            "INSERT INTO log(at, elapsed, level, kind, host, url, message) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (at, elapsed, level, kind, host, url, message),
        )
