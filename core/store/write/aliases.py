"""Aliases: pages that name another page as their canonical one (RFC 6596). It is the site's own word, and can be wrong.

A page believed to be an alias keeps its row and its links and is not useful by itself; the page it names is queued. A
page in a ring (two pages that name each other, a page that redirects to its own alias) is nobody's alias. Where
MOST_CONTENTS pages of different content name one canonical, it is believed of none of them, for good: the alarm's row
is where that is remembered. What was believed too early is undone in the transaction that finds it out, and in pieces
after it where that is much.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.query import row, rows, value
from core.store.results import FoundLink
from core.store.write.adoptions import Adoptions, Returning
from core.store.write.copies import Copies
from core.store.write.frontier import Context
from core.store.write.remarks import Remark
from core.urls import Rejected, Rules, Url, fetch_form, key_form, parse

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.results import PageResult
    from core.store.write.frontier import Frontier
    from core.store.write.hosts import Hosts
    from core.store.write.known import KnownUrls
    from core.store.write.queue import Queue
    from core.store.write.records import Records
    from core.store.write.tally import Tally

MOST_CONTENTS = 30  # pages of different content with one canonical
LONGEST_WAY = 10  # canonicals and redirects in a row that are looked through for a ring
PIECE = 500  # aliases undone in a transaction
KIND = "canonical"  # of the alarm and of the log's line

OF_ONE = "SELECT url_id FROM page WHERE alias_of = ? ORDER BY content_hash, url_id LIMIT ?"
OF_ANY = "SELECT url_id FROM page WHERE alias_of IS NOT NULL AND alias_of > ? ORDER BY alias_of LIMIT ?"
CONTENTS = """
WITH RECURSIVE content(hash) AS (
    SELECT min(content_hash) FROM page WHERE alias_of = ?1
    UNION ALL
    SELECT (SELECT min(content_hash) FROM page WHERE alias_of = ?1 AND content_hash > hash) FROM content
    WHERE hash IS NOT NULL LIMIT ?2)
