"""A re-parse: the records of all kept answers by the rules of now, piece by piece, in one go that can be cut off.

Pages come in the order of precedence (records.py), so that whoever shows a record first has it, and each record
changes once at most. How far it is stands in the crawl file, in the transaction that stores the records of a piece:
after a kill it goes on there, unless the settings are others or an engine has run meanwhile; then it begins anew,
which changes nothing twice. A dry run does the same on temporary tables that hide those of the file, without a lock.
"""

from __future__ import annotations

from array import array
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import apsw
import msgspec

from core.settings import decode
from core.store.crawl_file import connect, open_writer
from core.store.faults import translated
from core.store.query import row, value
from core.store.reparsed import KeptAnswer, ReparseReport
from core.store.responses import Responses
from core.store.words import quantity
from core.store.write.adoptions import adopted
from core.store.write.hosts import Hosts
from core.store.write.journal import Journal
from core.store.write.outbox import Outbox
from core.store.write.records_by_rule import RecordsByRule
from core.store.write.tally import Tally
from core.urls import Rejected, Rules, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from core.settings import CrawlSettings
    from core.store.reparsed import Reread
    from core.store.results import FoundRecord, Response

NAME = "reparse"  # in meta, while one is unfinished

PAGES = """
SELECT url.id FROM page JOIN url ON url.id = url_id JOIN origin ON origin.id = origin_id JOIN host ON
host.id = url.host_id WHERE tenant = ? AND same_as IS NULL
AND (page.response IS NOT NULL OR url_id IN (SELECT url_id FROM record))
ORDER BY CASE WHEN alias_of IS NOT NULL THEN 1 WHEN canonical IS NULL THEN 0 ELSE -names_itself(canonical, base || path)
END, depth, base || path"""
PAGE = """
SELECT url.id, origin_id, path, depth, last_fetched, page.content_type, etag, canonical, alias_of,
    iif(status BETWEEN 200 AND 299 OR status = 304, response, NULL),
    coalesce((SELECT max(id) FROM capture WHERE url_id = url.id AND led_to IS NULL), 0),
    coalesce((SELECT max(id) FROM capture WHERE url_id = url.id AND led_to IS NULL AND outcome <> 'not_modified'), 0)
FROM url JOIN page ON url_id = url.id WHERE url.id = ?"""
WHOLE = "SELECT 1 FROM capture WHERE id = ? AND outcome = 'ok' AND status BETWEEN 200 AND 299"
HIDDEN = (
    "CREATE TEMP TABLE record AS SELECT * FROM main.record",
    "CREATE UNIQUE INDEX temp.record_id ON record(id)",
    "CREATE INDEX temp.record_url ON record(url_id)",
    "CREATE TEMP TABLE record_version AS SELECT * FROM main.record_version WHERE 0",
    "CREATE TEMP TABLE absence AS SELECT * FROM main.absence WHERE record_id IS NOT NULL",
    "CREATE INDEX temp.absence_of ON absence(record_id)",
    "CREATE TEMP TABLE conflict AS SELECT * FROM main.conflict WHERE run = (SELECT max(number) FROM main.run)",
    "CREATE INDEX temp.conflict_of ON conflict(run, url_id)",
    "CREATE INDEX temp.conflict_record ON conflict(record_id, run)",
)


class Progress(msgspec.Struct, frozen=True):
    """What the file keeps of one that is unfinished: for which settings, after which session, since when, how far."""

    rules: int
    session: int
    at: float
    last: int  # the page it has come to
    report: ReparseReport


