"""One table as it is being looked at: the first rows at once, then the whole order, then any page of it.

For one worker thread of the window, on a connection of its own that cannot change the crawl. The order is kept as a
temporary table of row keys, so a page costs the same at row 100 and at row 1,000,000, and what the engine adds
meanwhile moves nothing: `newer` counts it. Only keys are kept: 12 bytes a row or so.

SQLite's `query_only` forbids temporary tables too, so it is lifted for the one statement that makes the table.
"""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import apsw

from core.settings import CrawlSettings, decode, encode
from core.store.crawl_file import connect
from core.store.faults import translated
from core.store.read.columns import TableRow
from core.store.read.duplicates import Duplicates
from core.store.read.functions import register
from core.store.read.select import Parameters, Sql, cells, columns_of, count_newer, first_keys, keys_in_order
from core.store.read.tables import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from core.store.read.columns import Cell, TableQuery, TableSpec

ASKED_EVERY = 100_000  # steps of SQLite's machine: about a millisecond
AMONG = 5_000  # rows that the first look sorts: about 20 ms
GLIMPSED = 10_000  # pages of which a base that is to be made is made at first: about 50 ms
_BUILT = "(SELECT rowid AS n, * FROM temp.snapshot WHERE rowid BETWEEN ? AND ?)"


def _never() -> bool:
    return False


class Interrupted(Exception):
    """The work was cut short by `interrupt`: nobody wants its result any more. Not a fault."""


class Snapshot:
    """See the module. Close it in the thread that made it; only `interrupt` may be called from another."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = connect(path)
        self._connection: apsw.Connection = self._database.connection()
        self._settings: tuple[int, CrawlSettings] = (0, CrawlSettings())
        self._built: tuple[TableSpec, TableQuery] | None = None
        self._latest: Cell = None
        self._duplicates = Duplicates(self._connection)
        self._is_cut = False  # between two statements, which `interrupt` cannot reach
        self._cancelled: Callable[[], bool] = _never

    def first(self, query: TableQuery, n: int = 200) -> list[TableRow]:
        """The first rows without waiting for the whole order: exact while at most 5,000 rows match, else a glimpse.

        The glimpse holds the first matches in order of arrival, sorted among themselves. Raises BadInput for a
        condition that cannot be, Interrupted, and the StorageErrors.
        """
        with self._reading():
            spec = table(query.table, self.settings())
            self._make_base(spec, GLIMPSED)
            keys = first_keys(spec, query, n, AMONG)
            sql = cells(spec, columns_of(spec, query), f"({keys.text})")
            return [row for _, row in self._rows(spec, Sql(sql, keys.parameters))]

    def build(self, query: TableQuery) -> int:
        """Fix the rows and their order, and say how many they are. What was built before is gone."""
        with self._reading():
            spec = table(query.table, self.settings())
            columns_of(spec, query)
            self._make_base(spec)
            keys = keys_in_order(spec, query)
            self._built = None
            self._latest = self._one(spec.latest)
            self._make(keys)
            self._built = (spec, query)
            return int(self._one("SELECT count(*) FROM temp.snapshot") or 0)

    def page(self, start: int, n: int = 128) -> list[TableRow]:
        """Rows `start` to `start + n` of what was built, with their cells as they are now.

        A row that is there no longer keeps its place, with blank cells.
        """
        return self._page(start, n, native=False)

    def native_page(self, start: int, n: int) -> list[TableRow]:
        """Like `page`, but a cell that is more than one plain value is its JSON text."""
        return self._page(start, n, native=True)

    def newer(self) -> int:
        """How many rows that match came since `build`."""
        if self._built is None:
            return 0
        spec, query = self._built
        with self._reading():
            sql = count_newer(spec, query, self._latest or 0)  # type: ignore[arg-type] # `latest` is a number or null
            return int(self._one(sql.text, sql.parameters))

    def settings(self) -> CrawlSettings:
        """The settings in force: they name the columns of the records and the rules of the key form."""
        with translated(self._path):
            version, text = self._all("SELECT version, json FROM setting ORDER BY version DESC LIMIT 1")[0]
            if version != self._settings[0]:
                self._settings = (version, decode(text))
                register(self._connection, self._settings[1])
        return self._settings[1]

    def settings_hash(self) -> str:
        """SHA-256 over the settings in force as they are stored: says whether two exports had the same."""
        return hashlib.sha256(encode(self.settings()).encode()).hexdigest()

    @contextmanager
    def held(self, cancelled: Callable[[], bool] | None = None) -> Iterator[None]:
        """One read transaction around several calls, for an export: all is of one moment. The WAL grows meanwhile.

        `cancelled` is asked many times a second, also while the order is being made: yes raises Interrupted.
        """
        with translated(self._path):
            self._connection.execute("BEGIN")
        self._connection.set_progress_handler(cancelled, ASKED_EVERY)
        self._cancelled = cancelled or _never
        try:
            yield
        finally:
            self._connection.set_progress_handler(None)
            self._cancelled = _never
            if not self._connection.get_autocommit():  # an interrupted statement may have ended it
                self._connection.execute("ROLLBACK")

    def interrupt(self) -> None:
        """Stop what runs now, from any thread; it raises Interrupted there. Nothing happens when nothing runs."""
        self._is_cut = True
        self._connection.interrupt()

    def close(self) -> None:
        """Let go of the file; what was built is gone."""
        self._built = None
        self._database.close()

    def _page(self, start: int, n: int, *, native: bool) -> list[TableRow]:
        if self._built is None:
            return []
        spec, query = self._built
        with self._reading():
            columns = columns_of(spec, query)
            bounds = (start + 1, start + n)
            found = dict(self._rows(spec, Sql(cells(spec, columns, _BUILT, native=native), bounds)))
            if len(found) == n:
                return list(found.values())
            numbers = self._all("SELECT rowid FROM temp.snapshot WHERE rowid BETWEEN ? AND ?", bounds)
            blank = TableRow((None,) * len(spec.keys), (None,) * len(columns))
            return [found.get(number, blank) for (number,) in numbers]

    def _rows(self, spec: TableSpec, sql: Sql) -> list[tuple[int, TableRow]]:
        cut = 1 + len(spec.keys)
        rows = self._all(sql.text, sql.parameters)
        return [(row[0], TableRow(row[1:cut], row[cut:])) for row in rows]

    def _make(self, keys: Sql) -> None:
        with self._writable():
            self._connection.execute("DROP TABLE IF EXISTS temp.snapshot")
            self._connection.execute(f"CREATE TEMP TABLE snapshot AS {keys.text}", keys.parameters)

    def _make_base(self, spec: TableSpec, most: int = -1) -> None:
        """The temporary table that some tables stand on, of all pages or of the first ones."""
        if not spec.made:
            return
        self._is_cut = False
        with self._writable():
            if not self._duplicates.make(self.settings().pages.near_duplicates, self._is_wanted, most):
                raise Interrupted

    def _is_wanted(self) -> bool:
        return not (self._is_cut or self._cancelled())

    @contextmanager
    def _writable(self) -> Iterator[None]:
        """For temporary tables: the file's own stay as they are."""
        self._connection.execute("PRAGMA query_only=0")
        try:
            yield
        finally:
            self._connection.execute("PRAGMA query_only=1")

    def _all(self, sql: str, parameters: Parameters = ()) -> list[Any]:
        return self._connection.execute(sql, parameters).fetchall()

    def _one(self, sql: str, parameters: Parameters = ()) -> Any:
        return self._all(sql, parameters)[0][0]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            with translated(self._path):
                yield
        except apsw.InterruptError as error:
            raise Interrupted from error
