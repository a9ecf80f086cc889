"""What the window and the command line know of a crawl: they ask here, and nowhere else.

A Reader never changes the file and never keeps a cursor open, so it does not hold up the engine's checkpoints. One
Reader a thread; close it in that thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import CrawlSettings, decode
from core.store.crawl_file import connect
from core.store.faults import translated
from core.store.lock import holder
from core.store.names import CrawlState, UrlState
from core.store.query import rows, value
from core.store.read.details import read_details, read_in_links, read_out_links
from core.store.read.functions import register
from core.store.read.status import read_alarms, read_status
from core.store.rows import HostRow, LogRow, SampleRow, SeedRow
from core.store.schema import Host, Log, Sample, Seed, Url

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    import apsw

    from core.store.rows import AlarmRow, Holder, LinkRow, Status, UrlDetails

LEVELS = ("info", "warning", "error")
MARKED = ("start", "stop", "kill", "settings", "finish", "offline", "online")


class Reader:
    """Raises the FileError that fits when the file cannot be opened, and StorageErrors when reading fails."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = connect(path)
        self._connection: apsw.Connection = self._database.connection()
        self._seen: tuple[int, Holder | None] | None = None
        self._settings: tuple[int, CrawlSettings] = (0, CrawlSettings())

    def changed(self) -> bool:
        """Whether anything was committed, or an engine came or went, since the last call; yes at the first."""
        with translated(self._path):
            seen = (value(self._connection, "PRAGMA data_version"), holder(self._path))
        moved, self._seen = seen != self._seen, seen
        return moved

    def status(self) -> Status:
        """One consistent look. A crash is believed at the second look: an engine may just have come or gone."""
        with translated(self._path):
            status = read_status(self._connection, self._path, holder(self._path))
            if status.state == CrawlState.CRASHED:
                status = read_status(self._connection, self._path, holder(self._path))
        return status

    def settings(self) -> tuple[int, CrawlSettings]:
        """The settings in force with their version."""
        with translated(self._path):
            newest = value(self._connection, "SELECT max(version) FROM setting")
            if newest != self._settings[0]:
                text = value(self._connection, "SELECT json FROM setting WHERE version = ?", (newest,))
                self._settings = (newest, decode(text))
        return self._settings

    def samples(self, after_id: int = 0) -> tuple[SampleRow, ...]:
        """The points of the charts behind that id, oldest first."""
        return tuple(SampleRow(*found) for found in self._all(Sample.select().where(Sample.id > after_id)))

    def marks(self) -> tuple[LogRow, ...]:
        """What the charts mark: starts, stops, kills, changes of the settings, ends, offline times; oldest first."""
        return tuple(LogRow(*found) for found in self._all(Log.select().where(Log.kind.in_(MARKED)).order_by(Log.id)))

    def log(
        self,
        after_id: int = 0,
        before_id: int | None = None,
        limit: int = 500,
        level: str = "",
        kind: str = "",
        text: str = "",
    ) -> tuple[LogRow, ...]:
        """The newest `limit` lines between the two ids, oldest first.

        `level` is the least that is shown; `text` stands in the message, URL or host.
        """
        wanted = [Log.id > after_id]
        if before_id is not None:
            wanted.append(Log.id < before_id)
        if level:
            wanted.append(Log.level.in_(LEVELS[LEVELS.index(level) :]))
        if kind:
            wanted.append(Log.kind == kind)
        if text:
            wanted.append(Log.message.contains(text) | Log.url.contains(text) | Log.host.contains(text))
        found = self._all(Log.select().where(*wanted).order_by(Log.id.desc()).limit(limit))
        return tuple(LogRow(*line) for line in reversed(found))

    def recent_urls(self, limit: int = 500) -> list[str]:
        """The fetch forms of the URLs that were found last, the newest first."""
        newest = "SELECT o.base || u.path FROM url u JOIN origin o ON o.id = u.origin_id ORDER BY u.id DESC LIMIT ?"
        with translated(self._path):
            return [url for (url,) in rows(self._connection, newest, (limit,))]

    def url_details(self, number: int) -> UrlDetails | None:
        """Everything about a URL, with the chain that leads to it from its seed; None when there is no such URL."""
        with translated(self._path):
            register(self._connection, self.settings()[1])
            return read_details(self._connection, number)

    def in_links(self, number: int, limit: int = 500) -> tuple[LinkRow, ...]:
        """Who links to this URL: which pages lead to this 404?"""
        with translated(self._path):
            return read_in_links(self._connection, number, limit)

    def out_links(self, number: int, limit: int = 500) -> tuple[LinkRow, ...]:
        """Where this page links to, what was refused at the door included."""
        with translated(self._path):
            return read_out_links(self._connection, number, limit)

    def seeds(self) -> tuple[SeedRow, ...]:
        """The lines the analyst typed, in their order."""
        query = Seed.select(Seed.id, Seed.text, Seed.url, Seed.problem, Url.state).order_by(Seed.id)
        found = self._all(query.left_outer_join(Url, on=Seed.url == Url.id))
        return tuple(
            SeedRow(number, text, url, problem, "" if state is None else UrlState(state).label)
            for number, text, url, problem, state in found
        )

    def hosts_brief(self) -> tuple[HostRow, ...]:
        """Every host at a glance, the busiest first."""
        frontier = Host.pending + Host.leased + Host.waiting
        columns = (Host.done, Host.failed, Host.requests, Host.bytes, Host.errors, Host.delay, Host.backoff_until)
        query = Host.select(Host.id, Host.name, Host.state, frontier, *columns, Host.last_error)
        return tuple(HostRow(*found) for found in self._all(query.order_by(Host.requests.desc(), Host.id)))

    def due(self, at: float) -> tuple[int, float | None]:
        """How many answered URLs a recrawl would ask again at this wall time, and when the next one is due."""
        sql = "SELECT {what} FROM url WHERE state IN (3, 4, 8) AND due IS NOT NULL AND due {when} ?"
        with translated(self._path):
            number = value(self._connection, sql.format(what="count(*)", when="<="), (at,), 0)
            return number, value(self._connection, sql.format(what="min(due)", when=">"), (at,))

    def alarms(self) -> tuple[AlarmRow, ...]:
        """The alarms that stand, oldest first."""
        with translated(self._path):
            return read_alarms(self._connection)

    def close(self) -> None:
        """To be called by the thread that made it."""
        self._database.close()

    def _all(self, query: Any) -> list[Any]:
        with translated(self._path):
            return list(query.tuples().execute(self._database))
