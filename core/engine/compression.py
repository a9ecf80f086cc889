"""Bodies made small, with one zstandard context a thread: making one takes as long as compressing a page with it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import zstandard

LEVEL = 3


class Compression(threading.local):
    """May be used by several threads at once: each has a context of its own."""

    def __init__(self) -> None:
        self._context: zstandard.ZstdCompressor | None = None

    def compress(self, body: bytes) -> bytes:
        """One frame that says how large the body is."""
        if self._context is None:
            import zstandard  # only crawls that keep responses need it

            self._context = zstandard.ZstdCompressor(level=LEVEL)
        return self._context.compress(body)
