"""`new`, `set`, `backup` and `apply`."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import msgspec

from core.errors import BadInput, Problem, SettingsError
from core.settings import CrawlSettings

if TYPE_CHECKING:
    from pathlib import Path


def new(path: Path, settings_file: Path | None, seeds: list[str]) -> int:
    """Make a crawl file from settings, seeds, or both."""
    from core.store.crawl_file import create

    settings, text = _read(settings_file) if settings_file else (CrawlSettings(), "")
    if seeds:
        merged = msgspec.structs.replace(settings.seeds, urls=(*settings.seeds.urls, *seeds))
        settings = msgspec.structs.replace(settings, seeds=merged)
    _check(settings, text)
    create(path, settings)
    return 0


def replace_settings(path: Path, settings_file: Path) -> int:
    """Put other settings in force; a running engine takes them over within a second."""
    from core.store.crawl_file import inspect
    from core.store.wishes import Wishes

    inspect(path)
    settings, text = _read(settings_file)
    _check(settings, text)
    wishes = Wishes(path)
    wishes.set_settings(settings)
    wishes.close()
    return 0


def backup(path: Path, to: Path) -> int:
    """A consistent copy."""
    from core.store.crawl_file import backup as copy

    copy(path, to)
    return 0


def apply(path: Path) -> int:
    """Carry out what waits in the file, without crawling."""
    from core.store.crawl_file import inspect
    from core.store.lock import EngineLock
    from core.store.writer import Writer

    inspect(path)
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


def _read(path: Path) -> tuple[CrawlSettings, str]:
    from core.profile import read_profile

    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"The settings file {path} cannot be read: {error.strerror}.", "Check its name.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"The settings file {path} is not UTF-8 text.", "Save it as UTF-8.") from error
    settings, warnings = read_profile(text)
    _warn(warnings)
    return settings, text


def _check(settings: CrawlSettings, text: str) -> None:
    from core.profile import line_of
    from core.validation import check

    errors, warnings = check(settings)
    if errors:
        raise SettingsError(tuple(Problem(error.key, error.message, line_of(text, error.key)) for error in errors))
    _warn([Problem(warning.key, warning.message, line_of(text, warning.key)) for warning in warnings])


def _warn(warnings: list[Problem]) -> None:
    for warning in warnings:
        print(f"fronteira: warning: {warning}", file=sys.stderr)
