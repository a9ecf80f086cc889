"""What a window or a command asks of the engine, left in the crawl file: the engine looks four times a second.

Each wish is one short transaction on a connection of its own. It waits up to five seconds for the engine's writer,
then FileLocked; DiskFull and ReadOnlyFile tell the rest. One Wishes a thread.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from core.errors import Problem, SettingsError
from core.settings import decode
from core.store.crawl_file import connect
from core.store.faults import translated
from core.store.lock import holder
from core.store.names import KEYED_BY, WishKind
from core.store.query import value
from core.store.stored_settings import stored
from core.urls import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import apsw

    from core.settings import CrawlSettings


RULES_STAND = (
    "this crawl runs, and which spellings count as one page changes only while nothing runs it. "
    "Stop it first, or leave the section as it was."
)


class Wishes:
    """`now` gives seconds since the epoch."""

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self._path = path
        self._now = now
        self._database = connect(path, query_only=False)
        self._connection: apsw.Connection = self._database.connection()

    def stop(self) -> int:
        """Finish what is in flight and keep the rest."""
        return self._wish(WishKind.STOP)

    def kill(self) -> int:
        """Note that the window kills the engine: the signal itself is sent by whoever calls this, right after.

        It is done as soon as it is written, for no engine will live to say so.
        """
        return self._wish(WishKind.KILL, done=True)

    def keep(self) -> int:
        """Go on crawling when the window closes."""
        return self._wish(WishKind.KEEP)

    def release(self) -> int:
        """Ask the hosts again whose pages led to a login or a portal. A crawl that is not run does so as it starts."""
        return self._wish(WishKind.RELEASE)

    def confirm(self) -> int:
        """Believe that what vanished, many pages at once, is gone."""
        return self._wish(WishKind.CONFIRM)

    def set_settings(self, settings: CrawlSettings) -> int:
        """Put settings in force, also while a crawl runs; their version. The same settings again make no new one.

        Raises SettingsError where they would give known URLs other keys while an engine has them in hand; else the
        next `run` or `apply` brings the keys in line.
        """
        text = stored(settings)
        with self._transaction() as connection:
            version: int = value(connection, "SELECT max(version) FROM setting", default=0)
            before = value(connection, "SELECT json FROM setting WHERE version = ?", (version,))
            if before == text:
                return version
            if _compares_otherwise(before, settings):
                self._change_rules(connection, version)
            connection.execute(
                "INSERT INTO setting(version, at, json) VALUES (?, ?, ?)", (version + 1, self._now(), text)
            )
            return version + 1

    def acknowledge_alarm(self, number: int) -> None:
        """The analyst has seen the alarm: it is shown no more. Doing it twice keeps the first time."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE alarm SET acknowledged = ? WHERE id = ? AND acknowledged IS NULL", (self._now(), number)
            )

    def close(self) -> None:
        """Let go of the file; the wishes stay in it."""
        self._database.close()

    def _change_rules(self, connection: apsw.Connection, version: int) -> None:
        """Note whose rules the keys follow, if that does not stand there from an earlier change."""
        if holder(self._path) is not None and value(connection, "SELECT 1 FROM url LIMIT 1"):
            raise SettingsError((Problem("normalise", RULES_STAND),))
        connection.execute("INSERT OR IGNORE INTO meta(name, value) VALUES (?, ?)", (KEYED_BY, str(version)))

    def _wish(self, kind: WishKind, *, done: bool = False) -> int:
        """One row; its id."""
        now = self._now()
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO wish(at, kind, done) VALUES (?, ?, ?)",
                (now, kind, now if done else None),
            )
            return connection.last_insert_rowid()

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        # IMMEDIATE: a transaction that reads first and writes then fails at once, whatever the timeout.
        with translated(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if not self._connection.get_autocommit():
                    self._connection.execute("ROLLBACK")
                raise


def _compares_otherwise(before: str, settings: CrawlSettings) -> bool:
    """Whether the new settings would give known URLs other keys."""
    return Rules.of(decode(before).normalise) != Rules.of(settings.normalise)
