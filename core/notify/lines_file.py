"""The file of JSON Lines: whole lines at its end, on the disk before they count as told.

A kill may leave a torn last line. It is taken off before the next line is written, and its notice is told again; the
end of a file that is not ours is left as it is and only given a line end.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from core.notify.event import OPENING, line
from core.notify.way import Undelivered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.store.notices import Notice

LONGEST_TAIL = 1 << 26  # bytes that are looked through for the start of a last line


class LinesFile:
    """`place` is the path as the settings have it; a relative one is beside the crawl file."""

    name = "file"
    most = 500

    def __init__(self, place: str, crawl: Path) -> None:
        self.path = crawl.parent / Path(place).expanduser()

    async def deliver(self, notices: Sequence[Notice]) -> None:
        """Append a line each, and wait for the disk."""
        await asyncio.to_thread(self._append, b"".join(line(notice) + b"\n" for notice in notices))

    async def close(self) -> None:
        """Nothing stays open between two times."""

    def _append(self, text: bytes) -> None:
        if self.path.exists() and not self.path.is_file():
            raise Undelivered(f"{self.path} is no ordinary file.")
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
            try:
                end = mended(file)
                try:
                    _write(file, text, end)
                    os.fsync(file)
                except OSError:
                    with suppress(OSError):  # what cannot be taken back is mended the next time
                        os.ftruncate(file, end)
                    raise
            finally:
                os.close(file)
        except OSError as error:
            raise Undelivered(f"{self.path} cannot be written: {error.strerror or error}.") from error


def mended(file: int) -> int:
    """Where the next line begins: behind the last whole one. What is torn is taken off if it is ours."""
    end = os.lseek(file, 0, os.SEEK_END)
    tail = b""
    while b"\n" not in tail and len(tail) < min(end, LONGEST_TAIL):
        size = min(end - len(tail), 1 << 16)
        os.lseek(file, end - len(tail) - size, os.SEEK_SET)
        tail = os.read(file, size) + tail
    torn = tail.rpartition(b"\n")[2]
    if not torn:
        return end
    if torn.startswith(OPENING) or OPENING.startswith(torn):
        os.ftruncate(file, end - len(torn))
        return end - len(torn)
    _write(file, b"\n", end)
    return end + 1


def _write(file: int, text: bytes, at: int) -> None:
    os.lseek(file, at, os.SEEK_SET)
    left = memoryview(text)
    while left:
        left = left[os.write(file, left) :]
