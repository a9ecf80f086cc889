"""A disk that grows full at a chosen write, and has room again when told: SQLite's own, with a gauge before it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import apsw

if TYPE_CHECKING:
    from collections.abc import Iterator


class Disk(apsw.VFS):
    """Counts what is written to it. `full_at` is the number of the first write that has no room; None: there is."""

    def __init__(self) -> None:
        self.base = apsw.vfs_names()[0]
        self.writes = 0
        self.full_at: int | None = None
        super().__init__("gauged", self.base, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> GaugedFile:  # noqa: N802 - SQLite's name
        return GaugedFile(self, name, flags)

    @property
    def is_full(self) -> bool:
        return self.full_at is not None and self.writes >= self.full_at


class GaugedFile(apsw.VFSFile):
    """A file on that disk."""

    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        super().__init__(disk.base, name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.writes += 1
        if self._disk.is_full:
            raise apsw.FullError("no space left on the made disk")
        super().xWrite(data, offset)


@contextmanager
def full_disk() -> Iterator[Disk]:
    """The disk under every connection that is opened within."""
    disk = Disk()
    try:
        yield disk
    finally:
        apsw.set_default_vfs(disk.base)
        disk.unregister()
