"""The rows of a file's tables, each ready for its table in a fresh file: by SQLite, or page by page.

A table that checks out whole in a file of our own form is simply read. Of any other, every page that can be reached is
read on its own, then pages nobody leads to any more, then what an index repeats of the rows.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import apsw

from core.store.query import rows
from core.store.rescue.layouts import Layout, Target, assumed, layouts
from core.store.rescue.pages import OF_INDEXES, OF_TABLES, TABLE_LEAF, PageFile, Tree
from core.store.rescue.records import Unreadable, Value, decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.store.rescue.pages import Cell

Row = tuple[Value, ...]
TRIED = 8  # cells of a page that nobody leads to, to tell whose it is
LATER_COLUMNS = 2  # that migrations have put behind a table's last: rows of earlier forms do without
DERIVED = frozenset({"path_count", "url_state_name"})  # made anew, not copied


@dataclass(slots=True)
class Found:
    """How the reading of one table went."""

    whole: bool = True
    lost_pages: int = 0
    bad_rows: int = 0  # that could not be read, or were no rows of this table


@dataclass(slots=True)
class Orphans:
    """Pages that no table leads to, by the table they seem to belong to."""

    pages: dict[str, list[int]] = field(default_factory=dict)


class Reading:
    """One file's rows. `sound` is a connection to it, given only where its form is exactly ours."""

    def __init__(
        self, file: PageFile, targets: dict[str, Target], known: apsw.Connection, sound: apsw.Connection | None
    ):
        self._file = file
        self._targets = targets
        self._sound = sound
        self._claimed: set[int] = set()
        schema = self._schema()
        self._layouts, self._indexes = layouts(schema, known)
        for name, layout in assumed(known).items():
            self._layouts.setdefault(name, layout)
        self._whole = {name for name in targets if self._is_whole(name)}
        self._trees = {name: self._tree(layout) for name, layout in self._layouts.items()}
        self._index_pages = [
            (name, index, self._file.tree(index.root, OF_INDEXES, self._claimed))
            for name, indexes in self._indexes.items()
            for index in indexes
        ]
        self._orphans: Orphans | None = None

    def rows_of(self, name: str, found: Found) -> Iterator[Row]:
        """Each row that can be had, some perhaps twice; `found` is kept up to date."""
        if self._sound is not None and name in self._whole:
            try:
                yield from self._by_sqlite(self._sound, name, found)
            except (apsw.Error, UnicodeError):  # damage that its check did not see; what was given stays
                self._whole.discard(name)
            else:
                return
        found.whole = False
        found.lost_pages = self._trees[name].lost if name in self._trees else 0
        yield from self._by_pages(name, self._trees.get(name, Tree()).pages, found)
        yield from self._by_pages(name, self._orphans_of(name), found)
        yield from self._by_index(name)

    # -- by SQLite --------------------------------------------------------------------------------------------------

    def _is_whole(self, name: str) -> bool:
        if self._sound is None:
            return False
        try:
            return rows(self._sound, f'PRAGMA quick_check("{name}")') == [("ok",)]
        except apsw.Error:
            return False

    def _by_sqlite(self, sound: apsw.Connection, name: str, found: Found) -> Iterator[Row]:
        target = self._targets[name]
        there = {column for (column,) in rows(sound, "SELECT name FROM pragma_table_info(?)", (name,))}
        names = [column.name for column in target.columns if column.name in there]
        listed = ", ".join(f'"{column}"' for column in names)
        for row in sound.execute(f'SELECT {listed} FROM "{name}"'):
            fitted = target.fit(dict(zip(names, row, strict=True)))
            if fitted is None:
                found.bad_rows += 1
            else:
                yield fitted

    # -- page by page -----------------------------------------------------------------------------------------------

    def _schema(self) -> list[tuple[Any, ...]]:
        tree = self._file.tree(1, OF_TABLES, self._claimed)
        found = []
        for number in tree.pages:
            for cell in self._file.cells(number):
                with suppress(Unreadable):
                    values = decode(cell.payload) if cell else ()
                    if len(values) == 5:
                        found.append(values)
        return found

    def _tree(self, layout: Layout) -> Tree:
        kinds = OF_TABLES if layout.has_rowid else OF_INDEXES
        return self._file.tree(layout.root, kinds, self._claimed)

    def _by_pages(self, name: str, pages: list[int], found: Found) -> Iterator[Row]:
        layout, target = self._layouts[name], self._targets[name]
        for number in pages:
            for cell in self._file.cells(number):
                row = _row(cell, layout, target)
                if row is None:
                    found.bad_rows += 1
                else:
                    yield row

    def _by_index(self, name: str) -> Iterator[Row]:
        """What an index repeats is enough for a row where all other columns have defaults."""
        for table, index, tree in self._index_pages:
            if table != name:
                continue
            for number in tree.pages:
                for cell in self._file.cells(number):
                    row = _row(cell, index, self._targets[name], fewer=0)
                    if row is not None:
                        yield row

    # -- pages that nobody leads to ---------------------------------------------------------------------------------

    def _orphans_of(self, name: str) -> list[int]:
        if self._orphans is None:
            self._orphans = self._find_orphans()
        return self._orphans.pages.get(name, [])

    def _find_orphans(self) -> Orphans:
        found = Orphans()
        broken = [name for name, tree in self._trees.items() if tree.lost and name not in self._whole]
        wanted = [name for name in broken if name not in DERIVED]
        gone = self._file.free() if wanted else set[int]()
        for number in range(1, self._file.count + 1 if wanted else 1):
            kind = self._file.kind(number)
            if kind in {TABLE_LEAF, *OF_INDEXES} and number not in self._claimed and number not in gone:
                owner = self._owner(number, [n for n in wanted if self._layouts[n].has_rowid == (kind == TABLE_LEAF)])
                if owner is not None:
                    found.pages.setdefault(owner, []).append(number)
        return found

    def _owner(self, number: int, names: list[str]) -> str | None:
        """The table that most of the page's first rows fit into; one whose columns came later, if no other does."""
        cells = [cell for cell, _ in zip(self._file.cells(number), range(TRIED), strict=False)]
        for fewer in range(LATER_COLUMNS + 1):
            best, owner = 0, None
            for name in names:
                layout, target = self._layouts[name], self._targets[name]
                fitting = sum(_row(cell, layout, target, fewer=fewer) is not None for cell in cells)
                if fitting > best:
                    best, owner = fitting, name
            if owner is not None and best * 2 >= len(cells):
                return owner
        return None


def _row(cell: Cell | None, layout: Layout, target: Target, *, fewer: int | None = None) -> Row | None:
    if cell is None:
        return None
    try:
        given = layout.named(cell, decode(cell.payload), fewer)
    except Unreadable:
        return None
    return None if given is None else target.fit(given)
