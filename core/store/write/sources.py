"""Seeds and seed sources: what the analyst wrote, and the sitemaps, feeds and archives that are fetched for more."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.query import rows, value
from core.store.results import FoundLink
from core.store.words import quantity
from core.store.write.frontier import Context
from core.store.write.lastmods import LastMods
from core.store.write.of_tenant import OF_TENANT
from core.urls import Url, parse

if TYPE_CHECKING:
    import apsw

    from core.store.results import Purpose, SourceResult
    from core.store.write.frontier import Frontier
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue

DEEPEST = {"sitemap": 3, "archive": 1000}  # indexes within indexes; pages behind pages
MOST_PAGES = 1000  # of a feed
MOST_REDIRECTS = 5  # beyond the depth of a kind: each to another host
BARRED = "Nothing may be asked of "
ALSO = "source_also."  # in meta, with the source's id behind it: the other kinds it is read as
KNOWN = f"SELECT id, kind FROM seed_source WHERE address = ? AND {OF_TENANT}"
FIELDS = "kind, id, origin_id, address, tries, level"
FIRST = """
WITH RECURSIVE way(parent_id, address, listed) AS (
    SELECT parent_id, address, listed FROM seed_source WHERE id = ? UNION ALL
    SELECT s.parent_id, s.address, s.listed FROM way JOIN seed_source s ON s.id = way.parent_id WHERE NOT way.listed)
