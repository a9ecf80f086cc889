"""The ways of telling that settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.notify.lines_file import LinesFile
from core.notify.webhook import Webhook

if TYPE_CHECKING:
    from pathlib import Path

    from core.notify.way import Way
    from core.settings import CrawlSettings


def ways(settings: CrawlSettings, crawl: Path) -> tuple[Way, ...]:
    """One of each kind that is set."""
    found: list[Way] = []
    if settings.notify.file:
        found.append(LinesFile(settings.notify.file, crawl))
    if settings.notify.webhook:
        found.append(Webhook(settings))
    return tuple(found)
