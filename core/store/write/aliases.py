"""Aliases: pages that name another page as their canonical one (RFC 6596). It is the site's own word, and can be wrong.

A page believed to be an alias keeps its row and its links and is not useful by itself; the page it names is queued.
Whether it is believed, and which page a chain of canonicals and redirects ends at, is decided in
`core.policy.canonical`, when the page is stored, and again as soon as a page of the chain turns out to be another than
it was taken for: its aliases follow in the transaction that finds it out, and in pieces after it where that is much. So
`alias_of` is always the end of a chain, and an alias is never the alias of an alias.

Where MOST_CONTENTS pages of different content stand for one canonical, it is believed of none of them, for good: the
alarm's row is where that is remembered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.canonical import ITSELF
from core.store.named_pages import SEPARATOR, NamedPages
from core.store.query import row, rows
from core.store.results import FoundLink
from core.store.words import quantity
from core.store.write.adoptions import Adoptions, Shown
from core.store.write.alias_rows import AliasRows
from core.store.write.alias_words import NOWHERE, OWN, PLAIN, Led, Speaker, Word
from core.store.write.copies import Copies
from core.store.write.disbelief import KIND, Disbelief
from core.store.write.frontier import Context
from core.store.write.outcomes import is_good
from core.store.write.remarks import Remark
from core.store.write.second_look import SecondLook
from core.store.write.unsettled import Unsettled
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
PIECE = 500  # aliases looked at in a transaction

OF_ONE = "SELECT 1 FROM page WHERE alias_of = ? LIMIT 1"
OF_ANY = "SELECT url_id, alias_of FROM page WHERE alias_of IS NOT NULL ORDER BY alias_of LIMIT ?"
CONTENTS = """
WITH RECURSIVE content(hash) AS (
    SELECT min(content_hash) FROM page WHERE alias_of = ?1
    UNION ALL
    SELECT (SELECT min(content_hash) FROM page WHERE alias_of = ?1 AND content_hash > hash) FROM content
    WHERE hash IS NOT NULL LIMIT ?2)
