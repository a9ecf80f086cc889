"""Records of an alias: they have the identity of its canonical page, and get their own back when it is none.

Only the parts of an identity that hang on the page are concerned: its address, where no key is declared, and its host,
where no source is. Where the canonical page has a record of that identity already, the one with precedence stands; the
other lies apart, with its versions, until its page is its own again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.identity import fingerprint, record_id
from core.policy.patterns import compile_pattern
from core.store.names import UrlState
from core.store.query import row, rows
from core.store.results import FoundRecord
from core.store.write.records import PRECEDENCE, Sighting
from core.store.write.records_apart import RecordsApart

if TYPE_CHECKING:
    import apsw

    from core.policy.patterns import Pattern
    from core.settings import CrawlSettings, RecordType
    from core.store.write.queue import Queue
    from core.store.write.records import Records
    from core.store.write.tally import Tally
    from core.urls import Url

OWN = """
SELECT id, natural_key FROM record WHERE url_id = ? AND tenant = ? AND source = ? AND type = ? AND canonical >= 0
AND natural_key = coalesce(?, natural_key)"""
HOLDING = """
SELECT canonical, record.depth, base || path, url_id, run, fingerprint, data FROM record
JOIN url ON url.id = url_id JOIN origin ON origin.id = origin_id WHERE record.id = ?"""
HELD = """
SELECT id, natural_key FROM record WHERE url_id = ? AND tenant = ? AND source = ? AND type = ? AND canonical < 0
AND natural_key = coalesce(?, natural_key)"""
LOST = f"""
SELECT id, natural_key, data FROM conflict WHERE run = ? AND url_id = ? AND type = ? AND reason = '{PRECEDENCE}'
AND record_id IS NOT NULL ORDER BY id"""

AS_FETCHED = """
SELECT depth, base || path, response, etag FROM url JOIN origin ON origin.id = origin_id JOIN page ON url_id = url.id
WHERE url.id = ?"""


@dataclass(frozen=True, slots=True)
class Shown:
    """A page whose records change their identity: its id, its last good answer, and the moment."""

    number: int
    capture: int | None
    at: float
    run: int


@dataclass(frozen=True, slots=True)
class Held:
    """A record with the page that holds it, and what it says."""

    canonical: int
    depth: int
    address: str
    url: int
    run: int
    fingerprint: str
    data: str

    @property
    def rank(self) -> tuple[int, int, str]:
        """The precedence of any two pages."""
        return (-self.canonical, self.depth, self.address)


def adopted(found: FoundRecord, tenant: str, page: Url) -> FoundRecord:
    """The record of an alias under the identity of its canonical page, whose key form is given."""
    if found.natural_key is None or not (found.by_url or found.by_host):
        return found
    key = page.text if found.by_url else found.natural_key
    source = page.host if found.by_host else found.source
    return replace(found, natural_key=key, source=source, record_id=record_id(tenant, source, found.type, key))


class Adoptions:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, records: Records, queue: Queue, tally: Tally, tenant: str) -> None:
        self._connection = connection
        self._records = records
        self._queue = queue
        self._tally = tally
        self._apart = RecordsApart(connection, tally)
        self._tenant = tenant
        self._kinds: tuple[tuple[RecordType, Pattern], ...] = ()

    def use(self, settings: CrawlSettings) -> None:
        self._kinds = tuple((kind, compile_pattern(kind.match)) for kind in settings.records)

    def adopt(self, page: Shown, own: Url, other: Url) -> None:
        """Give the records that a page has shown so far the identity that its canonical page gives them."""
        for kind, _ in self._kinds:
            if not _hangs(kind, own, other):
                continue
            source, key = kind.source or own.host, None if kind.key_fields else own.text
            for old, natural_key in rows(self._connection, OWN, (page.number, self._tenant, source, kind.name, key)):
                self._take_place(page, old, kind, natural_key if kind.key_fields else other.text, other)
        self._connection.execute("UPDATE record SET canonical = -1 WHERE url_id = ? AND canonical >= 0", (page.number,))

    def move(self, page: Shown, own: Url, old: Url, new: Url, *, alone: bool = False) -> None:
        """Give an alias's records the identity of another canonical page; its precedence stays.

        Where all aliases of the old one move together, one of them holds the record; where it is `alone`, and nothing
        is known of what it showed, it is fetched once more.
        """
        for kind, match in self._kinds:
            if not _hangs(kind, old, new):
                continue
            source, key = kind.source or old.host, None if kind.key_fields else old.text
            held = rows(self._connection, HELD, (page.number, self._tenant, source, kind.name, key))
            for number, natural_key in held:
                self._take_place(page, number, kind, natural_key if kind.key_fields else new.text, new)
            shown = len(held) + self._revive(page, kind, new, old, rank=-1)
            if alone and not shown and match.matches(own):
                self._fetch_again(page.number)

    def release(self, page: Shown, own: Url, other: Url) -> None:
        """Give a page's records their own identity; `own` and `other` are key forms of the page and its canonical.

        What it showed stands in the records it holds and in the conflicts it lost: as a page of its own it may win
        them. Where neither says anything of an identity that hung on the other page, it is fetched once more.
        """
        shown = {kind.name: self._rename(page, kind, own, other) for kind, _ in self._kinds}
        self._connection.execute("UPDATE record SET canonical = 0 WHERE url_id = ? AND canonical < 0", (page.number,))
        for kind, _ in self._kinds:
            shown[kind.name] += self._bring_back(page, kind, own, other)
            shown[kind.name] += self._revive(page, kind, own, other)
        hanging = (kind.name for kind, match in self._kinds if _hangs(kind, own, other) and match.matches(own))
        if not all(shown[name] for name in hanging):
            self._fetch_again(page.number)

    def _rename(self, page: Shown, kind: RecordType, own: Url, other: Url) -> int:
        """The records the page holds for its canonical one; how many."""
        if not _hangs(kind, own, other):
            return 0
        source = kind.source or other.host
        key = None if kind.key_fields else other.text
        renamed = 0
        for old, natural_key in rows(self._connection, HELD, (page.number, self._tenant, source, kind.name, key)):
            renamed += self._rename_one(page, old, kind, natural_key if kind.key_fields else own.text, own)
        return renamed

    def _rename_one(self, page: Shown, old: str, kind: RecordType, key: str, own: Url) -> bool:
        source = kind.source or own.host
        new = record_id(self._tenant, source, kind.name, key)
        if any(held.url == page.number for held in self._held(new)):
            return False  # from a time before it was an alias: fetching the page brings it up to date
        self._take_place(page, old, kind, key, own, rank=0)
        return True

    # -- two records of one identity --------------------------------------------------------------------------------

    def _take_place(self, page: Shown, old: str, kind: RecordType, key: str, other: Url, rank: int = -1) -> None:
        """A record under the identity that `other` gives it; where that is taken, one of the two goes apart."""
        source = kind.source or other.host
        new = record_id(self._tenant, source, kind.name, key)
        (mine,), theirs = self._held(old), self._held(new)
        wins = all(replace(mine, canonical=rank).rank < held.rank for held in theirs)
        for held in theirs:
            self._apart.put(new if wins else old)
            lost = held if wins else mine
            if held.fingerprint != mine.fingerprint and held.run == mine.run == page.run:
                found = adopted(_found(kind, source, key, lost.data), self._tenant, other)
                seen = Sighting(lost.url, page.run, page.at, lost.depth, lost.address)
                self._records.list_conflict(found, seen, PRECEDENCE)
        if wins:
            self._apart.name(old, new, source, key)

    def _bring_back(self, page: Shown, kind: RecordType, own: Url, other: Url) -> int:
        """What lay apart for this page while it was an alias; how many."""
        if not _hangs(kind, own, other):
            return 0
        back = 0
        source = kind.source or own.host
        for name, natural_key in self._apart.of(page.number, self._tenant, kind.name):
            key = natural_key if kind.key_fields else own.text
            new = record_id(self._tenant, source, kind.name, key)
            if row(self._connection, "SELECT 1 FROM record WHERE id = ?", (new,)) is None:
                self._apart.take(name, new, source, key)
                self._connection.execute("UPDATE record SET canonical = 0 WHERE id = ? AND canonical < 0", (new,))
                back += 1
        return back

    def _held(self, number: str) -> list[Held]:
        """The record of that identity, where there is one."""
        return [Held(*fields) for fields in rows(self._connection, HOLDING, (number,))]

    # -- what another won against it --------------------------------------------------------------------------------

    def _revive(self, page: Shown, kind: RecordType, own: Url, other: Url, rank: int = 0) -> int:
        """What the page said and lost against another of this run, under the identity of `own`; how many."""
        source = kind.source or other.host
        revived = 0
        for conflict, key, data in rows(self._connection, LOST, (page.run, page.number, kind.name)):
            if not kind.key_fields and key != other.text:
                continue
            self._connection.execute("DELETE FROM conflict WHERE id = ?", (conflict,))
            self._tally.count("conflicts", -1)
            found = _found(kind, source, key, data)
            self._records.upsert(adopted(found, self._tenant, own), self._sighting(page, rank))
            revived += 1
        return revived

    def _sighting(self, page: Shown, rank: int) -> Sighting:
        depth, address, response, etag = row(self._connection, AS_FETCHED, (page.number,))
        return Sighting(page.number, page.run, page.at, depth, address, etag, page.capture, response, rank)

    def _fetch_again(self, number: int) -> None:
        """Without a condition: an answer that nothing has changed would say nothing of the records."""
        sql = "SELECT host_id, state FROM url WHERE id = ?"
        host, state = row(self._connection, sql, (number,))
        if state == UrlState.DONE and self._queue.move(number, host, UrlState.DONE, UrlState.PENDING, None):
            self._connection.execute("UPDATE page SET etag = NULL, last_modified = NULL WHERE url_id = ?", (number,))


def _hangs(kind: RecordType, own: Url, other: Url) -> bool:
    """Whether the two pages give one record of this type different identities."""
    return not kind.key_fields or (not kind.source and own.host != other.host)


def _found(kind: RecordType, source: str, key: str, data: str) -> FoundRecord:
    return FoundRecord(
        *(kind.name, key, "", source, data, fingerprint(json.loads(data), kind.fields), kind.history),
        by_url=not kind.key_fields,
        by_host=not kind.source,
    )
