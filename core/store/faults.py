"""SQLite's and the system's errors, told as faults of the world."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw
import msgspec

from core.errors import CorruptFile, DiskFull, FileLocked, FronteiraError, NotACrawl, ReadOnlyFile, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


SALVAGE = "Use a backup, or rescue its rows into a new file: `fronteira salvage FILE TO`."


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Errors of SQLite or the system inside the block come out as FronteiraErrors that name the file."""
    try:
        yield
    except apsw.Error as error:
        raise fault_of(error, path) from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise _unreadable(path) from error
    except OSError as error:
        raise system_fault(error, path) from error
    except Exception as error:
        cause = error.__context__  # peewee raises errors of its own over SQLite's
        if type(error).__module__ == "peewee" and isinstance(cause, apsw.Error):
            raise fault_of(cause, path) from error
        if isinstance(error, TypeError | ValueError | LookupError):
            blame_damage(path, error)
        raise


def blame_damage(path: Path, error: Exception) -> None:
    """Raises CorruptFile where a file that does not pass its check explains a fault that looks like ours."""
    if is_damaged(path):
        raise CorruptFile(f"{path} is damaged.", SALVAGE) from error


def is_damaged(path: Path) -> bool:
    """Whether SQLite, or a look at what must hold of single rows, finds fault with a file. It reads all of it."""
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return False
    try:
        connection.set_busy_timeout(1000)
        sound = connection.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]
        return not sound or bool(connection.execute("SELECT 1 FROM url WHERE state NOT BETWEEN 0 AND 8").fetchall())
    except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, UnicodeDecodeError):
        return True
    except apsw.Error:
        return False  # it cannot be told: it is locked, or cannot be read
    finally:
        connection.close(force=True)


def fault_of(error: apsw.Error, path: Path) -> FronteiraError:
    """The fault behind an SQLite error. Raises the error again when it is a fault of ours (wrong SQL)."""
    match error:
        case apsw.FullError():
            return DiskFull(f"The disk is full: {path} cannot grow.", "Make room and start again; nothing was lost.")
        case apsw.BusyError() | apsw.LockedError():
            return FileLocked(
                f"Another program holds a lock on {path}.", "Close it there and start again; nothing was lost."
            )
        case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError():
            return ReadOnlyFile(f"{path} cannot be written.", "Copy it to a folder where you may write.")
        case apsw.NotADBError():
            return NotACrawl(f"{path} is not a crawl file.", "It was not changed.")
        case apsw.CorruptError():
            return CorruptFile(f"{path} is damaged.", SALVAGE)
        case apsw.SQLError() if "malformed JSON" in str(error):
            return _unreadable(path)
        case apsw.IOError():
            return StorageError(
                f"The disk failed under {path}: {error}.", "Check the disk; what was committed is safe."
            )
    raise error


def _unreadable(path: Path) -> CorruptFile:
    """A text in the file that is not what was written there: settings, or a record's fields."""
    return CorruptFile(f"{path} is damaged: settings or records in it cannot be read.", SALVAGE)


def system_fault(error: OSError, path: Path) -> FronteiraError:
    """The fault behind an error of the operating system."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(f"The disk is full: {path} cannot be written.", "Make room and try again; nothing was lost.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return ReadOnlyFile(f"{path} cannot be written: {error.strerror}.", "Choose a folder where you may write.")
    return StorageError(f"{path}: {error.strerror or error}.")
