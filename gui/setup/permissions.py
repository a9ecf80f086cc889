"""Who allowed what: a host's authorisation with its last day, a robots.txt that is not obeyed, with the reason, and a
certificate that is not looked at."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate
from PySide6.QtWidgets import QDateEdit

from core.settings import Authorisation, RobotsOverride
from gui.setup.row_list import ListSpec, Row, RowList

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QWidget

    from gui.theme import Theme

USUAL_DAYS = 90  # from today, for a new authorisation


def utc_today() -> date:
    """Authorisations end at midnight UTC."""
    return datetime.now(UTC).date()


class DateField(QDateEdit):
    """A day, typed or taken from a calendar; the wheel scrolls the page and never changes it."""

    def __init__(self, day: date) -> None:
        super().__init__(QDate(day.year, day.month, day.day))
        self.setDisplayFormat("yyyy-MM-dd")
        self.setCalendarPopup(True)

    def day(self) -> date:
        shown = self.date()
        return date(shown.year(), shown.month(), shown.day())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class AuthorisationRow(Row):
    """Host, by whom, until when. `today` is the day in UTC."""

    def __init__(
        self, theme: Theme, item: Authorisation | None, today: Callable[[], date], parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._today = today
        host, by = (item.host, item.by) if item else ("", "")
        self.host = self.line(host, self.tr("Host"), "shop.example", code=True)
        self.by = self.line(by, self.tr("Authorised by"), self.tr("who allowed it"))
        self.until = DateField(item.until if item else today() + timedelta(days=USUAL_DAYS))
        self.until.setAccessibleName(self.tr("Until, the last day"))
        self.until.dateChanged.connect(self._on_date_changed)
        self.place((self.host, 3), (self.by, 3), (self.until, 0))
        self.setFocusProxy(self.host)

    def value(self) -> Authorisation:
        return Authorisation(host=self.host.text().strip(), by=self.by.text().strip(), until=self.until.day())

    def is_blank(self) -> bool:
        return not (self.host.text().strip() or self.by.text().strip())

    def remark(self) -> str:
        past = not self.is_blank() and self.until.day() < self._today()
        return self.tr("This day is past: nothing is asked of the host.") if past else ""

    def _on_date_changed(self, _day: QDate) -> None:
        self.changed.emit()


class OverrideRow(Row):
    """Host and reason."""

    def __init__(self, theme: Theme, item: RobotsOverride | None, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        host, reason = (item.host, item.reason) if item else ("", "")
        self.host = self.line(host, self.tr("Host"), "shop.example", code=True)
        self.reason = self.line(reason, self.tr("Reason, kept on record"), self.tr("why it is not obeyed"))
        self.place((self.host, 2), (self.reason, 3))
        self.setFocusProxy(self.host)

    def value(self) -> RobotsOverride:
        return RobotsOverride(host=self.host.text().strip(), reason=self.reason.text().strip())

    def is_blank(self) -> bool:
        return not (self.host.text().strip() or self.reason.text().strip())


class UncheckedRow(Row):
    """A host alone."""

    def __init__(self, theme: Theme, item: str | None, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.host = self.line(item or "", self.tr("Host"), "shop.example", code=True)
        self.place((self.host, 1))
        self.setFocusProxy(self.host)

    def value(self) -> str:
        return self.host.text().strip()

    def is_blank(self) -> bool:
        return not self.host.text().strip()

    def remark(self) -> str:
        return "" if self.is_blank() else self.tr("Anybody on the way can answer in its name.")


def authorisations(theme: Theme, today: Callable[[], date] = utc_today) -> RowList:
    """The card of `scope.authorised`."""
    spec = ListSpec(
        "scope.authorised",
        say("Authorisations"),
        say("after its last day a host is not fetched"),
        say("Add host"),
    )
    return RowList(theme, spec, lambda item: AuthorisationRow(theme, item, today))


def robots_overrides(theme: Theme) -> RowList:
    """The card of `politeness.robots_override`."""
    spec = ListSpec(
        "politeness.robots_override",
        say("robots.txt not obeyed"),
        say("each host with its reason, on record"),
        say("Add host"),
    )
    return RowList(theme, spec, lambda item: OverrideRow(theme, item))


def unchecked_certificates(theme: Theme) -> RowList:
    """The card of `fetch.untrusted_tls`."""
    spec = ListSpec(
        "fetch.untrusted_tls",
        say("Certificates not checked"),
        say("hosts taken at their word"),
        say("Add host"),
    )
    return RowList(theme, spec, lambda item: UncheckedRow(theme, item))


def say(text: str) -> str:
    return QCoreApplication.translate("permissions", text)
