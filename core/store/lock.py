"""The engine lock: one engine a file, told by the operating system, not by a row that can be stale.

The lock file lies beside the crawl file while an engine runs. The kernel frees the lock when the process dies,
however it dies; a lock file left behind by a kill means nothing.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from core.errors import EngineHeld, ReadOnlyFile
from core.store.faults import system_fault
from core.store.header import true_name
from core.store.rows import Holder
from core.store.times import iso

if os.name == "nt":
    import msvcrt

    def _try_lock(file: IO[bytes]) -> bool:
        file.seek(4096)  # behind the text, which others must be able to read
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined] # Windows only
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


LOOKS = 5
LOOK_AGAIN = 0.02  # seconds


class EngineLock:
    """Held from `acquire` to `release` or the process's death."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path = path
        self._file = file

    @classmethod
    def acquire(cls, crawl_file: Path) -> EngineLock:
        """Take the lock; raises EngineHeld with the holder's process id, ReadOnlyFile, or DiskFull."""
        path = lock_path(crawl_file)
        tries = 0
        while True:
            file = _open(path)
            if not _try_lock(file):
                file.close()
                tries += 1
                if tries < LOOKS:  # a window's `holder` holds the lock for an instant while it looks
                    time.sleep(LOOK_AGAIN)
                    continue
                info = _read(path)
                raise EngineHeld(info.pid if info else None, iso(int(info.since)) if info else None)
            if _still_there(path, file):
                break
            file.close()  # its last holder unlinked it between our open and our lock
        lock = cls(path, file)
        try:
            lock._sign()
        except OSError as error:
            with suppress(OSError):  # what could not be written is tried once more as the file is closed
                lock.release()
            raise system_fault(error, path) from error
        return lock

    def _sign(self) -> None:
        """Say who holds it, for whoever asks."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(json.dumps({"pid": os.getpid(), "since": time.time()}).encode())
        self._file.flush()

    def release(self) -> None:
        """Remove the lock file, then let go of it: in this order nobody locks a file without a name."""
        if os.name == "nt":
            self._file.close()
            self._path.unlink(missing_ok=True)
            return
        if _still_there(self._path, self._file):  # else it was deleted, and the name is another engine's by now
            self._path.unlink(missing_ok=True)
        self._file.close()


def holder(crawl_file: Path) -> Holder | None:
    """The engine that holds the file now, or None."""
    path = lock_path(crawl_file)
    try:
        file = path.open("rb+")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError:
        return _read(path)
    with file:
        if _try_lock(file):
            return None
    return _read(path) or Holder(0, 0.0)


def lock_path(crawl_file: Path) -> Path:
    """Beside the file itself, as SQLite's own side files are: a symbolic link is another name for the same crawl."""
    return Path(f"{true_name(crawl_file)}-lock")


def identity(path: Path) -> tuple[int, int] | None:
    """Which file has this name now, for whoever holds it open; None where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _open(path: Path) -> IO[bytes]:
    try:
        return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "rb+")
    except OSError as error:
        raise ReadOnlyFile(
            f"The lock file {path} cannot be written: {error.strerror}.",
            "Copy the crawl to a folder where you may write.",
        ) from error


def _still_there(path: Path, file: IO[bytes]) -> bool:
    mine = os.fstat(file.fileno())
    return identity(path) == (mine.st_dev, mine.st_ino)


def _read(path: Path) -> Holder | None:
    try:
        fields = json.loads(path.read_bytes())
        return Holder(int(fields["pid"]), float(fields["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None  # just being written, or not by us: the lock itself is what counts
