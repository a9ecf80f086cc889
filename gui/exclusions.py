"""An exclusion that an alarm has ready: one click puts it in force, one takes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QCoreApplication

from gui.banner import Notice, Offer
from gui.foreign_text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.settings import CrawlSettings
    from core.store.rows import AlarmRow

TAKE_BACK = "take-back:"  # before the pattern, in the key of an offer


def with_exclusion(settings: CrawlSettings, pattern: str) -> CrawlSettings:
    """The settings with that exclusion behind the others, once."""
    if pattern in settings.scope.exclude:
        return settings
    return _replaced(settings, (*settings.scope.exclude, pattern))


def without_exclusion(settings: CrawlSettings, pattern: str) -> CrawlSettings:
    """The settings without it."""
    return _replaced(settings, tuple(each for each in settings.scope.exclude if each != pattern))


def unanswered(alarms: Iterable[AlarmRow], settings: CrawlSettings | None) -> tuple[AlarmRow, ...]:
    """The alarms whose pattern is not excluded yet: what was done about needs no notice."""
    done = settings.scope.exclude if settings is not None else ()
    return tuple(alarm for alarm in alarms if not alarm.pattern or alarm.pattern not in done)


def excluded_notice(pattern: str) -> Notice:
    """That it is in force, with the offer to take it back."""
    title = _say("Excluded: {0}").format(shown(pattern))
    text = _say("Nothing of it is requested any more. What was fetched before is kept.")
    return Notice(title, text, "good", offer=Offer(f"{TAKE_BACK}{pattern}", _say("Take back")))


def _replaced(settings: CrawlSettings, exclude: tuple[str, ...]) -> CrawlSettings:
    scope = msgspec.structs.replace(settings.scope, exclude=exclude)
    return msgspec.structs.replace(settings, scope=scope)


def _say(text: str) -> str:
    return QCoreApplication.translate("exclusions", text)
