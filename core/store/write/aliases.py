"""Aliases: pages that name another page as their canonical one (RFC 6596). It is the site's own word, and can be wrong.

A page believed to be an alias keeps its row and its links and is not useful by itself; the page it names is queued.
Whether it is believed is decided in `core.policy.canonical`, when the page is stored, and again as soon as the page it
names turns out to be none: then what was believed too early is undone, in the transaction that finds it out, and in
pieces after it where that is much. Where MOST_CONTENTS pages of different content name one canonical, it is believed of
none of them, for good: the alarm's row is where that is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.policy.canonical import doubt
from core.store.named_pages import SEPARATOR, NamedPages
from core.store.query import row, rows
from core.store.results import FoundLink
from core.store.words import quantity
from core.store.write.adoptions import Adoptions, Shown
from core.store.write.alias_rows import AliasRows
from core.store.write.copies import Copies
from core.store.write.disbelief import KIND, Disbelief
from core.store.write.frontier import Context
from core.store.write.outcomes import is_good
from core.store.write.remarks import Remark
from core.store.write.second_look import SecondLook
from core.urls import Rejected, Rules, Url, fetch_form, key_form, parse

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.results import PageResult
    from core.store.write.frontier import Frontier
    from core.store.write.hosts import Hosts
    from core.store.write.page_rows import Before
    from core.store.write.queue import Queue
    from core.store.write.records import Records
    from core.store.write.second_look import Naming
    from core.store.write.tally import Tally

MOST_CONTENTS = 30  # pages of different content with one canonical
PIECE = 500  # aliases undone in a transaction

OF_ONE = "SELECT url_id FROM page WHERE alias_of = ? ORDER BY content_hash, url_id LIMIT ?"
OF_ANY = "SELECT url_id FROM page WHERE alias_of IS NOT NULL AND alias_of > ? ORDER BY alias_of LIMIT ?"
CONTENTS = """
WITH RECURSIVE content(hash) AS (
    SELECT min(content_hash) FROM page WHERE alias_of = ?1
    UNION ALL
    SELECT (SELECT min(content_hash) FROM page WHERE alias_of = ?1 AND content_hash > hash) FROM content
    WHERE hash IS NOT NULL LIMIT ?2)
