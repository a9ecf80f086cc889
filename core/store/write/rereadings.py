"""Pages whose links are read again, because other rules may let in what was refused and only counted (4.5).

Where a page's response is kept, the engine parses it once more, without a request, and what it links to is admitted as
at first. Where there is none, the page is due, and asked for without a condition. A few pages are in hand at a time; a
mark (refusal_counts.py) stays until its page was read, so that a kill loses none, and a page that was fetched
meanwhile is not read from what it was before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.names import UrlState
from core.store.query import row, rows
from core.store.results import FoundLink, StoredPage
from core.store.write.frontier import Context
from core.store.write.refusal_counts import MARKED
from core.urls import Rules, Url, fetch_form, key_form, parse

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.responses import Responses
    from core.store.results import PageReadAgain, Parsed
    from core.store.write.frontier import Frontier
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue
    from core.store.write.refusal_counts import RefusalCounts
    from core.store.write.sources import Sources

IN_HAND = 8  # pages, so that memory is bounded by as many bodies
PIECE = 200  # pages looked at in a transaction

PAGES = f"""
SELECT url.id, origin_id, path, iif(redirect_to IS NULL, response, NULL)
FROM (SELECT DISTINCT found_on AS page FROM refusal_count WHERE again = {MARKED} AND found_on > 0)
CROSS JOIN url ON url.id = page CROSS JOIN host ON host.id = url.host_id
LEFT JOIN page AS answer ON answer.url_id = url.id
WHERE tenant = ? LIMIT ?"""  # CROSS: in this order, so that a look costs what it finds
SOURCES = f"""
SELECT seed_source.id, host_id FROM (SELECT DISTINCT -found_on AS source FROM refusal_count
    WHERE again = {MARKED} AND found_on < 0)
CROSS JOIN seed_source ON seed_source.id = source CROSS JOIN host ON host.id = host_id WHERE tenant = ? LIMIT ?"""
LINK = "INSERT OR REPLACE INTO link(source, target, text, rel, kind) VALUES (?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Marked:
    """A page whose links are to be read again."""

    id: int
    origin: int
    path: str
    response: bytes | None


class Rereadings:
    """Used by the writer's thread inside its transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        hosts: Hosts,
        frontier: Frontier,
        queue: Queue,
        sources: Sources,
        counts: RefusalCounts,
        responses: Responses,
    ) -> None:
        self._connection = connection
        self._hosts = hosts
        self._frontier = frontier
        self._queue = queue
        self._sources = sources
        self._counts = counts
        self._responses = responses
        self._in_hand: set[int] = set()
        self._settings: CrawlSettings

    def use(self, settings: CrawlSettings) -> None:
        """These settings count from now on."""
        self._settings = settings

    @property
    def are_open(self) -> bool:
        """Whether pages or sources of this tenant are marked, those in hand among them."""
        if not self._counts.are_any:
            return False
        tenant = (self._hosts.tenant, 1)
        return bool(rows(self._connection, PAGES, tenant) or rows(self._connection, SOURCES, tenant))

    def next(self) -> tuple[StoredPage, ...]:
        """Pages for the engine to parse; those without a kept response, and sources, are due after this."""
        if not self._counts.are_any:
            return ()
        for source, host in rows(self._connection, SOURCES, (self._hosts.tenant, PIECE)):
            self._ask_source(source, host)
        taken: list[StoredPage] = []
        if len(self._in_hand) == IN_HAND:
            return ()
        for fields in rows(self._connection, PAGES, (self._hosts.tenant, PIECE)):
            if len(self._in_hand) == IN_HAND:
                break
            marked = Marked(*fields)
            if marked.id not in self._in_hand:
                taken += self._take(marked)
        return tuple(taken)

    def store(self, result: PageReadAgain, at: float) -> None:
        """What a page's stored response says now; the page is due where that cannot be read any more."""
        number = result.page.id
        self._in_hand.discard(number)
        if not self._counts.is_marked(number):  # it was fetched meanwhile
            return
        if result.parsed is None or result.parsed.soft_block:
            self._ask(number)
            return
        (depth,) = row(self._connection, "SELECT depth FROM url WHERE id = ?", (number,))
        self._counts.forget(number)
        if self._follows(number):
            self._bring_links(number, result.parsed, Context(depth + 1, at, number))
        self._bring_canonical(result.parsed, Context(depth, at, number, via="canonical"))

    def _take(self, marked: Marked) -> list[StoredPage]:
        response = self._responses.read(marked.response) if marked.response is not None else None
        if response is None:
            self._ask(marked.id)
            return []
        self._in_hand.add(marked.id)
        return [StoredPage(marked.id, self._hosts.url(marked.origin, marked.path), response)]

    # -- with its next answer ---------------------------------------------------------------------------------------

    def _ask(self, number: int) -> None:
        """One that is in the frontier is asked for anyway; one that may not be asked for now, as soon as it may."""
        self._counts.put_off(number)
        sql = "SELECT host_id, origin_id, path, state FROM url WHERE id = ? AND state IN (3, 4)"
        host, origin, path, state = row(self._connection, sql, (number,)) or (0, 0, "", UrlState.PENDING)
        if state == UrlState.PENDING or self._frontier.excluded(number, origin, path):
            return
        if self._queue.move(number, host, UrlState(state), UrlState.PENDING, None):
            self._connection.execute("UPDATE url SET tries = 0, reclaims = 0 WHERE id = ?", (number,))

    def _ask_source(self, number: int, host: int) -> None:
        self._counts.put_off(-number)
        sql = "UPDATE seed_source SET state = 'pending', tries = 0, due = 0 WHERE id = ? AND state <> 'pending'"
        self._connection.execute(sql, (number,))
        if self._connection.changes():
            self._sources.queue_again(number, host)

    # -- from what is kept ------------------------------------------------------------------------------------------

    def _follows(self, number: int) -> bool:
        """The links of an exact copy are followed by choice."""
        sql = "SELECT 1 FROM page WHERE url_id = ? AND duplicate_of IS NOT NULL"
        return self._settings.pages.follow_duplicates or row(self._connection, sql, (number,)) is None

    def _bring_links(self, number: int, parsed: Parsed, context: Context) -> None:
        graph: dict[int, tuple[int, int, str, str, str]] = {}
        links: dict[str, FoundLink] = {}
        for link in parsed.links:
            links.setdefault(link.key.text, link)
        for link in links.values():
            target = self._frontier.admit(link, context).target
            if target:
                graph.setdefault(target, (number, target, link.text, link.rel, link.kind))
        for target, skipped in self._frontier.skip(parsed.skipped, context):
            if target:
                graph.setdefault(target, (number, target, skipped.text, skipped.rel, skipped.kind))
        if self._settings.pages.link_graph:
            self._connection.execute("DELETE FROM link WHERE source = ? AND kind <> 'redirect'", (number,))
            self._connection.executemany(LINK, graph.values())

    def _bring_canonical(self, parsed: Parsed, context: Context) -> None:
        """The page it names is queued where it may be; believing it needs the page's next answer."""
        if not self._settings.normalise.canonical or parsed.canonical is None or " " in parsed.canonical:
            return
        url = parse(parsed.canonical)
        if isinstance(url, Url):
            rules = Rules.of(self._settings.normalise)
            found = FoundLink(fetch_form(url, rules), key_form(url, rules), kind="canonical")
            self._frontier.admit(found, context)
