"""Records: exactly one row a natural key, whatever is fetched twice, killed or found on two pages.

Precedence between two pages is fixed: the record's canonical page (and an alias of it last), the smaller depth, the
smaller address. The page that has it holds the record for as long as it shows it. So the outcome does not hang on the
order in which pages came in; what a page says otherwise is listed as a conflict. A page ranks as it did when it was
fetched last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.names import RecordAction
from core.store.query import row, rows, value
from core.store.write.absences import record_back

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from core.store.results import FoundRecord
    from core.store.write.tally import Tally

PRECEDENCE = "another page has precedence"
COUNTER = {RecordAction.CREATED: "created", RecordAction.UNCHANGED: "unchanged", RecordAction.UPDATED: "updated"}


@dataclass(frozen=True, slots=True)
class Sighting:
    """The page a record was seen on, at one fetch."""

    url: int
    run: int
    at: float
    depth: int
    address: str
    etag: str | None = None
    capture: int | None = None
    response: bytes | None = None
    canonical: int = 0  # 1: the page names itself as canonical; -1: it is the alias of another

    @property
    def rank(self) -> tuple[int, int, str]:
        return (-self.canonical, self.depth, self.address)


STANDING = "fingerprint, version, run, action, before, url_id, depth, canonical, capture, data, gone"
LOOK_BEFORE = """
SELECT max(id) FROM capture WHERE url_id = ? AND id < ?
AND outcome IN ('ok', 'not_modified') AND (status BETWEEN 200 AND 299 OR status = 304)"""


@dataclass(frozen=True, slots=True)
class Standing:
    """A record as the file has it. `before` is its fingerprint before that run, None where the run created it."""

    fingerprint: str
    version: int
    run: int
    action: str
    before: str | None
    url: int
    depth: int
    canonical: int
    capture: int | None
    data: str
    gone: float | None


class Records:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, tally: Tally, tenant: str) -> None:
        self._connection = connection
        self._tally = tally
        self.tenant = tenant

    def bring(self, found: Iterable[FoundRecord], seen: Sighting) -> None:
        """All records of one page. Two rows of a page with one key and different data: the first stands."""
        prints: dict[str, str] = {}
        for record in found:
            if prints.setdefault(record.record_id, record.fingerprint) == record.fingerprint:
                self.upsert(record, seen)
            elif record.natural_key is None:
                self.list_conflict(record, seen, record.reason)
            else:
                self.list_conflict(record, seen, "another row of this page has the same key")

    def upsert(self, found: FoundRecord, seen: Sighting) -> RecordAction:
        """Bring one extracted record in; answers what that did."""
        if found.natural_key is None:
            self.list_conflict(found, seen, found.reason)
            return RecordAction.CONFLICT
        if found.reason:
            self.list_conflict(found, seen, found.reason)
        fields = row(self._connection, f"SELECT {STANDING} FROM record WHERE id = ?", (found.record_id,))
        if fields is None:
            return self._create(found, seen)
        old = Standing(*fields)
        if old.url == seen.url or not self._still_shows(old):
            return self._replace(found, seen, old)
        holder = self._holder(old, seen)
        if found.fingerprint == old.fingerprint:
            return self._replace(found, seen, old) if seen.rank < holder.rank else self._see(found.record_id, seen, old)
        if holder.rank <= seen.rank:
            self.list_conflict(found, seen, PRECEDENCE)
            return RecordAction.CONFLICT
        if old.run == seen.run:
            self._list_conflict(found, holder.url, seen, old.data, PRECEDENCE)
        return self._replace(found, seen, old)

    def list_conflict(self, found: FoundRecord, seen: Sighting, reason: str) -> None:
        """What a page says lost, listed once."""
        self._list_conflict(found, seen.url, seen, found.data, reason)

    def unchanged_on(self, seen: Sighting) -> None:
        """The page answered 304: all records that it showed when it was read before were seen, unchanged."""
        sql = f"SELECT id, {STANDING} FROM record WHERE url_id = ?"
        found = rows(self._connection, sql, (seen.url,))
        before = value(self._connection, LOOK_BEFORE, (seen.url, seen.capture)) if found else None
        for number, *fields in found:
            old = Standing(*fields)
            if before is not None and old.capture is not None and old.capture < before:
                continue
            self._see(number, seen, old)
            self._connection.execute(
                "UPDATE record SET capture = ?, etag = coalesce(?, etag) WHERE id = ?",
                (seen.capture, seen.etag, number),
            )

    def _still_shows(self, old: Standing) -> bool:
        """Whether the page that holds a record is still fetched, and showed it when it was fetched last."""
        sql = (
            "SELECT capture.at >= page.last_fetched FROM capture, page, url "
            "WHERE capture.id = ? AND page.url_id = ? AND url.id = page.url_id AND same_as IS NULL"
        )
        return bool(value(self._connection, sql, (old.capture, old.url), 0))

    def _holder(self, old: Standing, seen: Sighting) -> Sighting:
        address = self._address(old.url)
        return Sighting(old.url, old.run, seen.at, old.depth, address, canonical=old.canonical)

    def _see(self, number: str, seen: Sighting, old: Standing) -> RecordAction:
        """The record was seen as it is, on a page that does not hold it or that answered 304."""
        self._end_absence(number, seen, old)
        self._connection.execute(
            "UPDATE record SET last_seen = ?, misses = 0, gone = NULL WHERE id = ?", (seen.at, number)
        )
        if old.run != seen.run:
            self._connection.execute(
                "UPDATE record SET run = ?, action = ?, before = fingerprint WHERE id = ?",
                (seen.run, RecordAction.UNCHANGED.value, number),
            )
            self._tally.count("unchanged")
        return RecordAction.UNCHANGED

    def _end_absence(self, number: str, seen: Sighting, old: Standing) -> None:
        if old.gone is not None:
            record_back(self._connection, number, seen.run, seen.at)

    def _create(self, found: FoundRecord, seen: Sighting) -> RecordAction:
        self._connection.execute(
            "INSERT INTO record(id, tenant, source, type, natural_key, url_id, data, fingerprint, etag, capture, "
            "response, first_seen, last_seen, last_changed, version, run, action, before, depth, canonical, misses, "
            "gone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, NULL, ?, ?, 0, NULL)",
            (
                *(found.record_id, self.tenant, found.source, found.type, found.natural_key, seen.url, found.data),
                *(found.fingerprint, seen.etag, seen.capture, seen.response, seen.at, seen.at, seen.at, seen.run),
                *(RecordAction.CREATED.value, seen.depth, seen.canonical),
            ),
        )
        if found.history:
            self._add_version(found, seen, 1)
        self._tally.count("records")
        self._tally.count("created")
        return RecordAction.CREATED

    def _replace(self, found: FoundRecord, seen: Sighting, old: Standing) -> RecordAction:
        """The page holds the record from now on, with what it says of it."""
        same_run = old.run == seen.run
        before = old.before if same_run else old.fingerprint
        after = _action(before, found.fingerprint)
        changed = old.fingerprint != found.fingerprint
        number = self._version(found, seen, old, after) if changed else old.version
        self._end_absence(found.record_id, seen, old)
        self._hold(found, seen)
        self._connection.execute(
            "UPDATE record SET data = ?, fingerprint = ?, version = ?, action = ?, before = ?, "
            "last_changed = CASE WHEN ? THEN ? ELSE last_changed END WHERE id = ?",
            (found.data, found.fingerprint, number, after.value, before, changed, seen.at, found.record_id),
        )
        if changed and after is RecordAction.UNCHANGED:
            self._restore_last_changed(found.record_id)
        if changed:
            self._forget_conflicts(found, seen)
        if same_run:
            self._tally.count(COUNTER[RecordAction(old.action)], -1)
        self._tally.count(COUNTER[after])
        return after

    def _hold(self, found: FoundRecord, seen: Sighting) -> None:
        """Last seen, the page, its ETag and its kept response."""
        self._connection.execute(
            "UPDATE record SET last_seen = ?, misses = 0, gone = NULL, url_id = ?, etag = ?, capture = ?, "
            "response = ?, run = ?, depth = ?, canonical = ? WHERE id = ?",
            (
                *(seen.at, seen.url, seen.etag, seen.capture, seen.response, seen.run, seen.depth),
                *(seen.canonical, found.record_id),
            ),
        )

    def _version(self, found: FoundRecord, seen: Sighting, old: Standing, after: RecordAction) -> int:
        """The number of the version that now stands: a run leaves at most one, and none where it changed nothing."""
        if old.run == seen.run and old.action != RecordAction.UNCHANGED.value:
            if after is RecordAction.UNCHANGED:
                return self._take_back_version(found.record_id, old.version)
            self._connection.execute(
                "UPDATE record_version SET fingerprint = ?, data = ? WHERE record_id = ? AND version = ?",
                (found.fingerprint, found.data, found.record_id, old.version),
            )
            return old.version
        if found.history:
            self._connection.execute(
                "UPDATE record_version SET valid_to = ? WHERE record_id = ? AND version = ?",
                (seen.at, found.record_id, old.version),
            )
            self._add_version(found, seen, old.version + 1)
        return old.version + 1

    def _take_back_version(self, record: str, version: int) -> int:
        """Another page of the run, which has precedence, says that nothing changed."""
        self._connection.execute("DELETE FROM record_version WHERE record_id = ? AND version = ?", (record, version))
        self._connection.execute(
            "UPDATE record_version SET valid_to = NULL WHERE record_id = ? AND version = ?", (record, version - 1)
        )
        return version - 1

    def _restore_last_changed(self, record: str) -> None:
        self._connection.execute(
            "UPDATE record SET last_changed = coalesce((SELECT valid_from FROM record_version WHERE record_id = id "
            "AND record_version.version = record.version), last_changed) WHERE id = ?",
            (record,),
        )

    def _add_version(self, found: FoundRecord, seen: Sighting, version: int) -> None:
        self._connection.execute(
            "INSERT INTO record_version(record_id, version, fingerprint, data, run, valid_from, valid_to) "
            "VALUES (?, ?, ?, ?, ?, ?, NULL)",
            (found.record_id, version, found.fingerprint, found.data, seen.run, seen.at),
        )

    def _list_conflict(self, found: FoundRecord, url: int, seen: Sighting, data: str, reason: str) -> None:
        """Listed once a run, page and content, however often the page is fetched."""
        record = found.record_id if found.natural_key is not None else None
        self._connection.execute(
            "INSERT INTO conflict(run, url_id, type, natural_key, record_id, reason, data, at) "
            "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT EXISTS (SELECT 1 FROM conflict WHERE run = ?1 "
            "AND url_id = ?2 AND type = ?3 AND record_id IS ?5 AND data = ?7)",
            (seen.run, url, found.type, found.natural_key, record, reason, data, seen.at),
        )
        self._tally.count("conflicts", self._connection.changes())

    def _forget_conflicts(self, found: FoundRecord, seen: Sighting) -> None:
        """What now stands is not in conflict with itself."""
        self._connection.execute(
            "DELETE FROM conflict WHERE record_id = ? AND run = ? AND data = ? AND reason = ?",
            (found.record_id, seen.run, found.data, PRECEDENCE),
        )
        self._tally.count("conflicts", -self._connection.changes())

    def _address(self, url: int) -> str:
        found = row(
            self._connection,
            "SELECT origin.base || url.path FROM url JOIN origin ON origin.id = url.origin_id WHERE url.id = ?",
            (url,),
        )
        return str(found[0])


def _action(before: str | None, after: str) -> RecordAction:
    """What the run did to a record, seen from its fingerprint before the run (None: it was not there)."""
    if before is None:
        return RecordAction.CREATED
    return RecordAction.UNCHANGED if before == after else RecordAction.UPDATED
