"""The page that rules are tried on: one that the crawl has kept, or one fetched now, by a click alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from core.preview.page_fetch import FetchedPage, fetch_page
from gui.cancellable import Cancellable, awaited
from gui.figures import size
from gui.foreign_text import shown
from gui.labels import plain_label, set_tone
from gui.latest import Latest
from gui.records.kept import Choice, Wanted, choice_of, read_kept
from gui.tables.cells import moment_text
from gui.task import Task
from gui.theme import code_font

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.errors import FronteiraError
    from core.preview.page_source import PageSource
    from core.settings import CrawlSettings
    from core.store.read.kept_pages import KeptPage

PAUSE_MS = 400  # in typing the pattern, before the file is asked


class PageChoice(QWidget):
    """`page_came(PageSource)`, or None where there is none any more. `draft` gives the settings as they are typed."""

    page_came = Signal(object)

    def __init__(self, draft: Callable[[], CrawlSettings | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft = draft
        self._wanted: Wanted | None = None
        self._pages: tuple[KeptPage, ...] = ()
        self._page: PageSource | None = None
        self._asked: KeptPage | None = None
        self._running: Cancellable | None = None
        self._choosing = Latest(choice_of, self, PAUSE_MS)
        self._build()
        self._lay_out()
        self._connect()

    def _build(self) -> None:
        self.address = PageBox()
        self.address.setAccessibleName(self.tr("Page to try the rules on"))
        self.address.setToolTip(self.tr("A stored page that matches, or any URL to fetch"))
        self.fetch_button = QPushButton(self.tr("Fetch"))
        self.fetch_button.setToolTip(self.tr("Asks for this page now, once, with the crawl's settings"))
        self._said = plain_label("", "muted", wrap=True)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        label = plain_label(self.tr("Page"))
        label.setBuddy(self.address)
        row.addWidget(label)
        row.addWidget(self.address, 1)
        row.addWidget(self.fetch_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(row)
        layout.addWidget(self._said)

    def _connect(self) -> None:
        self.address.activated.connect(self._on_chosen)
        self.address.opened.connect(self._on_opened)
        self.address.entered.connect(self._on_entered)
        self.fetch_button.clicked.connect(self._on_fetch)
        self._choosing.ready.connect(self._on_choice)

    @property
    def page(self) -> PageSource | None:
        """The page that is tried on."""
        return self._page

    @property
    def pages(self) -> tuple[KeptPage, ...]:
        """The kept pages to choose from."""
        return self._pages

    @property
    def said(self) -> str:
        return self._said.text()

    def look_for(self, wanted: Wanted | None) -> None:
        """The kept pages of another pattern, or file (None: there is none)."""
        if wanted == self._wanted:
            return
        if wanted is None or self._wanted is None or wanted.path != self._wanted.path:
            self._forget()
        self._wanted = wanted
        if wanted is not None:
            self._choosing.ask(wanted)

    def say(self, text: str, tone: str = "muted") -> None:
        """About the page, below it."""
        self._said.setText(text)
        set_tone(self._said, tone)

    def cancel(self) -> None:
        """Let go of a request on its way."""
        if self._running is not None:
            self._running.cancel()

    def _forget(self) -> None:
        self.cancel()
        self._pages, self._asked = (), None
        self.address.clear()
        self.address.setEditText("")
        self.say("")
        self._take(None)

    def _take(self, page: PageSource | None) -> None:
        self._page = page
        self.page_came.emit(page)

    @Slot()
    def _on_opened(self) -> None:
        """The crawl goes on: what is kept now is looked for whenever the list is opened."""
        if self._wanted is not None:
            self._choosing.ask(self._wanted)

    @Slot(object)
    def _on_choice(self, choice: Choice) -> None:
        if choice.wanted != self._wanted:
            return
        typed = self.address.currentText()
        self._pages = choice.pages
        self.address.show_pages([page.url for page in choice.pages], typed)
        if choice.fault:
            self.say(choice.fault, "bad")
        elif choice.pages and not self._stays(typed):
            self._read(choice.pages[0])
        elif not choice.pages and self._page is None:
            self.say(self.tr("No stored page matches this pattern. Type the URL of a page and press Fetch."))

    def _stays(self, typed: str) -> bool:
        """Whether the address that is shown is still of this type, or something else that a person typed or fetched."""
        known = {page.url for page in self._pages}
        return bool(typed) and (typed in known or self._asked is None or typed != self._asked.url)

    def _read(self, page: KeptPage) -> None:
        wanted = self._wanted
        if wanted is None:
            return
        self._asked = page
        self.address.setEditText(page.url)
        task = Task(lambda: read_kept(wanted.path, page), self)
        task.finished.connect(lambda found: self._on_read(page, found))
        task.failed.connect(self._on_failed)
        task.start()

    def _on_read(self, page: KeptPage, found: PageSource | None) -> None:
        if self._asked is not page:
            return
        if found is None:
            self.say(self.tr("The response of this page is kept no more."), "warning")
        else:
            words = self.tr("Stored {0} UTC, answer {1}, {2}.")
            self.say(words.format(moment_text(page.at), page.status, size(len(found.body))))
        self._take(found)

    @Slot(int)
    def _on_chosen(self, index: int) -> None:
        if 0 <= index < len(self._pages):
            self._read(self._pages[index])

    @Slot()
    def _on_entered(self) -> None:
        typed = self.address.currentText().strip()
        page = next((page for page in self._pages if page.url == typed), None)
        if page is not None:
            self._read(page)
        elif typed and self._running is None:
            self._on_fetch()

    @Slot()
    def _on_fetch(self) -> None:
        if self._running is not None:
            self._running.cancel()
            return
        text, settings = self.address.currentText().strip(), self._draft()
        if not text or settings is None:
            self.say(self.tr("Type the URL of a page first, such as https://shop.example/product/1"), "warning")
            self.address.setFocus()
            return
        self._asked = None
        self._running = Cancellable(awaited(lambda: fetch_page(text, settings)), self)
        self._running.finished.connect(self._on_fetched)
        self._running.failed.connect(self._on_failed)
        self._running.called_off.connect(self._on_called_off)
        self.fetch_button.setText(self.tr("Cancel"))
        self.say(self.tr("Asking for {0}…").format(shown(text)))
        self._running.start()

    @Slot(object)
    def _on_fetched(self, fetched: FetchedPage) -> None:
        self._settle()
        if fetched.page is None:
            self.say(f"{shown(fetched.address)}: {fetched.problem}", "bad")
            return
        self.address.setEditText(fetched.address)
        words = self.tr("Fetched just now, answer {0}, {1}; not stored.")
        said = words.format(fetched.status, size(len(fetched.page.body)))
        self.say(f"{said} {fetched.problem}".strip(), "warning" if fetched.problem else "muted")
        self._take(fetched.page)

    @Slot(object)
    def _on_failed(self, fault: FronteiraError) -> None:
        self._settle()
        self.say(str(fault), "bad")

    @Slot()
    def _on_called_off(self) -> None:
        self._settle()
        self.say(self.tr("Called off."))

    def _settle(self) -> None:
        self._running = None
        self.fetch_button.setText(self.tr("Fetch"))


class PageBox(QComboBox):
    """An address to type or choose. `opened` before the list is shown; `entered` by the Return key."""

    opened = Signal()
    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        line = QLineEdit()
        line.setPlaceholderText("https://shop.example/product/1")
        self.setLineEdit(line)  # makes it editable
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(14)
        self.setFont(code_font())
        line.returnPressed.connect(self.entered)

    def show_pages(self, addresses: list[str], typed: str) -> None:
        """Offer these; what is typed stays."""
        if addresses != [self.itemText(at) for at in range(self.count())]:
            blocked = self.blockSignals(True)
            self.clear()
            self.addItems([shown(address, 2000) for address in addresses])
            self.blockSignals(blocked)
        self.setEditText(typed)

    def showPopup(self) -> None:
        self.opened.emit()
        super().showPopup()
