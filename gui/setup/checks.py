"""Content checks as rows: the pages of a pattern, what must stand in them, what must not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.settings import Check
from gui.setup.row_list import ListSpec, Row, RowList

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.theme import Theme


class CheckRow(Row):
    """Pattern, must, must not. The two markers are plain text of the page's source; spaces in them count."""

    def __init__(self, theme: Theme, item: Check | None, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        pattern, must, must_not = (item.pattern, item.must, item.must_not) if item else ("", "", "")
        self.pattern = self.line(pattern, self.tr("Pages with this pattern"), "/product/*", code=True)
        self.must = self.line(must, self.tr("Must contain"), self.tr('must contain, as in class="sku"'), code=True)
        self.must_not = self.line(
            must_not, self.tr("Must not contain"), self.tr("must not contain, as in Access denied"), code=True
        )
        self.place((self.pattern, 2), (self.must, 3), (self.must_not, 3))
        self.setFocusProxy(self.pattern)

    def value(self) -> Check:
        return Check(pattern=self.pattern.text().strip(), must=self.must.text(), must_not=self.must_not.text())

    def is_blank(self) -> bool:
        return not (self.pattern.text().strip() or self.must.text() or self.must_not.text())


def content_checks(theme: Theme) -> RowList:
    """The card of `pages.checks`."""
    spec = ListSpec(
        "pages.checks",
        say("Content checks"),
        say("a page that fails one counts as failed, and its host is asked more slowly"),
        say("Add check"),
    )
    return RowList(theme, spec, lambda item: CheckRow(theme, item))


def say(text: str) -> str:
    return QCoreApplication.translate("checks", text)