SELECT hash FROM content WHERE hash IS NOT NULL"""  # one look into the index a content, however many pages have it


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
        self._rows = AliasRows(connection, Copies(connection, hosts.tenant), self._adoptions, tally)
        self._disbelief = Disbelief(connection)
        self._unsettled = Unsettled(connection)
        self._again = SecondLook(connection, hosts.tenant)
        self._disbelieved: set[str] = set()
        self._there_are_any = False
        self._hurries = False  # something was unsettled just now: the first piece follows in the same transaction
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
        self._unsettled.load()
        self._again.load()
        if not self._believes:
            self._again.cancel()
        self._there_are_any = bool(rows(self._connection, OF_ANY, (1,)))
        self._disbelieved = self._named.disbelieved()

    def word(self, result: PageResult) -> Word:
        """What a good page's canonical is worth; the page it names is queued, as deep as this one."""
        parsed, work = result.parsed, result.work
        if not self._believes or parsed is None or parsed.canonical is None:
            return PLAIN
        if parsed.canonical == (result.spelling or work.url).text:
            return OWN
        page = Speaker(work.id, key_form(work.url, self._rules), work.depth, parsed.content_hash)
        return self._word(parsed.canonical, page, result.answer.at)

    def moved(self, result: PageResult, before: Before, word: Word, run: int) -> None:
        """A page that was fetched before may name another one now: its records go with it."""
        if before.alias_of == word.target:
            return
        shown = Shown(result.work.id, None, result.answer.at, run)
        own = key_form(result.work.url, self._rules)
        if word.target is None or word.key is None:
            if before.alias_of is not None:
                self._adoptions.release(shown, own, self._key(before.alias_of))
            return
        self._rows.lead(word.target, shown.number)
        if before.alias_of is None:
            self._adoptions.adopt(shown, own, word.key)
        else:
            self._adoptions.move(shown, own, self._key(before.alias_of), word.key)

    def led(self, result: PageResult, before: Before | None) -> Led:
        """Asked before the answer is written: what the page said so far."""
        outcome = result.answer.outcome
        if before is None or outcome == "not_modified" or not (self._there_are_any or outcome == "redirect"):
            return NOWHERE
        if _names_the_same(result, before):
            return NOWHERE
        redirect = self._named.redirect(result.work.id) if outcome == "redirect" else None
        return Led(redirect, self._behind(result.work.id, before.alias_of))

    def answered(self, result: PageResult, before: Before | None, led: Led, word: Word, run: int) -> None:
        """A page is stored with what it is now: what its aliases stand for may be another page, or none."""
        outcome, number = result.answer.outcome, result.work.id
        if outcome == "not_modified":
            return
        good = is_good(result)
        same = before is not None and self._says_the_same(result, before, led)
        if self._there_are_any and not same and (word.names or not (good or self._is_end(number))):
            self._unsettle(number)
        for end in () if same else led.ends:
            self._unsettle(end)
        if before is not None and not same and (good or outcome == "redirect"):
            self._again.want()
        if self._hurries:
            self._settle(result.answer.at, run)

    def barred(self, at: float, run: int) -> bool:
        """What this transaction blocked or excluded is nobody's canonical; answers whether there is more to settle."""
        numbers, self._queue.barred = self._queue.barred, []
        if self._queue.reopened:
            self._queue.reopened = False
            self._again.want()
        if self._there_are_any:
            for number in numbers:
                self._unsettle(number)
                self._unsettle_behind(number)
        if self._hurries:
            self._settle(at, run)
        return self._believes and bool(self._unsettled)

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
            self._there_are_any = self._there_are_any and self._undo_piece(at, run)
            return self._there_are_any
        if self._unsettled:
            self._settle(at, run)
        else:
            for page in self._again.next():
                self._joined += self._hear_again(page, at, run)
            if self._joined and not self._again.goes_on:
                self._tell_joined()
            if self._hurries:
                self._settle(at, run)
        return bool(self._unsettled) or self._again.goes_on

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return [*self._disbelief.take_remarks(), *remarks]

    # -- whether a canonical is believed ----------------------------------------------------------------------------

    def _word(self, text: str, page: Speaker, at: float) -> Word:
        found = self._found(text)
        if found is None:
            return PLAIN
        if found.key == page.key:
            return OWN
        admission = self._frontier.admit(found, Context(page.depth, at, page.id, via="canonical"))
        if admission.target <= 0 or found.key.text in self._disbelieved:
            return PLAIN
        target = self._end(page, found, admission.target, at)
        if target is None:
            return Word(new=admission.new, names=found.key.text not in self._disbelieved)
        self._there_are_any = True
        key = found.key if target == admission.target else self._key(target)
        return Word(target, -1, admission.new, key, names=True)

    def _end(self, page: Speaker, found: FoundLink, first: int, at: float) -> int | None:
        """The page that this one stands for, however many lie between; None for itself."""
        while True:
            end = self._named.end(page.id, first, self._disbelieved)
            if end.target is None:
                if end.doubt != ITSELF:
                    self._disbelief.tell(found.fetch, end.doubt)
                return None
            contents = {bytes(known) for (known,) in rows(self._connection, CONTENTS, (end.target, MOST_CONTENTS))}
            if len(contents | {page.content}) < MOST_CONTENTS:
                return end.target
            self._disbelieve(end.target, at)

    def _found(self, text: str) -> FoundLink | None:
        """The one URL that a page names, or None."""
        url = parse(text) if SEPARATOR not in text else None
        if url is None or isinstance(url, Rejected):
            return None
        return FoundLink(fetch_form(url, self._rules), key_form(url, self._rules), kind="canonical")

    def _disbelieve(self, target: int, at: float) -> None:
        self._disbelief.raise_alarm(self._url(target), MOST_CONTENTS, at)
        self._disbelieved.add(self._key(target).text)
        self._again.want()  # who names a page that named this one may be its alias after all
        self._unsettle(target)

    def _hear_again(self, page: Naming, at: float, run: int) -> bool:
        """The word of a page that was stored before; whether it became an alias by it."""
        own = self._key(page.id)
        word = self._word(page.canonical, Speaker(page.id, own, page.depth, page.content), at)
        if word.target is None and not self._is_end(page.id):  # it is in a ring, or leads into one, maybe since now
            self._unsettle(page.id)
        if word.target == page.alias_of:
            return False
        if word.target is None or word.key is None:
            if page.alias_of is not None:
                self._rows.part(page.id, own, self._key(page.alias_of), at, run)
            return False
        self._unsettle(page.id)
        if page.alias_of is None:
            self._rows.join(page.id, word.target, own, word.key, at, run)
            return True
        alone = self._is_end(page.alias_of)
        shown = Shown(page.id, None, at, run)
        self._rows.move(shown, word.target, own, self._key(page.alias_of), word.key, alone=alone)
        return False

    def _tell_joined(self) -> None:
        message = (
            f"By the canonicals they name, {quantity(self._joined, 'known page')} became aliases without a request."
        )
        self._remarks.append(Remark("info", KIND, message))
        self._joined = 0

    # -- what follows from it ---------------------------------------------------------------------------------------

    def _says_the_same(self, result: PageResult, before: Before, led: Led) -> bool:
        """Whether a page leads those that name it where it did before."""
        if result.answer.outcome == "redirect":
            return led.redirect is not None and led.redirect == self._named.redirect(result.work.id)
        return _names_the_same(result, before)

    def _is_end(self, number: int) -> bool:
        return self._named.is_end(number, self._disbelieved)

    def _unsettle(self, number: int) -> None:
        """The aliases of a page, where it has any, are looked at once more."""
        if rows(self._connection, OF_ONE, (number,)):
            self._unsettled.add(number)
            self._hurries = True

    def _unsettle_behind(self, number: int) -> None:
        """So are those of the page that this one led to."""
        for (alias_of,) in rows(self._connection, "SELECT alias_of FROM page WHERE url_id = ?", (number,)):
            for end in self._behind(number, alias_of):
                self._unsettle(end)

    def _behind(self, number: int, alias_of: int | None) -> frozenset[int]:
        ends = {alias_of, self._named.behind(number, self._disbelieved)}
        return frozenset(end for end in ends if end is not None)

    def _settle(self, at: float, run: int) -> None:
        if self._believes:
            for page in self._unsettled.next(PIECE):
                self._hear_again(page, at, run)
        self._unsettled.note()
        self._hurries = False

    def _undo_piece(self, at: float, run: int) -> bool:
        """Nothing is believed any more."""
        found = rows(self._connection, OF_ANY, (PIECE,))
        for number, target in found:
            self._rows.part(number, self._key(number), self._key(target), at, run)
        if len(found) < PIECE:
            self._unsettled.clear()
            self._unsettled.note()
        return len(found) == PIECE

    def _key(self, number: int) -> Url:
        return key_form(self._url(number), self._rules)

    def _url(self, number: int) -> Url:
        origin, path = row(self._connection, "SELECT origin_id, path FROM url WHERE id = ?", (number,))
        return self._hosts.url(origin, path)


def _names_the_same(result: PageResult, before: Before) -> bool:
    """A page that was one before says of its canonical what it said then."""
    named = result.parsed.canonical if result.parsed else None
    return is_good(result) and bool(before.is_page) and before.canonical == named