SELECT address FROM way WHERE listed OR parent_id IS NULL"""


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
        self._lastmods = LastMods(connection, queue)

    def load(self, at: float, longest: float = float("inf")) -> None:
        """Queue what was left unread; a retry keeps its time, at most `longest` seconds from now."""
        self._queues.clear()
        self._later.clear()
        sql = "SELECT iif(kind = 'recrawl', started, 0) FROM run ORDER BY number DESC LIMIT 1"
        self._recrawl_began = value(self._connection, sql, default=0.0)
        self._connection.execute(  # where the paging of an archive broke off, a recrawl goes on
            "UPDATE seed_source SET state = 'pending', tries = 0, due = 0 "
            "WHERE kind = 'archive' AND state = 'failed' AND fetched < ? AND " + OF_TENANT,
            (self._recrawl_began, self._hosts.tenant),
        )
        sql = f"SELECT host_id, due, {FIELDS} FROM seed_source WHERE state = 'pending' ORDER BY id"
        for host, due, *fields in rows(self._connection, sql):
            if not self._hosts.by_id(host).ours:
                continue
            if due > at:
                self._later[fields[1]] = (min(due, at + longest), host)
                continue
            self._queues[host].append(Source(*fields))
            self._queue.woken.add(host)

    def take(self, host: int) -> Source | None:
        """The host's next source that may be asked; one of a host where nothing may is given up."""
        queue = self._queues.get(host)
        while queue:
            source = queue.popleft()
            if not self._is_barred(source):
                return source
        return None

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
        tenant = self._hosts.tenant
        if value(self._connection, "SELECT 1 FROM seed WHERE tenant = ? AND text = ?", (tenant, text)):
            return False
        number = None
        if found is not None:
            number = self._frontier.admit_seed(found, at).target
        self._connection.execute(
            "INSERT INTO seed(tenant, text, url_id, problem, at) VALUES (?, ?, ?, ?, ?)",
            (tenant, text, number if number and number > 0 else None, problem, at),
        )
        return True

    def add(self, link: FoundLink, *, parent: int | None, level: int, listed: bool) -> bool:
        """A source to read, of the kind that the link says; False where it has been read, or is too deep."""
        address = link.fetch.text
        if _is_too_deep(link, level):
            return False
        for number, kind in rows(self._connection, KNOWN, (address, self._hosts.tenant)):
            if listed:
                self._connection.execute("UPDATE seed_source SET listed = 1 WHERE id = ? AND NOT listed", (number,))
            return (kind != link.kind and self._read_as(number, link.kind)) or self._read_anew(number)
        host = self._hosts.of(link.key.host)
        origin = self._hosts.origin(host, link.fetch)
        self._connection.execute(
            "INSERT INTO seed_source(kind, address, parent_id, host_id, origin_id, listed, level) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (link.kind, address, parent, host.id, origin.id, int(listed), level),
        )
        self.queue_again(self._connection.last_insert_rowid(), host.id)
        return True

    def also(self, number: int) -> tuple[Purpose, ...]:
        """The kinds that a source is to be read as beside its own: the analyst or the site named it twice."""
        kinds: str = value(self._connection, "SELECT value FROM meta WHERE name = ?", (f"{ALSO}{number}",), "")
        return tuple(kinds.split())  # type: ignore[arg-type]  # written below, of a link's kind

    def first_address(self, source: Source) -> str:
        """The address that the analyst wrote for the source of which this is a later page; empty for a first one."""
        if not source.level or source.kind == "archive":
            return ""
        first: str = value(self._connection, FIRST, (source.id,), "")
        return first

    def _read_as(self, number: int, kind: str) -> bool:
        """A source is to be read as one more kind: with the request that is due anyway, else with one more."""
        kinds = self.also(number)
        if kind in kinds:
            return False
        self._connection.execute(
            "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)", (f"{ALSO}{number}", " ".join((*kinds, kind)))
        )
        sql = (
            "UPDATE seed_source SET state = 'pending', tries = 0, due = 0 WHERE id = ? AND state <> 'pending' "
            "RETURNING host_id"
        )
        for (host,) in rows(self._connection, sql, (number,)):
            self.queue_again(number, host)
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
        """The analyst changed the settings, a feed's path say: what was listed is tried again, pages of it too."""
        sql = (
            "UPDATE seed_source SET state = 'pending', tries = 0, due = 0 "
            "WHERE state = 'failed' AND (listed OR kind <> 'sitemap' OR message LIKE ?) "
            f"AND {OF_TENANT} RETURNING id, host_id"
        )
        for number, host in rows(self._connection, sql, (f"{BARRED}%", self._hosts.tenant)):
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
        if not result.part:
            self._frontier.forget_counts(-number)
            if not result.failed:
                self._connection.execute("DELETE FROM mention WHERE source_id = ?", (number,))
        new = self._admit(result)
        message = self._add_children(result)
        state = "pending" if not result.done else "failed" if result.failed else "done"
        self._connection.execute(
            "UPDATE seed_source SET state = ?, found = CASE WHEN ? THEN found ELSE 0 END + ?, new = new + ?, "
            "fetched = ?, message = ? WHERE id = ?",  # a source read again after a kill begins its count again
            (state, result.part, len(result.entries), new, result.answer.at, message, number),
        )
        if result.done and set(self.also(number)) - set(result.work.also):  # named as another kind meanwhile
            self._connection.execute("UPDATE seed_source SET state = 'pending' WHERE id = ?", (number,))
            self.queue_again(number, result.work.host)

    def _is_barred(self, source: Source) -> bool:
        """Whether its host is blocked, or private and not listed: then it is told, and nothing is asked."""
        url = parse(source.address)
        if not isinstance(url, Url) or not (reason := self._frontier.barred(url)):
            return False
        self._connection.execute(
            "UPDATE seed_source SET state = 'failed', message = ? WHERE id = ?",
            (f"{BARRED}{url.host} ({reason}).", source.id),
        )
        return True

    def _admit(self, result: SourceResult) -> int:
        """Bring the URLs to the frontier, and known ones the word of their last change; answers how many were new."""
        at = result.answer.at
        context = Context(0, at, source=result.work.id, via=result.work.purpose)
        new = 0
        named: list[tuple[int, int]] = []
        for entry in result.entries:
            admission = self._frontier.admit(FoundLink(entry.fetch, entry.key), context, entry.lastmod)
            if admission.target <= 0:
                continue
            new += admission.new
            named.append((result.work.id, admission.target))
            if admission.known:
                self._lastmods.heard(admission.target, entry, at, self._recrawl_began)
        self._connection.executemany("INSERT OR IGNORE INTO mention(source_id, url_id) VALUES (?, ?)", named)
        return new

    def _add_children(self, result: SourceResult) -> str:
        """Add the parts and pages that a source leads to; answers its message, which tells those that are too deep."""
        level = result.work.depth + 1
        for child in result.children:
            self.add(child, parent=result.work.id, level=level, listed=False)
        deep = sum(_is_too_deep(child, level) for child in result.children)
        left = f"Left out, because the source goes on too long: {quantity(deep, 'further part')}." if deep else ""
        return " ".join(text for text in (result.message, left) if text)

    def give_back_try(self, number: int) -> None:
        """A source could not be read by a fault that was not its own: that counts no more, nor does giving it up."""
        self._connection.execute("UPDATE seed_source SET tries = max(0, tries - 1) WHERE id = ?", (number,))
        sql = "UPDATE seed_source SET state = 'pending', due = 0 WHERE id = ? AND state = 'failed' RETURNING host_id"
        for (host,) in rows(self._connection, sql, (number,)):
            self.queue_again(number, host)

    def queue_again(self, number: int, host: int) -> None:
        """A source whose reading came to nothing is to be read."""
        sql = f"SELECT {FIELDS} FROM seed_source WHERE id = ?"
        for fields in rows(self._connection, sql, (number,)):
            self._queues[host].append(Source(*fields))
            self._queue.woken.add(host)


def _is_too_deep(link: FoundLink, level: int) -> bool:
    """Whether a source stands too far behind the first one: as a part within parts, or as a page behind pages."""
    if link.rel == "next":
        return level >= MOST_PAGES
    deepest = MOST_PAGES if link.rel == "redirect" and link.kind == "feed" else DEEPEST.get(link.kind, 0)
    return level > deepest + (MOST_REDIRECTS if link.rel == "redirect" else 0)