class Reparse:
    """One re-parse, used by one thread; unless it is dry, by the holder of the engine lock. Close it at the end."""

    def __init__(self, path: Path, at: float, *, dry_run: bool) -> None:
        self._path = path
        self._dry_run = dry_run
        self._responses = Responses(path)
        if dry_run:
            self._database = connect(path)
            self._connection: apsw.Connection = self._database.connection()
            self._hide_tables()
        else:
            self._connection = open_writer(path)
        with translated(path):
            self._begin(at)

    def _begin(self, at: float) -> None:
        connection = self._connection
        version, text = row(connection, "SELECT version, json FROM setting ORDER BY version DESC LIMIT 1")
        self.settings: CrawlSettings = decode(text)
        self._rules = Rules.of(self.settings.normalise)
        self._types = {kind.name for kind in self.settings.records}
        self._run: int = value(connection, "SELECT max(number) FROM run", default=0)
        self._hosts = Hosts(connection, self.settings.tenant)
        self._tally = Tally()
        connection.create_scalar_function("names_itself", self._names_itself, 2)
        self._order = array("q", (number for (number,) in connection.execute(PAGES, (self.settings.tenant,))))
        session = value(connection, "SELECT max(id) FROM session", default=0)
        self._progress = Progress(version, session, at, 0, ReparseReport(self._dry_run, pages=len(self._order)))
        self._position = 0
        self._go_on()
        self.report = self._progress.report
        if not self._dry_run:
            with self._transaction():
                Outbox(connection).use(self.settings.notify)  # what rules change is told as any other change
        self._records = RecordsByRule(
            connection, self._tally, self.settings.tenant, version, self._progress.at, self.report
        )

    def _go_on(self) -> None:
        """Where an unfinished one of the same settings stopped."""
        text = value(self._connection, "SELECT value FROM meta WHERE name = ?", (NAME,))
        if text is None or self._dry_run:
            return
        before = msgspec.json.decode(text, type=Progress)
        same = (before.rules, before.session) == (self._progress.rules, self._progress.session)
        if same and before.report.pages == len(self._order) and before.last in self._order:
            self._progress = before
            self._position = self._order.index(before.last) + 1

    # -- page by page -----------------------------------------------------------------------------------------------

    def pages(self, limit: int) -> list[KeptAnswer]:
        """The next pages in order; none at the end."""
        with translated(self._path):
            return [self._page(number) for number in self._order[self._position : self._position + limit]]

    def response(self, page: KeptAnswer) -> Response | None:
        """What was answered; None where it is kept no more."""
        return self._responses.read(page.response) if page.response is not None else None

    def store(self, read: Sequence[Reread]) -> None:
        """What the rules find on the next pages, in the order of `pages`, in one transaction."""
        with translated(self._path), self._transaction():
            for each in read:
                self._store(each)
            self._position += len(read)
            self.report.done = self._position
            if read:
                self._keep(read[-1].page.id)

    def finish(self, at: float) -> None:
        """All pages are read: a line in the log says what came of it."""
        self.report.finished = True
        if self._dry_run:
            return
        with translated(self._path), self._transaction():
            self._connection.execute("DELETE FROM meta WHERE name = ?", (NAME,))
            elapsed = value(self._connection, "SELECT sum(seconds) FROM session", default=0.0)
            Journal(self._connection).write(at, elapsed, "info", "settings", self._sentence())

    def close(self) -> None:
        """Let go of both files."""
        self._responses.close()
        if self._dry_run:
            self._database.close()
            return
        with translated(self._path):
            self._connection.setbusytimeout(500)
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._connection.close()

    def _page(self, number: int) -> KeptAnswer:
        found = row(self._connection, PAGE, (number,))
        id_, origin, path, depth, at, type_, etag, named, alias, response, capture, body = found
        url = self._hosts.url(origin, path)
        whole = response is not None and row(self._connection, WHOLE, (body,)) is not None
        own = named is not None and bool(self._names_itself(named, url.text))
        of = None
        if alias is not None:
            of = self._hosts.url(*row(self._connection, "SELECT origin_id, path FROM url WHERE id = ?", (alias,)))
        rank = -1 if of is not None else int(own)
        return KeptAnswer(
            *(id_, url, depth, at, type_, etag, response if whole else None, capture, body), canonical=rank, alias_of=of
        )

    def _store(self, each: Reread) -> None:
        if each.records is None:
            self.report.missing += each.missing
            self.report.unreadable += not each.missing
            self._records.count_unread(each.page.id)
            return
        self._records.reread(each.page, self._identified(each.page, each.records), self._run, self._types)

    def _identified(self, page: KeptAnswer, found: tuple[FoundRecord, ...]) -> tuple[FoundRecord, ...]:
        if page.alias_of is None:
            return found
        key = key_form(page.alias_of, self._rules)
        return tuple(adopted(record, self.settings.tenant, key) for record in found)

    def _names_itself(self, *texts: Any) -> int:
        """Whether a page's canonical (the first) is its own address, in one spelling or another."""
        named, address = texts
        if named == address:
            return 1
        urls = parse(named), parse(address)
        keys = [key_form(url, self._rules) for url in urls if not isinstance(url, Rejected)]
        return int(" " not in named and len(keys) == 2 and keys[0] == keys[1])

    def _sentence(self) -> str:
        counts = self.report.records.values()
        parts = [
            f"{sum(getattr(each, name) for each in counts):,} {name}"
            for name in ("created", "unchanged", "updated", "gone")
        ]
        return f"{quantity(self.report.pages, 'kept page')} were parsed again by other rules: {', '.join(parts)}."

    # -- the file ---------------------------------------------------------------------------------------------------

    def _hide_tables(self) -> None:
        """Temporary tables stand before those of the file from here on, which cannot be written any more."""
        with translated(self._path):
            self._connection.execute("PRAGMA query_only=0")
            self._connection.execute("PRAGMA temp_store=FILE")
            with self._connection:
                for statement in HIDDEN:
                    self._connection.execute(statement)
            self._connection.authorizer = _only_temporary

    def _keep(self, last: int) -> None:
        if self._dry_run:
            return
        kept = msgspec.structs.replace(self._progress, last=last, report=self.report)
        sql = "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)"
        self._connection.execute(sql, (NAME, msgspec.json.encode(kept).decode()))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        connection = self._connection
        try:
            connection.execute("BEGIN" if self._dry_run else "BEGIN IMMEDIATE")
            yield
            if self._dry_run:
                self._tally.forget()
            self._tally.flush(connection, self._run)
            connection.execute("COMMIT")
        finally:
            if not connection.get_autocommit():
                connection.execute("ROLLBACK")


def _only_temporary(
    operation: int, _first: str | None, _second: str | None, database: str | None, _trigger: str | None
) -> int:
    """SQLite's authorizer for a dry run: the file's own tables are read and nothing else."""
    changes = {apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE}
    return apsw.SQLITE_DENY if operation in changes and database == "main" else apsw.SQLITE_OK
