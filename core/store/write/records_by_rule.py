"""Records as other rules find them on pages that were fetched before: same ids, and a history that names the rules.

To the run that saw a record last this is no look: what it did to the record, and when the record was seen, stay. A
version that came of a rule names the version of the settings that have the rule, and is valid from their re-parse on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.names import RecordAction
from core.store.query import row, rows
from core.store.reparsed import Collision, Example, ReparseReport, field_changes
from core.store.write.absences import GO_RECORD, record_back
from core.store.write.records import Records, Sighting

if TYPE_CHECKING:
    from collections.abc import Collection

    import apsw

    from core.store.reparsed import KeptAnswer
    from core.store.results import FoundRecord
    from core.store.write.records import Standing
    from core.store.write.tally import Tally

BY_RULE = "rule"  # the reason of an absence
NEVER = 0  # the capture of a record that its page does not show: a 304 of that page brings it back as little
HELD = """
SELECT id, type, data FROM record WHERE url_id = ? AND tenant = ? AND gone IS NULL
AND (capture IS NULL OR capture >= ?)"""
STANDS = """
UPDATE record SET data = ?1, fingerprint = ?2, version = ?3, url_id = ?4, etag = ?5, capture = ?6, response = ?7,
    depth = ?8, canonical = ?9, misses = 0, gone = NULL, last_seen = max(last_seen, ?10),
    last_changed = iif(?11, ?12, last_changed), before = iif(action = 'unchanged', ?2, before)
WHERE id = ?13"""


class RecordsByRule(Records):
    """Used inside the transactions of a re-parse. `rules` is the version of the settings, `at` when it began."""

    def __init__(
        self, connection: apsw.Connection, tally: Tally, tenant: str, rules: int, at: float, report: ReparseReport
    ) -> None:
        super().__init__(connection, tally, tenant)
        self._rules = rules
        self._at = at
        self._report = report

    def reread(self, page: KeptAnswer, found: tuple[FoundRecord, ...], run: int, types: Collection[str]) -> None:
        """All records that a page has by the rules of now; what it held and has not is gone, of these types."""
        seen = Sighting(
            *(page.id, run, page.at, page.depth, page.url.text, page.etag, page.capture, page.response),
            canonical=page.canonical,
        )
        self._connection.execute("DELETE FROM conflict WHERE run = ? AND url_id = ?", (run, page.id))
        self._tally.count("conflicts", -self._connection.changes())
        self.bring(found, seen)
        shown = {record.record_id for record in found}
        for number, type_, data in rows(self._connection, HELD, (page.id, self.tenant, page.body)):
            if type_ in types and number not in shown:
                self._let_go(number, type_, data, seen)

    def count_unread(self, page: int) -> None:
        """The records of a page that cannot be read any more: they stay as they are."""
        for _, type_, _ in rows(self._connection, HELD, (page, self.tenant, NEVER)):
            self._report.of(type_).unread += 1

    def _let_go(self, number: str, type_: str, data: str, seen: Sighting) -> None:
        self._connection.execute(f"{GO_RECORD} id = ?1", (number, seen.run, self._at, BY_RULE))
        self._connection.execute("UPDATE record SET gone = ?, capture = ? WHERE id = ?", (self._at, NEVER, number))
        self._report.of(type_).gone += 1
        self._report.add_example(Example(type_, "gone", number, seen.address, field_changes(data, None)))

    # -- what differs from a look at a fetched page -----------------------------------------------------------------

    def _see(self, number: str, seen: Sighting, old: Standing) -> RecordAction:
        """Another page holds it, and is counted with it."""
        self._end_absence(number, seen, old)
        self._connection.execute("UPDATE record SET misses = 0, gone = NULL WHERE id = ?", (number,))
        return RecordAction.UNCHANGED

    def _end_absence(self, number: str, seen: Sighting, old: Standing) -> None:
        if old.gone is None:
            return
        self._connection.execute(
            "DELETE FROM absence WHERE record_id = ? AND back IS NULL AND reason = ? AND at = ?",
            (number, BY_RULE, self._at),
        )
        if not self._connection.changes():
            record_back(self._connection, number, seen.run, self._at)

    def _create(self, found: FoundRecord, seen: Sighting) -> RecordAction:
        action = super()._create(found, seen)
        self._connection.execute("UPDATE record SET last_changed = ? WHERE id = ?", (self._at, found.record_id))
        self._report.of(found.type).created += 1
        self._tell(found, "created", seen, None)
        return action

    def _replace(self, found: FoundRecord, seen: Sighting, old: Standing) -> RecordAction:
        """The page holds the record from now on, with what these rules find."""
        went_before = self._went_before(found.record_id, old)
        changed = old.fingerprint != found.fingerprint
        if changed and found.history:
            self._connection.execute(
                "UPDATE record_version SET valid_to = ? WHERE record_id = ? AND version = ?",
                (self._at, found.record_id, old.version),
            )
            self._add_version(found, seen, old.version + 1)
        self._end_absence(found.record_id, seen, old)
        self._connection.execute(
            STANDS,
            (
                *(found.data, found.fingerprint, old.version + changed, seen.url, seen.etag, seen.capture),
                *(seen.response, seen.depth, seen.canonical, seen.at, changed, self._at, found.record_id),
            ),
        )
        if changed:
            self._forget_conflicts(found, seen)
        counts = self._report.of(found.type)
        if went_before:
            counts.gone -= 1
            self._report.withdraw(found.record_id)
        if changed or (old.gone is not None and not went_before):
            counts.updated += 1
            self._tell(found, "updated", seen, old.data)
            return RecordAction.UPDATED
        counts.unchanged += 1
        return RecordAction.UNCHANGED

    def _went_before(self, number: str, old: Standing) -> bool:
        """Whether a page read earlier in this re-parse does not show it any more, so that it was gone."""
        if old.gone is None:
            return False
        sql = "SELECT 1 FROM absence WHERE record_id = ? AND back IS NULL AND reason = ? AND at = ?"
        return row(self._connection, sql, (number, BY_RULE, self._at)) is not None

    def _add_version(self, found: FoundRecord, seen: Sighting, version: int) -> None:
        self._connection.execute(
            "INSERT INTO record_version(record_id, version, fingerprint, data, run, valid_from, valid_to, rules) "
            "VALUES (?, ?, ?, ?, ?, ?, NULL, ?)",
            (found.record_id, version, found.fingerprint, found.data, seen.run, self._at, self._rules),
        )

    def _list_conflict(self, found: FoundRecord, url: int, seen: Sighting, data: str, reason: str) -> None:
        super()._list_conflict(found, url, seen, data, reason)
        self._report.of(found.type).conflicts += 1
        other = row(self._connection, "SELECT url_id FROM record WHERE id = ?", (found.record_id,))
        if found.natural_key is not None and other is not None and reason != found.reason:
            holder = self._address(other[0])
            self._report.add_collision(Collision(found.type, found.natural_key, seen.address, holder, reason))

    def _tell(self, found: FoundRecord, action: str, seen: Sighting, before: str | None) -> None:
        changes = field_changes(before, found.data)
        self._report.add_example(Example(found.type, action, found.record_id, seen.address, changes))
