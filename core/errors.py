"""The faults of the world, each with a sentence for the person and what to do about it.

    FronteiraError
    ├── BadInput                    something typed or written is wrong        exit status 2
    │   ├── SettingsError           a list of Problems, each naming its key
    │   ├── BadUrl
    │   ├── BadPattern
    │   ├── BadSelector             CSS, XPath, regular expression, path
    │   └── SecretMissing           env: or keyring: gave nothing
    ├── FileError                   the crawl file cannot be used              exit status 2
    │   ├── FileMissing
    │   ├── FileExists
    │   ├── NotACrawl               text, another program's database
    │   ├── CorruptFile
    │   ├── ForeignFile             our marks, but a schema that is not ours
    │   ├── NewerFile               made by a later version
    │   ├── OlderFile               made by an earlier version, and not brought up to date yet
    │   ├── ManyNames               one file under two names (hard links)
    │   ├── ReadOnlyFile
    │   └── SharedFolder            network or cloud-synchronised folder
    ├── EngineHeld                  another engine holds the file              exit status 4
    └── StorageError                the disk or a lock                         exit status 1
        ├── DiskFull
        └── FileLocked              another program holds a lock

Two more stand where they are at home: `export.Cancelled`, and `fetch.fault.Fault`, which any failure of a request
or of its reading becomes. Other faults of ours (a broken invariant) are not in this tree: they crash loudly.
"""

from __future__ import annotations

from dataclasses import dataclass


class FronteiraError(Exception):
    """A fault of the world. `sentence` says what happened, `advice` what to do; both are plain text."""

    exit_status = 1

    def __init__(self, sentence: str, advice: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.sentence} {self.advice}".strip()


class BadInput(FronteiraError):
    """Something typed or written is wrong; nothing was changed."""

    exit_status = 2


@dataclass(frozen=True, slots=True)
class Problem:
    """One wrong or doubtful place in the settings.

    `key` is the dotted name as in the settings file (`scope.exclude[2]`), `line` the line of the settings
    file (from 1) or None where the settings did not come from a file.
    """

    key: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.key}: {self.message}"


class SettingsError(BadInput):
    """Settings that cannot be used, with every problem found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = problems


class BadUrl(BadInput):
    """A text that is no fetchable URL."""


class BadPattern(BadInput):
    """A pattern that cannot be compiled."""


class BadSelector(BadInput):
    """A CSS selector, XPath, regular expression or path that cannot be compiled."""


class FileError(FronteiraError):
    """The crawl file cannot be used; it was not changed."""

    exit_status = 2


class FileMissing(FileError):
    """There is no such file."""


class FileExists(FileError):
    """The file is there already, and is never written over."""


class NotACrawl(FileError):
    """The file is no crawl file."""


class CorruptFile(FileError):
    """The file is damaged."""


class ForeignFile(FileError):
    """The file has a crawl file's marks but another schema."""


class NewerFile(FileError):
    """The file was made by a later version of the program."""


class OlderFile(FileError):
    """The file was made by an earlier version of the program and has not been brought up to date."""


class ManyNames(FileError):
    """The file has several names: what is written under one is not seen under the other."""


class ReadOnlyFile(FileError):
    """The file or its folder cannot be written."""


class SharedFolder(FileError):
    """The file lies in a network or cloud-synchronised folder, where SQLite's locks cannot be trusted."""


class EngineHeld(FronteiraError):
    """Another engine holds the file; `pid` and `since` (ISO 8601, UTC) say which."""

    exit_status = 4

    def __init__(self, pid: int | None, since: str | None) -> None:
        holder = f"process {pid}" if pid else "another process"
        when = f" since {since}" if since else ""
        super().__init__(f"The crawl is being run by {holder}{when}.", "Stop that engine first, or wait for it to end.")
        self.pid = pid
        self.since = since


class StorageError(FronteiraError):
    """The disk, or another program's lock, kept us from writing. What was committed is safe."""


class DiskFull(StorageError):
    """No space is left where the crawl file lies."""


class FileLocked(StorageError):
    """Another program holds a lock on the crawl file."""


class SecretMissing(BadInput):
    """A secret reference (`env:NAME`, `keyring:NAME`) leads to nothing."""
