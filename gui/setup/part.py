"""What every part of Setup is: a widget that shows a share of the settings and gives it back as typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from core.errors import Problem
    from core.settings import CrawlSettings


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem with its weight: `tone` is bad (nothing can be applied) or warning."""

    problem: Problem
    tone: str


class Part(QWidget):
    """`changed` when the person typed something; showing settings is no change."""

    changed = Signal()

    def show_settings(self, settings: CrawlSettings) -> None:
        """Show what the settings say, and forget what was typed."""
        raise NotImplementedError

    def apply_to(self, settings: CrawlSettings) -> CrawlSettings:
        """The settings with what is typed here."""
        raise NotImplementedError

    def show_findings(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """Show each finding beside its field; gives back those that have no place here."""
        raise NotImplementedError

    def wrong_texts(self) -> int:
        """How many fields hold a text that is no value at all, and so cannot be applied."""
        return 0

    def complaint(self) -> str:
        """What is wrong with those fields, in one sentence; empty where each says it beside itself."""
        return ""

    def is_being_typed(self) -> bool:
        """Whether what is wrong is only not finished: then nobody is told off."""
        return False

    def set_running(self, running: bool) -> None:
        """Whether an engine is at work: some settings need a stopped crawl."""
