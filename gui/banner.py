"""The line under the header for what an analyst should look at: alarms of the crawl, and faults of the moment.

One notice at a time, the newest fault first, then alarms; each is dismissed by hand. Alarms that name a pattern offer
to exclude it: at once where the pattern is made for that, else by way of the setup.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from core.store.names import VANISHED, WishKind
from gui.foreign_text import shown
from gui.labels import ElidedLabel, plain_label, set_tone

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from core.store.rows import AlarmRow
    from gui.theme import Theme


@dataclass(frozen=True, slots=True)
class Offer:
    """A button of a notice: what is sent when it is pressed, and its text."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What the banner shows; `alarm` is its id where it comes from the crawl file, `offer` is what can be done now.

    `ready`: its pattern can be excluded as it stands.
    """

    title: str
    text: str
    tone: str = "warning"
    pattern: str = ""
    alarm: int | None = None
    offer: Offer | None = None
    ready: bool = False


OFFERS = {VANISHED: Offer(WishKind.CONFIRM, "They are gone")}  # by kind of alarm: what waits for the analyst's word
READY = frozenset({"generated"})  # kinds of alarms whose pattern is an exclusion already


class Banner(QFrame):
    """Hidden while there is nothing to say."""

    exclude_wanted = Signal(str)  # a pattern, to be looked at in the setup
    exclusion_wanted = Signal(str)  # a pattern, at once
    acknowledged = Signal(int)
    offer_taken = Signal(str)  # key
    dismissed = Signal(object)  # Notice

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._theme = theme
        self._faults: list[Notice] = []
        self._alarms: tuple[Notice, ...] = ()
        self._shown: Notice | None = None
        self._build()
        self._lay_out()
        self._connect()
        self._show_next()

    def _build(self) -> None:
        self._sign = plain_label()
        self._title = ElidedLabel("", "heading")
        self._text = plain_label("", "muted", wrap=True)
        self._more = plain_label("", "muted")
        self._exclude = QPushButton(self.tr("Exclude pattern…"))
        self._theme.dress(self._exclude, "filter-remove-outline")
        self._offer = QPushButton()
        self._dismiss = QPushButton()
        self._dismiss.setProperty("kind", "quiet")
        self._dismiss.setAccessibleName(self.tr("Dismiss this notice"))
        self._dismiss.setToolTip(self.tr("Dismiss"))
        self._theme.dress(self._dismiss, "close", "muted")

    def _lay_out(self) -> None:
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(self._title)
        texts.addWidget(self._text)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 8, 8)
        layout.setSpacing(12)
        layout.addWidget(self._sign)
        layout.addLayout(texts, 1)
        layout.addWidget(self._more)
        layout.addWidget(self._offer)
        layout.addWidget(self._exclude)
        layout.addWidget(self._dismiss)

    def _connect(self) -> None:
        self._exclude.clicked.connect(self._on_exclude)
        self._offer.clicked.connect(self._on_offer)
        self._dismiss.clicked.connect(self._on_dismiss)
        self._theme.changed.connect(self._show_next)

    def show_fault(self, sentence: str) -> None:
        """Something went wrong just now; the same sentence is not repeated."""
        head, _, rest = sentence.partition("\n")
        notice = Notice(shown(head), shown(rest.replace("\n", " "), 600), "bad")
        if notice not in self._faults:
            self._faults.insert(0, notice)
        self._show_next()

    def forget_faults(self) -> None:
        """The crawl runs again: what went wrong before is over."""
        self._faults = [notice for notice in self._faults if _outlives_a_start(notice)]
        self._show_next()

    def show_note(self, sentence: str) -> None:
        """Something went well and cannot be seen otherwise."""
        self._faults.insert(0, Notice(shown(sentence), "", "good"))
        self._show_next()

    def show_notice(self, notice: Notice) -> None:
        """Something about the file that can be acted on: behind what went wrong, and once for each offer."""
        self._faults = [other for other in self._faults if other.offer is None or other.offer != notice.offer]
        self._faults.append(notice)
        self._show_next()

    def set_alarms(self, alarms: tuple[AlarmRow, ...]) -> None:
        """The open alarms of the crawl."""
        notices = tuple(
            Notice(
                _title(alarm),
                shown(alarm.message, 600),
                "warning",
                alarm.pattern,
                alarm.id,
                OFFERS.get(alarm.kind),
                ready=alarm.kind in READY,
            )
            for alarm in alarms
        )
        if notices != self._alarms:
            self._alarms = notices
            self._show_next()

    def withdraw(self, key: str) -> None:
        """What this offer was about is over."""
        self._faults = [notice for notice in self._faults if notice.offer is None or notice.offer.key != key]
        self._show_next()

    def clear(self) -> None:
        """Another crawl is shown."""
        self._faults.clear()
        self._alarms = ()
        self._show_next()

    @Slot()
    def _on_offer(self) -> None:
        if self._shown is not None and self._shown.offer is not None:
            self.offer_taken.emit(self._shown.offer.key)

    @Slot()
    def _on_exclude(self) -> None:
        if self._shown is not None and self._shown.pattern:
            wanted = self.exclusion_wanted if self._shown.ready else self.exclude_wanted
            wanted.emit(self._shown.pattern)

    @Slot()
    def _on_dismiss(self) -> None:
        notice = self._shown
        if notice is None:
            return
        if notice.alarm is not None:
            self.acknowledged.emit(notice.alarm)
            self._alarms = tuple(other for other in self._alarms if other is not notice)
        else:
            self._faults.remove(notice)
            self.dismissed.emit(notice)
        self._show_next()

    @Slot()
    def _show_next(self) -> None:
        queue = (*self._faults, *self._alarms)
        self._shown = queue[0] if queue else None
        self.setVisible(self._shown is not None)
        if self._shown is None:
            return
        tone = self._shown.tone
        set_tone(self, tone)
        sign = {"good": "check-circle", "bad": "alert-circle"}.get(tone, "alert")
        self._sign.setPixmap(self._theme.icon(sign, tone).pixmap(QSize(18, 18)))
        self._title.set_foreign_text(self._shown.title)
        self._text.setText(self._shown.text)
        self._text.setVisible(bool(self._shown.text))
        self._exclude.setVisible(bool(self._shown.pattern))
        self._exclude.setText(self.tr("Exclude") if self._shown.ready else self.tr("Exclude pattern…"))
        self._offer.setVisible(self._shown.offer is not None)
        self._offer.setText(self.tr(self._shown.offer.text) if self._shown.offer else "")
        self._more.setText(self.tr("{0} more").format(len(queue) - 1))
        self._more.setVisible(len(queue) > 1)


def _outlives_a_start(notice: Notice) -> bool:
    """What went wrong before, and what was checked after it, is over; a standing of the file and a note are not."""
    return notice.tone == "warning" or (notice.tone == "good" and notice.offer is None)


def _title(alarm: AlarmRow) -> str:
    kind = alarm.kind.replace("-", " ").replace("_", " ").capitalize()
    place = alarm.pattern or alarm.host
    return f"{kind}: {place}" if place else kind
