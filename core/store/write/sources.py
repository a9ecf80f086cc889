"""Seeds and seed sources: what the analyst wrote, and the sitemaps, feeds and archives that are fetched for more."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.query import rows, value
from core.store.results import FoundLink
from core.store.write.frontier import Context

if TYPE_CHECKING:
    import apsw

    from core.store.results import Purpose, SourceResult
    from core.store.write.frontier import Frontier
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue

DEEPEST = {"sitemap": 3, "archive": 1000}  # indexes within indexes; pages behind pages
FIELDS = "kind, id, origin_id, address, tries, level"


@dataclass(frozen=True, slots=True)
class Source:
    """A source to fetch."""

    kind: Purpose
    id: int
    origin: int
    address: str
    tries: int
    level: int


class Sources:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, frontier: Frontier, queue: Queue) -> None:
        self._connection = connection
        self._hosts = hosts
        self._frontier = frontier
        self._queue = queue
        self._queues: defaultdict[int, deque[Source]] = defaultdict(deque)
        self._later: dict[int, tuple[float, int]] = {}  # source -> due, host
        self._recrawl_began = 0.0  # wall time; 0: this run is none

    def load(self, at: float) -> None:
        """Queue what was left unread; a retry keeps its time."""
        self._queues.clear()
        self._later.clear()
        sql = "SELECT iif(kind = 'recrawl', started, 0) FROM run ORDER BY number DESC LIMIT 1"
        self._recrawl_began = value(self._connection, sql, default=0.0)
        self._connection.execute(  # where the paging of an archive broke off, a recrawl goes on
            "UPDATE seed_source SET state = 'pending', tries = 0, due = 0 "
            "WHERE kind = 'archive' AND state = 'failed' AND fetched < ?",
            (self._recrawl_began,),
        )
        sql = f"SELECT host_id, due, {FIELDS} FROM seed_source WHERE state = 'pending' ORDER BY id"
        for host, due, *fields in rows(self._connection, sql):
            if not self._hosts.by_id(host).ours:
                continue
            if due > at:
                self._later[fields[1]] = (due, host)
                continue
            self._queues[host].append(Source(*fields))
            self._queue.woken.add(host)

    def take(self, host: int) -> Source | None:
        queue = self._queues.get(host)
        return queue.popleft() if queue else None

    def put_back(self, host: int, source: Source) -> None:
        """A source that was taken is not read now."""
        self._queues[host].appendleft(source)
        self._queue.woken.add(host)

    def open_count(self) -> int:
        """How many of the tenant's sources are not read to their end."""
        sql = (
            "SELECT count(*) FROM seed_source JOIN host ON host.id = host_id "
            "WHERE seed_source.state = 'pending' AND tenant = ?"
        )
        count: int = value(self._connection, sql, (self._hosts.tenant,))
        return count

    def wake(self, at: float) -> float | None:
        """Sources whose retry is due are queued again; answers when the next one is due."""
        for number, (due, host) in list(self._later.items()):
            if due <= at:
                del self._later[number]
                self.queue_again(number, host)
        return min((due for due, _ in self._later.values()), default=None)

    def add_seed(self, text: str, found: FoundLink | None, problem: str, at: float) -> bool:
        """A line the analyst typed: queued once, however often the settings are applied; False where it was known."""
        if value(self._connection, "SELECT 1 FROM seed WHERE text = ?", (text,)):
            return False
        number = None
        if found is not None:
            context = Context(0, at, via="seed", seed=True, typed=True)
            number = self._frontier.admit(found, context).target
        self._connection.execute(
            "INSERT INTO seed(text, url_id, problem, at) VALUES (?, ?, ?, ?)",
            (text, number if number and number > 0 else None, problem, at),
        )
        return True

    def add(self, link: FoundLink, *, parent: int | None, level: int, listed: bool) -> bool:
        """A source to read, of the kind that the link says; False where it has been read, or is too deep."""
        address = link.fetch.text
        if level > DEEPEST.get(link.kind, 0):
            return False
        for known in rows(self._connection, "SELECT id FROM seed_source WHERE address = ?", (address,)):
            return self._read_anew(*known)
        host = self._hosts.of(link.key.host)
        origin = self._hosts.origin(host, link.fetch)
        self._connection.execute(
            "INSERT INTO seed_source(kind, address, parent_id, host_id, origin_id, listed, level) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (link.kind, address, parent, host.id, origin.id, int(listed), level),
        )
        self.queue_again(self._connection.last_insert_rowid(), host.id)
        return True

    def _read_anew(self, number: int) -> bool:
        """A recrawl reads what it meets once more: a feed of today names other pages than that of yesterday.

        Not so an archive: what it knows of the past hardly changes, and asking it is dear.
        """
        sql = (
            "UPDATE seed_source SET state = 'pending', tries = 0, due = 0 WHERE id = ? AND state <> 'pending' "
            "AND kind <> 'archive' AND fetched < ? RETURNING host_id"
        )
        began = rows(self._connection, sql, (number, self._recrawl_began))
        for (host,) in began:
            self.queue_again(number, host)
        return bool(began)

    def try_failed_again(self) -> None:
        """The analyst changed the settings, a feed's path say: listed sources and pages of archives are tried again."""
        sql = (
            "UPDATE seed_source SET state = 'pending', tries = 0, due = 0 "
            "WHERE state = 'failed' AND (listed OR kind = 'archive') RETURNING id, host_id"
        )
        for number, host in rows(self._connection, sql):
            self.queue_again(number, host)

    def store(self, result: SourceResult) -> None:
        """A source, or a part of one, was read."""
        number = result.work.id
        if result.retry_at is not None:
            self._connection.execute(
                "UPDATE seed_source SET tries = tries + ?, due = ?, message = ? WHERE id = ?",
                (result.counts, result.retry_at, result.message, number),
            )
            self._later[number] = (result.retry_at, result.work.host)
            return
        context = Context(0, result.answer.at, source=number, via=result.work.purpose)
        new = 0
        for entry in result.entries:
            new += self._frontier.admit(FoundLink(entry.fetch, entry.key), context, entry.lastmod).new
        for child in result.children:
            self.add(child, parent=number, level=result.work.depth + 1, listed=False)
        state = "pending" if not result.done else "failed" if result.failed else "done"
        self._connection.execute(
            "UPDATE seed_source SET state = ?, found = CASE WHEN ? THEN found ELSE 0 END + ?, new = new + ?, "
            "fetched = ?, message = ? WHERE id = ?",  # a source read again after a kill begins its count again
            (state, result.part, len(result.entries), new, result.answer.at, result.message, number),
        )

    def queue_again(self, number: int, host: int) -> None:
        """A source whose reading came to nothing is to be read."""
        sql = f"SELECT {FIELDS} FROM seed_source WHERE id = ?"
        for fields in rows(self._connection, sql, (number,)):
            self._queues[host].append(Source(*fields))
            self._queue.woken.add(host)
