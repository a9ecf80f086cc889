"""The pages of a database file and the cells on them, read one by one, however little of the file is whole.

(SQLite database file format, sections 1.3, 1.5, 1.6.) No page is followed twice, no number is believed beyond the
file's size, so that no damage and no malice makes this go round in circles or fill memory.
"""

from __future__ import annotations

import mmap
import struct
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.store.rescue.records import Unreadable, varint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TABLE_LEAF, TABLE_INNER, INDEX_LEAF, INDEX_INNER = 13, 5, 10, 2
OF_TABLES = (TABLE_LEAF, TABLE_INNER)
OF_INDEXES = (INDEX_LEAF, INDEX_INNER)
LARGEST_ROW = 64_000_000  # bytes
MOST_TIMES = 8  # each byte of a file belongs to one row, and rows are read a few times at most


@dataclass(frozen=True, slots=True)
class Cell:
    """A row as it lies on a page. `rowid` is None in an index or a table without one."""

    rowid: int | None
    payload: bytes


@dataclass(slots=True)
class Tree:
    """The pages of one table or index that could be reached from its root; `lost` could not be read."""

    pages: list[int] = field(default_factory=list)
    lost: int = 0


class PageFile:
    """A file of pages, opened for reading. Pages are numbered from 1."""

    def __init__(self, path: Path, size: int) -> None:
        self.size = size
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.count = len(self._bytes) // size
        self._usable = size
        self._left = MOST_TIMES * len(self._bytes)  # bytes of rows that are still believed

    def close(self) -> None:
        self._bytes.close()

    def page(self, number: int) -> bytes:
        """The bytes of a page; Unreadable where there is none of that number."""
        if not 1 <= number <= self.count:
            raise Unreadable
        return self._bytes[(number - 1) * self.size : number * self.size]

    def kind(self, number: int) -> int:
        """What a page says it is; one of the four kinds, or something else."""
        at = (number - 1) * self.size + (100 if number == 1 else 0)
        return self._bytes[at] if 1 <= number <= self.count else 0

    def tree(self, root: int, kinds: tuple[int, int], claimed: set[int]) -> Tree:
        """All pages below a root that nobody has claimed yet; they are claimed now."""
        found, todo = Tree(), [root]
        while todo:
            number = todo.pop()
            if number in claimed or self.kind(number) not in kinds:
                found.lost += 1
                continue
            claimed.add(number)
            found.pages.append(number)
            if self.kind(number) in {TABLE_INNER, INDEX_INNER}:
                children, unread = self._children(number)
                todo += reversed(children)
                found.lost += unread
        return found

    def cells(self, number: int) -> Iterator[Cell | None]:
        """The rows on a page; None for one that cannot be read. A page that only leads to others has none."""
        kind = self.kind(number)
        if kind not in {TABLE_LEAF, INDEX_LEAF, INDEX_INNER}:
            return
        page = self.page(number)
        for at in self._places(number, page):
            try:
                yield self._cell(page, at, kind)
            except Unreadable:
                yield None

    def free(self) -> set[int]:
        """The pages that hold nothing any more, as far as the list of them can be read."""
        found: set[int] = set()
        trunk = struct.unpack(">I", self.page(1)[32:36])[0] if self.count else 0
        while 1 < trunk <= self.count and trunk not in found:
            found.add(trunk)
            page = self.page(trunk)
            following, many = struct.unpack(">II", page[:8])
            many = min(many, self._usable // 4 - 2)
            leaves = struct.unpack(f">{many}I", page[8 : 8 + 4 * many])
            found.update(leaf for leaf in leaves if 1 < leaf <= self.count)
            trunk = following
        return found

    # -- within a page ----------------------------------------------------------------------------------------------

    def _places(self, number: int, page: bytes) -> list[int]:
        """Where the cells of a page begin, as far as its own list of them is believable."""
        start = 100 if number == 1 else 0
        inner = page[start] in {TABLE_INNER, INDEX_INNER}
        many = struct.unpack(">H", page[start + 3 : start + 5])[0]
        first = start + (12 if inner else 8)
        many = min(many, (self._usable - first) // 2)
        places = struct.unpack(f">{many}H", page[first : first + 2 * many])
        return [place for place in dict.fromkeys(places) if first <= place < self._usable - 3]

    def _children(self, number: int) -> tuple[list[int], int]:
        page = self.page(number)
        start = 100 if number == 1 else 0
        places = self._places(number, page)
        said: int = struct.unpack(">H", page[start + 3 : start + 5])[0]
        children = [struct.unpack(">I", page[place : place + 4])[0] for place in places]
        children.append(struct.unpack(">I", page[start + 8 : start + 12])[0])
        return children, said - len(places)

    def _cell(self, page: bytes, at: int, kind: int) -> Cell:
        at += 4 if kind == INDEX_INNER else 0
        size, at = varint(page, at)
        rowid = None
        if kind == TABLE_LEAF:
            rowid, at = varint(page, at)
        if not 1 <= size <= min(LARGEST_ROW, len(self._bytes)):
            raise Unreadable
        self._left -= size
        if self._left < 0:  # rows that lie over one another, or share their ends
            raise Unreadable
        local = self._local(size, of_table=kind == TABLE_LEAF)
        payload = page[at : at + local]
        if len(payload) < local:
            raise Unreadable
        if local < size:
            payload += self._overflow(page, at + local, size - local)
        return Cell(rowid, payload)

    def _local(self, size: int, *, of_table: bool) -> int:
        """How much of a row lies on its page."""
        most = self._usable - 35 if of_table else (self._usable - 12) * 64 // 255 - 23
        if size <= most:
            return size
        least = (self._usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (self._usable - 4)
        return local if local <= most else least

    def _overflow(self, page: bytes, at: int, size: int) -> bytes:
        """The rest of a row, on pages of its own."""
        if at + 4 > len(page):
            raise Unreadable
        following, parts, seen = struct.unpack(">I", page[at : at + 4])[0], [], set[int]()
        while size > 0:
            if following in seen:
                raise Unreadable
            seen.add(following)
            whole = self.page(following)
            parts.append(whole[4 : 4 + min(size, self._usable - 4)])
            size -= self._usable - 4
            following = struct.unpack(">I", whole[:4])[0]
        return b"".join(parts)


def page_size_of(head: bytes, wal: bytes) -> int:
    """The page size by the file's header, else by its WAL's, else the one that crawl files have."""
    sizes = []
    with suppress(struct.error):
        sizes.append(struct.unpack(">H", head[16:18])[0])
    with suppress(struct.error):
        sizes.append(struct.unpack(">I", wal[8:12])[0])
    sizes = [65536 if size == 1 else size for size in sizes]
    return next((size for size in sizes if 512 <= size <= 65536 and size & (size - 1) == 0), 4096)
