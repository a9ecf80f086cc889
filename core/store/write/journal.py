"""The log a person can read: what was decided and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.words import in_one_line

if TYPE_CHECKING:
    import apsw


class Journal:
    """Written inside the writer's transactions."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def write(
        self, at: float, elapsed: float, level: str, kind: str, message: str, *, host: str = "", url: str = ""
    ) -> None:
        """One line, whatever a page put in. `at` is a wall time, `elapsed` seconds of running since the crawl began."""
        self._connection.execute(
            "INSERT INTO log(at, elapsed, level, kind, host, url, message) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (at, elapsed, level, kind, in_one_line(host), in_one_line(url), in_one_line(message)),
        )