SELECT hash FROM content WHERE hash IS NOT NULL"""  # one look into the index a content, however many pages have it
REDIRECTED = "SELECT target FROM link WHERE source = ? AND kind = 'redirect' AND target > 0"
ANSWERED = "SELECT id, run FROM capture WHERE url_id = ? AND outcome = 'ok' ORDER BY id DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class Word:
    """What a page's word on its canonical is worth.

    `rank` orders two pages that show one record: 1 names itself, 0 names nothing that is believed, -1 is the alias of
    `target`. `new`: the target was not known before.
    """

    target: int | None = None
    rank: int = 0
    new: bool = False
    key: Url | None = None  # of the target


PLAIN, OWN = Word(), Word(rank=1)


class Aliases:
    """Used by the writer's thread inside its transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        hosts: Hosts,
        known: KnownUrls,
        frontier: Frontier,
        queue: Queue,
        records: Records,
        tally: Tally,
    ) -> None:
        self._connection = connection
        self._hosts = hosts
        self._known = known
        self._frontier = frontier
        self._tally = tally
        self._copies = Copies(connection)
        self._adoptions = Adoptions(connection, records, queue, tally, hosts.tenant)
        self._doubted: set[int] = set()
        self._undoing: set[int] = set()
        self._remarks: list[Remark] = []
        self._there_are_any = False
        self._believes = True
        self._rules: Rules

    def use(self, settings: CrawlSettings) -> None:
        """These settings count from now on. Where canonicals are no longer believed, all aliases are undone."""
        self._believes = settings.normalise.canonical
        self._rules = Rules.of(settings.normalise)
        self._adoptions.use(settings)
        self._there_are_any = bool(rows(self._connection, OF_ANY, (0, 1)))
        sql = "SELECT pattern FROM alarm WHERE kind = ?"
        named = (self._named(text) for (text,) in rows(self._connection, sql, (KIND,)))
        self._doubted = {number for found in named if found and (number := self._id(found)) is not None}
        self._undoing = {number for number in self._doubted if rows(self._connection, OF_ONE, (number, 1))}

    def word(self, result: PageResult, run: int) -> Word:
        """What a good page's canonical is worth; the page it names is queued, as deep as this one."""
        parsed = result.parsed
        if not self._believes or parsed is None or parsed.canonical is None or parsed.doubtful_canonical:
            return PLAIN
        if parsed.canonical == (result.spelling or result.work.url).text:
            return OWN
        found = self._named(parsed.canonical)
        if found is None:
            return PLAIN
        if found.key == key_form(result.work.url, self._rules):
            return OWN
        return self._of_another(found, result, run)

    def redirected(self, number: int, target: int, at: float, run: int) -> None:
        """A page redirects to another: where that closes a ring with aliases in it, they are none."""
        if self._there_are_any:
            self._break_ring(target, number, at, run)

    def undo_more(self, at: float, run: int) -> bool:
        """Undo the next piece of aliases that are no longer believed; answers whether there may be more."""
        if not self._believes:
            self._there_are_any = self._there_are_any and self._undo_piece(OF_ANY, 0, at, run)
            return self._there_are_any
        if self._undoing:
            target = next(iter(self._undoing))
            if not self._undo_piece(OF_ONE, target, at, run):
                self._undoing.discard(target)
        return bool(self._undoing)

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return remarks

    # -- whether a canonical is believed ----------------------------------------------------------------------------

    def _of_another(self, found: FoundLink, result: PageResult, run: int) -> Word:
        work, at = result.work, result.answer.at
        admission = self._frontier.admit(found, Context(work.depth, at, work.id, via="canonical"))
        target = admission.target
        if target <= 0 or target in self._doubted or self._frontier.policy.excluded(found.key):
            return PLAIN
        if self._break_ring(target, work.id, at, run):
            return Word(new=admission.new)
        content = result.parsed.content_hash if result.parsed else None
        contents = {bytes(known) for (known,) in rows(self._connection, CONTENTS, (target, MOST_CONTENTS))}
        if len(contents | {content}) >= MOST_CONTENTS:
            self._disbelieve(target, at, run)
            return Word(new=admission.new)
        self._there_are_any = True
        return Word(target, -1, admission.new, found.key)

    def _break_ring(self, start: int, end: int, at: float, run: int) -> bool:
        """Whether the way from `start`, by canonicals and redirects, leads to `end`; the aliases on it are undone."""
        way: list[int] = []
        following: int | None = start
        while following is not None and following != end:
            if following in way or len(way) == LONGEST_WAY:
                return False
            way.append(following)
            following = self._leads_to(following)
        if following is None:
            return False
        for number in way:
            self._undo(number, at, run)
        return True

    def _leads_to(self, number: int) -> int | None:
        """The page that an answered URL redirects to, or names as its canonical, believed or not."""
        sql = "SELECT alias_of, canonical, redirect_to FROM page WHERE url_id = ?"
        alias_of, canonical, redirect_to = row(self._connection, sql, (number,)) or (None, None, None)
        if redirect_to is not None:
            target: int | None = value(self._connection, REDIRECTED, (number,))
            return target
        if alias_of is not None:
            return int(alias_of)
        found = self._named(canonical) if canonical else None
        return self._id(found) if found else None

    def _named(self, text: str) -> FoundLink | None:
        url = parse(text)
        if isinstance(url, Rejected):
            return None
        return FoundLink(fetch_form(url, self._rules), key_form(url, self._rules), kind="canonical")

    def _id(self, found: FoundLink) -> int | None:
        host = self._hosts.find(found.key.host)
        known = self._known.find(host, found.fetch, found.key) if host else None
        return known[0] if known else None

    def _disbelieve(self, target: int, at: float, run: int) -> None:
        url = self._url(target)
        message = (
            f"{MOST_CONTENTS} pages of different content name {url.text} as their canonical. "
            "It is not believed any more: they count as pages of their own."
        )
        self._connection.execute(
            "INSERT INTO alarm(kind, pattern, host, message, raised) VALUES (?, ?, ?, ?, ?)",
            (KIND, url.text, url.host, message, at),
        )
        self._remarks.append(Remark("warning", KIND, message, url.host, url.text))
        self._doubted.add(target)
        if self._undo_piece(OF_ONE, target, at, run):
            self._undoing.add(target)

    # -- undoing ----------------------------------------------------------------------------------------------------

    def _undo_piece(self, sql: str, of: int, at: float, run: int) -> bool:
        found = rows(self._connection, sql, (of, PIECE))
        for (number,) in found:
            self._undo(number, at, run)
        return len(found) == PIECE

    def _undo(self, number: int, at: float, run: int) -> None:
        """An alias is a page of its own again: useful where it is no copy, its records under its own identity."""
        sql = "SELECT alias_of, duplicate_of, content_hash FROM page WHERE url_id = ?"
        target, copy_of, content = row(self._connection, sql, (number,)) or (None, None, None)
        if target is None:
            return
        self._connection.execute("UPDATE page SET alias_of = NULL WHERE url_id = ?", (number,))
        copy_of = self._copies.first_with(content, number) if copy_of is None else copy_of
        capture, answered_in = row(self._connection, ANSWERED, (number,)) or (None, 0)
        self._connection.execute(
            "UPDATE page SET duplicate_of = ?, useful = ? WHERE url_id = ?", (copy_of, int(copy_of is None), number)
        )
        if copy_of is None and capture is not None:
            self._connection.execute("UPDATE capture SET useful = 1 WHERE id = ? AND useful = 0", (capture,))
            self._tally.count_of(answered_in, "useful", self._connection.changes())
        own, other = (key_form(self._url(page), self._rules) for page in (number, target))
        self._adoptions.release(Returning(number, capture, at, run), own, other)

    def _url(self, number: int) -> Url:
        origin, path = row(self._connection, "SELECT origin_id, path FROM url WHERE id = ?", (number,))
        return self._hosts.url(origin, path)
