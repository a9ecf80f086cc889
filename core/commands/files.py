"""`new`, `set`, `backup`, `apply` and `confirm`."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import msgspec

from core.commands.output import complain
from core.errors import BadInput, Problem, SettingsError
from core.profile import Reading, line_of, readable_profile
from core.salvage import concerns
from core.settings import CrawlSettings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LARGEST = 100_000_000  # characters of a settings file: what has no end, such as a device, is not read for ever


def new(path: Path, settings_file: Path | None, seeds: list[str]) -> int:
    """Make a crawl file from settings, seeds, or both."""
    from core.store.crawl_file import create

    reading, text = _read(settings_file) if settings_file else (Reading(CrawlSettings(), (), ()), "")
    create(path, _checked(reading, text, seeds))
    return 0


def replace_settings(path: Path, settings_file: Path) -> int:
    """Put other settings in force; a running engine takes them over within a second.

    Other rules on spellings are for a crawl that nothing runs: what they will make one is told.
    """
    from core.commands.migrate import use_older
    from core.store.crawl_file import inspect
    from core.store.read.reader import Reader
    from core.store.wishes import Wishes

    inspect(path)
    settings = _checked(*_read(settings_file))
    use_older(path)
    reader = Reader(path)
    _, before = reader.settings()
    reader.close()
    wishes = Wishes(path)
    try:
        wishes.set_settings(settings)
    finally:
        wishes.close()
    if before.normalise != settings.normalise:
        _tell_merges(path, settings)
    return 0


def backup(path: Path, to: Path) -> int:
    """A consistent copy."""
    from core.store.crawl_file import backup as copy

    copy(path, to)
    return 0


def apply(path: Path) -> int:
    """Carry out what waits in the file, without crawling."""
    from core.commands.migrate import use_older
    from core.store.lock import EngineLock
    from core.store.write.writer import Writer

    use_older(path)
    lock = EngineLock.acquire(path)
    try:
        writer = Writer(path)
        try:
            writer.apply(time.monotonic(), time.time())
        finally:
            writer.close()
    finally:
        lock.release()
    return 0


def confirm(path: Path) -> int:
    """Believe that what vanished, many pages at once, is gone: at once, or by the engine that runs the crawl."""
    from core.commands.migrate import use_older
    from core.store.lock import holder
    from core.store.wishes import Wishes

    use_older(path)
    wishes = Wishes(path)
    try:
        wishes.confirm()
    finally:
        wishes.close()
    return 0 if holder(path) is not None else apply(path)


def _tell_merges(path: Path, settings: CrawlSettings) -> None:
    from core.store.read.merges import count_merges

    merged, looked = count_merges(path, settings)
    if looked:
        print(
            f"fronteira: {merged:,} of {looked:,} known URLs will count as the same as another. "
            f"`fronteira apply {path}` carries that out, or the next `run`.",
            file=sys.stderr,
        )


def _read(path: Path) -> tuple[Reading, str]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(LARGEST + 1)
    except OSError as error:
        raise BadInput(f"The settings file {path} cannot be read: {error.strerror}.", "Check its name.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"The settings file {path} is not UTF-8 text.", "Save it as UTF-8.") from error
    if len(text) > LARGEST:
        raise BadInput(f"The settings file {path} is too large to be one.", "Put long lists of seeds into seeds.files.")
    return readable_profile(text), text


def _checked(reading: Reading, text: str, seeds: Sequence[str] = ()) -> CrawlSettings:
    """The settings with further seeds, held against every check; raises SettingsError with all that is wrong."""
    from core.validation import check

    settings = reading.settings
    if settings is None:
        raise SettingsError(reading.problems)
    if seeds:
        merged = msgspec.structs.replace(settings.seeds, urls=(*settings.seeds.urls, *seeds))
        settings = msgspec.structs.replace(settings, seeds=merged)
    errors, warnings = check(settings)
    errors = [error for error in errors if not concerns(error, reading.problems)]
    if errors or reading.problems:
        found = (*reading.problems, *_with_lines(errors, text))
        raise SettingsError(tuple(sorted(found, key=lambda problem: problem.line or 0)))
    _warn((*reading.warnings, *_with_lines(warnings, text)))
    return settings


def _with_lines(problems: Sequence[Problem], text: str) -> list[Problem]:
    return [Problem(problem.key, problem.message, line_of(text, problem.key)) for problem in problems]


def _warn(warnings: Sequence[Problem]) -> None:
    for warning in warnings:
        complain(f"warning: {warning}")