SELECT hash FROM content WHERE hash IS NOT NULL"""  # one look into the index a content, however many pages have it


@dataclass(frozen=True, slots=True)
class Word:
    """What a page's word on its canonical is worth.

    `rank` orders two pages that show one record: 1 names itself, 0 names nothing that is believed, -1 is the alias of
    `target`. `new`: the target was not known before. `names`: it names another page of this crawl, believed or not.
    """

    target: int | None = None
    rank: int = 0
    new: bool = False
    key: Url | None = None  # of the target
    names: bool = False


PLAIN, OWN = Word(), Word(rank=1)


@dataclass(frozen=True, slots=True)
class Speaker:
    """A good page that names a canonical."""

    id: int
    key: Url
    depth: int
    content: bytes | None


class Aliases:
    """Used by the writer's thread inside its transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        hosts: Hosts,
        frontier: Frontier,
        queue: Queue,
        records: Records,
        tally: Tally,
    ) -> None:
        self._connection = connection
        self._hosts = hosts
        self._frontier = frontier
        self._queue = queue
        self._adoptions = Adoptions(connection, records, queue, tally, hosts.tenant)
        self._rows = AliasRows(connection, Copies(connection), self._adoptions, tally)
        self._disbelief = Disbelief(connection)
        self._again = SecondLook(connection, hosts.tenant)
        self._disbelieved: set[str] = set()
        self._there_are_any = False
        self._joined = 0  # by the second look that is going on
        self._remarks: list[Remark] = []
        self._believes = True
        self._rules: Rules
        self._named: NamedPages

    def use(self, settings: CrawlSettings) -> None:
        """These settings count from now on. Where canonicals are no longer believed, all aliases are undone."""
        self._believes = settings.normalise.canonical
        self._rules = Rules.of(settings.normalise)
        self._named = NamedPages(self._connection, self._hosts.tenant, self._rules)
        self._adoptions.use(settings)
        self._disbelief.load()
        self._again.load()
        if not self._believes:
            self._again.cancel()
        self._there_are_any = bool(rows(self._connection, OF_ANY, (0, 1)))
        self._disbelieved = self._named.disbelieved()

    def word(self, result: PageResult, run: int) -> Word:
        """What a good page's canonical is worth; the page it names is queued, as deep as this one."""
        parsed, work = result.parsed, result.work
        if not self._believes or parsed is None or parsed.canonical is None:
            return PLAIN
        if parsed.canonical == (result.spelling or work.url).text:
            return OWN
        page = Speaker(work.id, key_form(work.url, self._rules), work.depth, parsed.content_hash)
        return self._word(parsed.canonical, page, result.answer.at, run)

    def moved(self, result: PageResult, before: Before, word: Word, run: int) -> None:
        """A page that was fetched before may name another one now: its records go with it."""
        if before.alias_of == word.target:
            return
        shown = Shown(result.work.id, None, result.answer.at, run)
        own = key_form(result.work.url, self._rules)
        if before.alias_of is not None:
            self._adoptions.release(shown, own, self._key(before.alias_of))
        if word.target is not None and word.key is not None:
            self._rows.lead(word.target, shown.number)
            self._adoptions.adopt(shown, own, word.key)

    def answered(self, result: PageResult, before: Before | None, word: Word, run: int) -> None:
        """A page is stored with what it is now: its aliases are none where it is no canonical."""
        if result.answer.outcome == "not_modified":
            return
        good = is_good(result)
        if self._there_are_any and (word.names or not good):
            self._reject(result.work.id, result.answer.at, run)
        named = result.parsed.canonical if result.parsed else None
        if good and before is not None and (not before.is_page or before.canonical != named):
            self._again.want()

    def barred(self, at: float, run: int) -> bool:
        """What this transaction blocked or excluded is nobody's canonical; answers whether there is more to undo."""
        numbers, self._queue.barred = self._queue.barred, []
        if self._queue.reopened:
            self._queue.reopened = False
            self._again.want()
        if self._there_are_any:
            for number in numbers:
                self._reject(number, at, run)
        return bool(self._disbelief.undoing)

    def look_again(self) -> None:
        """Other settings: what fetched pages name is looked at once more."""
        self._again.want()
        self._again.start()

    def start_second_look(self) -> bool:
        """Nothing else is left to do: look again where something has changed; whether there is a reason to."""
        return self._believes and self._again.start()

    def step(self, at: float, run: int) -> bool:
        """The next piece of what goes over many aliases; answers whether there may be more."""
        if not self._believes:
            self._again.cancel()
            self._there_are_any = self._there_are_any and self._undo_piece(OF_ANY, 0, at, run)
            return self._there_are_any
        if self._disbelief.undoing:
            target = min(self._disbelief.undoing)
            if not self._undo_piece(OF_ONE, target, at, run):
                self._disbelief.undone(target)
        else:
            for page in self._again.next():
                self._hear_again(page, at, run)
            if self._joined and not self._again.goes_on:
                self._tell_joined()
        return bool(self._disbelief.undoing) or self._again.goes_on

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return [*self._disbelief.take_remarks(), *remarks]

    # -- whether a canonical is believed ----------------------------------------------------------------------------

    def _word(self, text: str, page: Speaker, at: float, run: int) -> Word:
        found = self._found(text)
        if found is None:
            return PLAIN
        if found.key == page.key:
            return OWN
        admission = self._frontier.admit(found, Context(page.depth, at, page.id, via="canonical"))
        target = admission.target
        if target <= 0 or found.key.text in self._disbelieved:
            return PLAIN
        if reason := doubt(self._named.of(target, page.key, self._is_disbelieved)):
            self._disbelief.tell(found.fetch, reason)
            return Word(new=admission.new, names=True)
        contents = {bytes(known) for (known,) in rows(self._connection, CONTENTS, (target, MOST_CONTENTS))}
        if len(contents | {page.content}) >= MOST_CONTENTS:
            self._disbelieve(target, found.key, at, run)
            return Word(new=admission.new)
        self._there_are_any = True
        return Word(target, -1, admission.new, found.key, names=True)

    def _found(self, text: str) -> FoundLink | None:
        """The one URL that a page names, or None."""
        url = parse(text) if SEPARATOR not in text else None
        if url is None or isinstance(url, Rejected):
            return None
        return FoundLink(fetch_form(url, self._rules), key_form(url, self._rules), kind="canonical")

    def _is_disbelieved(self, key: Url) -> bool:
        return key.text in self._disbelieved

    def _disbelieve(self, target: int, key: Url, at: float, run: int) -> None:
        self._disbelief.raise_alarm(self._url(target), MOST_CONTENTS, at)
        self._disbelieved.add(key.text)
        self._again.want()  # who names a page that named this one may be its alias after all
        self._undo_all(target, at, run)

    def _hear_again(self, page: Naming, at: float, run: int) -> None:
        """The word of a page that was stored before."""
        own = self._key(page.id)
        if page.alias_of is not None:
            self._rows.part(page.id, own, self._key(page.alias_of), at, run)
        word = self._word(page.canonical, Speaker(page.id, own, page.depth, page.content), at, run)
        if word.target is not None and word.key is not None:
            self._rows.join(page.id, word.target, own, word.key, at, run)
            self._joined += 1
        if word.names:
            self._reject(page.id, at, run)

    def _tell_joined(self) -> None:
        message = (
            f"By the canonicals they name, {quantity(self._joined, 'known page')} became aliases without a request."
        )
        self._remarks.append(Remark("info", KIND, message))
        self._joined = 0

    # -- undoing ----------------------------------------------------------------------------------------------------

    def _reject(self, target: int, at: float, run: int) -> None:
        """Undo the aliases of a page that is no canonical."""
        if not rows(self._connection, OF_ONE, (target, 1)):
            return
        if reason := doubt(self._named.of(target, None, self._is_disbelieved)):
            self._disbelief.tell(self._url(target), reason)
            self._undo_all(target, at, run)

    def _undo_all(self, target: int, at: float, run: int) -> None:
        if self._undo_piece(OF_ONE, target, at, run):
            self._disbelief.undo(target)

    def _undo_piece(self, sql: str, of: int, at: float, run: int) -> bool:
        found = rows(self._connection, sql, (of, PIECE))
        for (number,) in found:
            (target,) = row(self._connection, "SELECT alias_of FROM page WHERE url_id = ?", (number,))
            self._rows.part(number, self._key(number), self._key(target), at, run)
        return len(found) == PIECE

    def _key(self, number: int) -> Url:
        return key_form(self._url(number), self._rules)

    def _url(self, number: int) -> Url:
        origin, path = row(self._connection, "SELECT origin_id, path FROM url WHERE id = ?", (number,))
        return self._hosts.url(origin, path)
