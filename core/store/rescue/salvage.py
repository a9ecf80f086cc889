"""Every row that can be had of a damaged or foreign file goes into a fresh one, which is a consistent crawl.

The original is only read, into a working copy beside the fresh file: there its header is mended and its WAL folded in.
Nothing is started.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import apsw

from core.errors import EngineHeld, FileMissing, NotACrawl, Problem
from core.settings import CrawlSettings, Seeds, decode, encode
from core.store.aside import made_aside, refuse_taken
from core.store.crawl_file import check_room, fill
from core.store.faults import translated
from core.store.forms import CAREFUL, harden, schema_fingerprint
from core.store.header import check_name
from core.store.lock import holder
from core.store.migrations import fingerprint_of
from core.store.names import SCHEMA_VERSION, UNCONFIRMED
from core.store.query import row, rows
from core.store.read.audit import audit
from core.store.rescue.caution import cautious
from core.store.rescue.kept_responses import rescue_responses
from core.store.rescue.layouts import targets
from core.store.rescue.mending import mend
from core.store.rescue.pages import PageFile
from core.store.rescue.reading import DERIVED, Found, Reading
from core.store.rescue.working_copy import working_copy
from core.store.times import iso
from core.store.words import quantity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.store.rescue.layouts import Target

BATCH = 2000
KNOWN_FORMS = frozenset(fingerprint_of(version) for version in range(1, SCHEMA_VERSION + 1))


@dataclass(frozen=True, slots=True)
class TableRescue:
    """What became of one table. `bad_rows` could not be read or were no rows of it, so many times as they were met."""

    name: str
    rows: int
    whole: bool
    lost_pages: int = 0
    bad_rows: int = 0


@dataclass(frozen=True, slots=True)
class Salvage:
    """What a salvage brought. `trusted`: the file's form was ours to the letter, or the analyst vouched for it.

    `mended` tells what was put in order, by its words; `left_out` are settings that wait for a confirmation.
    """

    tables: tuple[TableRescue, ...]
    trusted: bool
    mended: dict[str, int]
    left_out: tuple[Problem, ...]
    sound: bool
    responses: int | None = None  # kept ones that were rescued too; None: there were none

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    def sentences(self) -> tuple[str, ...]:
        """The report in plain words."""
        hurt = [table for table in self.tables if not table.whole]
        lines = [f"{quantity(self.rows, 'row')} rescued from {quantity(len(self.tables), 'table')}."]
        lines += [_told(table) for table in hurt if table.lost_pages or table.bad_rows]
        if self.responses is not None:
            lines.append(f"{quantity(self.responses, 'kept response')} rescued.")
        lines += [f"{number:,} {words}." for words, number in self.mended.items()]
        lines += [f"Setting {problem}." for problem in self.left_out]
        lines.append("The new file is a consistent crawl." if self.sound else "The new file does not pass its check.")
        return tuple(lines)


def salvage(
    path: Path,
    to: Path,
    at: float,
    *,
    trusted: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Salvage:
    """Rescue what can be rescued of `path` into the new file `to`; `at` is the wall time.

    `trusted` keeps all settings of a file whose form is not ours. `progress` hears the share done, and may raise to
    give up: then nothing is left behind. FileExists, FileMissing, DiskFull; EngineHeld while an engine runs it;
    NotACrawl where nothing of a crawl is in it.
    """
    _refuse(path, to)
    with translated(to), working_copy(path, to) as (work, size), made_aside(to) as fresh:
        fill(fresh, CrawlSettings())
        own = _own_form(work)
        try:
            with closing(PageFile(work, size)) as file:
                tables = _copy_rows(file, own, fresh, progress)
        finally:
            if own is not None:
                own.close()
        if not any(table.rows for table in tables if table.name in {"url", "setting", "origin"}):
            raise NotACrawl(f"Nothing of a crawl could be found in {path}.", "It was not changed.")
        trusted = trusted or own is not None
        mended, left_out = _settle(fresh, path, at, trusted=trusted)
        responses = rescue_responses(path, to)
        kept = None if responses is None else responses[0]
        return Salvage(tables, trusted, mended, left_out, audit(fresh).ok, kept)


def _refuse(path: Path, to: Path) -> None:
    check_name(path)
    if not path.exists():
        raise FileMissing(f"There is no file {path}.", "Check the name.")
    if not path.is_file():
        raise NotACrawl(f"{path} is a folder, not a crawl file.")
    refuse_taken(to)
    engine = holder(path)
    if engine is not None:
        raise EngineHeld(engine.pid or None, iso(int(engine.since)) if engine.pid else None)
    check_room(path, to, copies=2)  # the working copy, and the fresh file


def _own_form(work: Path) -> apsw.Connection | None:
    """The working copy opened, where its tables are ours to the letter; else it is not asked anything."""
    connection = apsw.Connection(str(work), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        harden(connection)
        for pragma in CAREFUL:
            connection.execute(f"PRAGMA {pragma}")
        if schema_fingerprint(connection) in KNOWN_FORMS:  # whatever number a spoilt header gives it
            return connection
    except (apsw.Error, UnicodeError):
        pass  # damaged where its tables are described: its pages are read instead
    connection.close(force=True)
    return None


# -- rows -----------------------------------------------------------------------------------------------------------


def _copy_rows(
    file: PageFile, own: apsw.Connection | None, fresh: Path, progress: Callable[[float], None] | None
) -> tuple[TableRescue, ...]:
    with closing(apsw.Connection(str(fresh), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        for pragma in ("foreign_keys=OFF", "synchronous=OFF", "journal_mode=DELETE", "temp_store=MEMORY"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM meta")
        connection.execute("DELETE FROM setting")
        wanted = {name: target for name, target in targets(connection).items() if name not in DERIVED}
        reading = Reading(file, wanted, connection, own)
        tell = progress or _tell_nobody
        told = tuple(
            _copy_table(connection, reading, target, partial(tell, number / len(wanted)))
            for number, target in enumerate(wanted.values())
        )
        connection.execute("COMMIT")
        tell(1.0)
    return told


def _tell_nobody(_: float) -> None:
    """Where nobody asked how far it is."""


def _copy_table(connection: apsw.Connection, reading: Reading, target: Target, tell: Callable[[], None]) -> TableRescue:
    name = target.name
    names = ", ".join(f'"{column.name}"' for column in target.columns)
    marks = ", ".join("?" * len(target.columns))
    insert = f'INSERT OR IGNORE INTO "{name}" ({names}) VALUES ({marks})'  # what is met twice is there once
    found = Found()
    rows_of = reading.rows_of(name, found)
    before = connection.total_changes()
    while batch := list(islice(rows_of, BATCH)):
        connection.executemany(insert, batch)
        tell()
    return TableRescue(name, connection.total_changes() - before, found.whole, found.lost_pages, found.bad_rows)


def _settle(fresh: Path, path: Path, at: float, *, trusted: bool) -> tuple[dict[str, int], tuple[Problem, ...]]:
    """Make one crawl of the rows, under settings that may be used."""
    with closing(apsw.Connection(str(fresh), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("BEGIN IMMEDIATE")
        settings, left_out = _settings(connection, path, at, trusted=trusted)
        mended = mend(connection, settings)
        message = f"This file was salvaged from {path.name}. It was not started."
        connection.execute("INSERT INTO log(at, level, kind, message) VALUES (?, 'info', 'file', ?)", (at, message))
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode=WAL")
    return mended, left_out


def _settings(
    connection: apsw.Connection, path: Path, at: float, *, trusted: bool
) -> tuple[CrawlSettings, tuple[Problem, ...]]:
    """The newest settings that were found, without what needs a confirmation; else such as the seeds suggest."""
    version, text = row(connection, "SELECT version, json FROM setting ORDER BY version DESC LIMIT 1") or (0, "")
    left_out: tuple[Problem, ...] = ()
    if text:
        settings = decode(text)
    else:
        seeds = rows(connection, "SELECT text FROM seed WHERE problem = '' ORDER BY id")
        settings = CrawlSettings(name=path.stem, seeds=Seeds(urls=tuple(seed for (seed,) in seeds)))
    if not trusted:
        sql = "DELETE FROM meta WHERE name LIKE 'extra\\_hosts%' ESCAPE '\\'"  # that a redirect let in
        connection.execute(sql)
        settings, left_out = cautious(settings)
    if not text or left_out:
        sql = "INSERT INTO setting(version, at, json) VALUES (?, ?, ?)"
        connection.execute(sql, (version + 1, at, encode(settings)))
    connection.execute("DELETE FROM meta WHERE name = ?", (UNCONFIRMED,))
    if left_out and text:
        connection.execute("INSERT INTO meta(name, value) VALUES (?, ?)", (UNCONFIRMED, str(version)))
    return settings, left_out


def _told(table: TableRescue) -> str:
    parts = [quantity(table.lost_pages, "page")] if table.lost_pages else []
    parts += [quantity(table.bad_rows, "row")] if table.bad_rows else []
    return f"{table.name}: {quantity(table.rows, 'row')} rescued; {' and '.join(parts)} could not be read."
