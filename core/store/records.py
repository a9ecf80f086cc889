"""Records: exactly one row a natural key, whatever is fetched twice, killed or found on two pages (SPEC 8.2 to 8.5).

Precedence between two pages of one run is fixed: the record's canonical page, the smaller depth, the smaller URL id's
address. So the outcome does not hang on the order in which pages came in; the loser is listed as a conflict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.names import RecordAction
from core.store.query import row, rows

if TYPE_CHECKING:
    import apsw

    from core.store.results import FoundRecord
    from core.store.tally import Tally

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
    canonical: bool = False  # the page is the one its own canonical names

    @property
    def rank(self) -> tuple[bool, int, str]:
        return (not self.canonical, self.depth, self.address)


class Records:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, tally: Tally, tenant: str) -> None:
        self._connection = connection
        self._tally = tally
        self._tenant = tenant

    def upsert(self, found: FoundRecord, seen: Sighting) -> RecordAction:
        """Bring one extracted record in; answers what that did."""
        if found.natural_key is None:
            self._conflict(found, seen, None, found.reason)
            return RecordAction.CONFLICT
        old = row(
            self._connection,
            "SELECT fingerprint, version, run, action, before, url_id, depth, canonical, data FROM record WHERE id = ?",
            (found.record_id,),
        )
        if old is None:
            return self._create(found, seen)
        fingerprint, _version, run, _action, _before, url, *_ = old
        if run == seen.run and url != seen.url and fingerprint != found.fingerprint:
            return self._contest(found, seen, old)
        if run == seen.run and url != seen.url:
            self._touch(found, seen, moves=False)
            return RecordAction.UNCHANGED
        return self._replace(found, seen, old, before=fingerprint if run != seen.run else old[4])

    def unchanged_on(self, seen: Sighting) -> None:
        """The page answered 304: all its records were seen, unchanged."""
        sql = "SELECT id, run, action FROM record WHERE url_id = ?"
        for number, run, _action in rows(self._connection, sql, (seen.url,)):
            if run != seen.run:
                self._connection.execute(
                    "UPDATE record SET last_seen = ?, run = ?, action = ?, before = fingerprint, misses = 0, "
                    "gone = NULL WHERE id = ?",
                    (seen.at, seen.run, RecordAction.UNCHANGED.value, number),
                )
                self._tally.count("unchanged")

    def _create(self, found: FoundRecord, seen: Sighting) -> RecordAction:
        self._connection.execute(
            "INSERT INTO record(id, tenant, source, type, natural_key, url_id, data, fingerprint, etag, capture, "
            "response, first_seen, last_seen, last_changed, version, run, action, before, depth, canonical, misses, "
            "gone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, NULL, ?, ?, 0, NULL)",
            (
                *(found.record_id, self._tenant, found.source, found.type, found.natural_key, seen.url, found.data),
                *(found.fingerprint, seen.etag, seen.capture, seen.response, seen.at, seen.at, seen.at, seen.run),
                *(RecordAction.CREATED.value, seen.depth, int(seen.canonical)),
            ),
        )
        if found.history:
            self._add_version(found, seen, 1)
        self._tally.count("records")
        self._tally.count("created")
        return RecordAction.CREATED

    def _contest(self, found: FoundRecord, seen: Sighting, old: tuple[object, ...]) -> RecordAction:
        """Two pages of one run, different data: the one that ranks first stands, whichever came first."""
        _fingerprint, _version, _run, _action, before, url, depth, canonical, data = old
        holder = Sighting(
            int(str(url)), seen.run, seen.at, int(str(depth)), self._address(url), canonical=bool(canonical)
        )
        if holder.rank <= seen.rank:
            self._conflict(found, seen, found.record_id, "another page of this run has precedence")
            return RecordAction.CONFLICT
        self._list_conflict(found, holder.url, seen, str(data), "another page of this run has precedence")
        return self._replace(found, seen, old, before=before)

    def _replace(self, found: FoundRecord, seen: Sighting, old: tuple[object, ...], before: object) -> RecordAction:
        fingerprint, version, run, action, *_ = old
        same_run = run == seen.run
        after = _action(before, found.fingerprint)
        changed = fingerprint != found.fingerprint
        number = int(str(version))
        if changed:
            number = self._new_version(
                found, seen, number, same_run=same_run and action != RecordAction.UNCHANGED.value
            )
        self._touch(found, seen, moves=True)
        self._connection.execute(
            "UPDATE record SET data = ?, fingerprint = ?, version = ?, action = ?, before = ?, "
            "last_changed = CASE WHEN ? THEN ? ELSE last_changed END WHERE id = ?",
            (found.data, found.fingerprint, number, after.value, before, changed, seen.at, found.record_id),
        )
        if same_run:
            self._tally.count(COUNTER[RecordAction(str(action))], -1)
        self._tally.count(COUNTER[after])
        return after

    def _touch(self, found: FoundRecord, seen: Sighting, *, moves: bool) -> None:
        """Last seen, and (where the page is the record's own) the page, its ETag and its kept response."""
        self._connection.execute(
            "UPDATE record SET last_seen = ?, misses = 0, gone = NULL WHERE id = ?", (seen.at, found.record_id)
        )
        if moves:
            self._connection.execute(
                "UPDATE record SET url_id = ?, etag = ?, capture = ?, response = ?, run = ?, depth = ?, canonical = ? "
                "WHERE id = ?",
                (
                    seen.url,
                    seen.etag,
                    seen.capture,
                    seen.response,
                    seen.run,
                    seen.depth,
                    seen.canonical,
                    found.record_id,
                ),
            )

    def _new_version(self, found: FoundRecord, seen: Sighting, version: int, *, same_run: bool) -> int:
        """A change within one run rewrites that run's version: a run leaves at most one."""
        if same_run:
            self._connection.execute(
                "UPDATE record_version SET fingerprint = ?, data = ? WHERE record_id = ? AND version = ?",
                (found.fingerprint, found.data, found.record_id, version),
            )
            return version
        if found.history:
            self._connection.execute(
                "UPDATE record_version SET valid_to = ? WHERE record_id = ? AND version = ?",
                (seen.at, found.record_id, version),
            )
            self._add_version(found, seen, version + 1)
        return version + 1

    def _add_version(self, found: FoundRecord, seen: Sighting, version: int) -> None:
        self._connection.execute(
            "INSERT INTO record_version(record_id, version, fingerprint, data, run, valid_from, valid_to) "
            "VALUES (?, ?, ?, ?, ?, ?, NULL)",
            (found.record_id, version, found.fingerprint, found.data, seen.run, seen.at),
        )

    def _conflict(self, found: FoundRecord, seen: Sighting, record: str | None, reason: str) -> None:
        self._list_conflict(found, seen.url, seen, found.data, reason, record=record)

    def _list_conflict(
        self, found: FoundRecord, url: int, seen: Sighting, data: str, reason: str, *, record: str | None = None
    ) -> None:
        known = found.record_id if found.natural_key is not None else record
        self._connection.execute(
            "INSERT INTO conflict(run, url_id, type, natural_key, record_id, reason, data, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (seen.run, url, found.type, found.natural_key, known, reason, data, seen.at),
        )
        self._tally.count("conflicts")

    def _address(self, url: object) -> str:
        found = row(
            self._connection,
            "SELECT origin.base || url.path FROM url JOIN origin ON origin.id = url.origin_id WHERE url.id = ?",
            (url,),
        )
        return str(found[0])


def _action(before: object, after: str) -> RecordAction:
    """What the run did to a record, seen from its fingerprint before the run (None: it was not there)."""
    if before is None:
        return RecordAction.CREATED
    return RecordAction.UNCHANGED if before == after else RecordAction.UPDATED
