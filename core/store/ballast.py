"""Room kept free on the disk for a session's last words.

On a full disk not even the reason can be written that ends the session. A file without a name takes a little room as
the engine starts, and gives it back then. The system removes it when the process ends, however it ends.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ROOM = 256 * 1024  # bytes: some dozens of pages in the WAL


class Ballast:
    """Taken as it is made; raises OSError where there is not even so much room."""

    def __init__(self, folder: Path) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - it is held until `drop`
        self._file.write(os.urandom(ROOM))  # zeros would take no room where files are compressed
        self._file.flush()

    def drop(self) -> None:
        """Give the room back."""
        with suppress(OSError):  # what the system could not write of it any more is of no use to anyone
            self._file.close()
