"""The disk of a doomed process: SQLite's own, which ends it at its step, loses what was not synced, or is full.

A real disk keeps what it was asked to keep (fsync); of everything written since, a power cut leaves any part, in any
order, and of the last write perhaps a piece. That is done here to the real files, just before the process ends.
"""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from tests.system.soak.fate import SYSTEM

if TYPE_CHECKING:
    from tests.system.soak.fate import Fate

SECTOR = 512  # bytes that a disk writes whole
OF_THE_SYSTEM = {"open", "os.rename", "os.link", "os.remove", "os.truncate", "os.mkdir"}


@dataclass(frozen=True, slots=True)
class Change:
    """A write, or a truncation (`new` is None), that the disk was not asked to keep yet."""

    offset: int
    new: bytes | None
    old: bytes
    size: int  # of the file before
    at: float  # when, in seconds since 1970

    def undo(self, file: int) -> None:
        os.ftruncate(file, max(self.size, self.offset))
        os.pwrite(file, self.old, self.offset)
        os.ftruncate(file, self.size)

    def redo(self, file: int, *, torn_at: int | None = None) -> None:
        if self.new is None:
            os.ftruncate(file, self.offset)
        else:
            os.pwrite(file, self.new[:torn_at], self.offset)


class FatefulDisk(apsw.VFS):
    """Made the default one as it is made. `unsynced` holds the changes of each file since its last sync."""

    def __init__(self, fate: Fate) -> None:
        self.base = apsw.vfs_names()[0]
        self.loses = fate.kind == "power"
        self.room = fate.room if fate.kind == "full" else None
        self.unsynced: dict[str, list[Change]] = {}
        self.files: dict[str, int] = {}
        self._fate = fate
        self._left = fate.at
        self._chance = random.Random(fate.seed)
        self._ending: int | None = None  # the thread that does
        super().__init__("fateful", self.base, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> FatefulFile:  # noqa: N802 - SQLite's name
        self.step("open")
        return FatefulFile(self, name, flags)

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802 - SQLite's name
        self.step("delete")
        self.unsynced.pop(name, None)
        self.take(-Path(name).stat().st_size)
        super().xDelete(name, sync)

    def hear(self, event: str, _arguments: Any) -> None:
        """An audit hook: what the process does with files beside SQLite's."""
        if event in OF_THE_SYSTEM:
            self.step(SYSTEM)

    def step(self, name: str) -> None:
        """The process is about to take a step; its last one ends it."""
        if self.comes(name):
            self.end()

    def comes(self, name: str) -> bool:
        """Whether this step is the last one."""
        if self._ending is not None and self._ending != threading.get_ident():
            threading.Event().wait()  # another thread is ending the process
        if name not in self._fate.steps:
            return False
        self._left -= 1
        return self._left == 0

    def take(self, room: int) -> None:
        """So many bytes more are in use. Raises FullError where there is no room for them."""
        if self.room is None:
            return
        if room > self.room:
            raise apsw.FullError("no space left on the made disk")
        self.room -= room

    def keep(self, file: int) -> None:
        """The disk was asked, beside SQLite, to keep a file: what was written to it is kept, whatever its name is."""
        asked = os.fstat(file)
        for name, opened in self.files.items():
            if os.path.samestat(os.fstat(opened), asked):
                self.unsynced.pop(name, None)

    def some_of(self, data: bytes) -> bytes:
        """What a write leaves that is cut off in the middle."""
        return data[: self._chance.randrange(len(data) + 1)]

    def end(self) -> None:
        """SIGKILL, to this process and those it has started."""
        self._ending = threading.get_ident()
        if self.loses:
            self._lose()
        os.killpg(0, signal.SIGKILL)

    def _lose(self) -> None:
        cut = time.time()
        oldest = [changes[0].at for name, changes in self.unsynced.items() if changes and name.endswith(".crawl-wal")]
        Path(self._fate.report).write_text(json.dumps({"oldest": min([cut, *oldest]), "cut": cut}), encoding="utf-8")
        for name, changes in self.unsynced.items():
            self._lose_of(name, changes)

    def _lose_of(self, name: str, changes: list[Change]) -> None:
        file = self.files[name]
        for change in reversed(changes):
            change.undo(file)
        for change in self._kept(changes):
            change.redo(file)
        if changes and changes[-1].new and self._chance.random() < 0.5:
            sectors = len(changes[-1].new) // SECTOR
            changes[-1].redo(file, torn_at=SECTOR * self._chance.randint(0, sectors))

    def _kept(self, changes: list[Change]) -> list[Change]:
        """Nothing, all up to a moment, or any of them: a disk writes in the order that suits it."""
        way = self._chance.choice(("nothing", "some", "any"))
        if way == "nothing":
            return []
        if way == "some":
            return changes[: self._chance.randrange(len(changes) + 1)]
        return [change for change in changes if self._chance.random() < 0.5]


class FatefulFile(apsw.VFSFile):
    """A file on that disk."""

    def __init__(self, disk: FatefulDisk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        self._is_main = bool(flags[0] & apsw.SQLITE_OPEN_MAIN_DB)
        super().__init__(disk.base, name, flags)
        if disk.loses and self._name and self._name not in disk.files:
            # Never closed: closing any descriptor of a file drops the locks that SQLite holds on it.
            disk.files[self._name] = os.open(self._name, os.O_RDWR)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        self._disk.step("read")
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802 - SQLite's name
        name = "fold" if self._is_main else "write"
        if self._disk.comes(name):
            super().xWrite(self._disk.some_of(bytes(data)), offset)
            self._disk.end()
        if self._disk.room is not None:
            self._disk.take(max(0, offset + len(data) - super().xFileSize()))
        self._remember(bytes(data), offset, len(data))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.step("truncate")
        before = super().xFileSize()
        self._disk.take(size - before)
        self._remember(None, size, before - size)
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.step("sync")
        super().xSync(flags)
        self._disk.unsynced.pop(self._name, None)

    def _remember(self, new: bytes | None, offset: int, length: int) -> None:
        if not self._disk.loses or not self._name:
            return
        old = os.pread(self._disk.files[self._name], length, offset)
        self._disk.unsynced.setdefault(self._name, []).append(
            Change(offset, new, old, super().xFileSize(), time.time())
        )
