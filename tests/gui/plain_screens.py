"""What must hold of every widget on the screen: nothing that came from a site is painted or kept as rich text."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractItemView,
    QErrorMessage,
    QGraphicsTextItem,
    QGraphicsView,
    QLabel,
    QMessageBox,
    QTextEdit,
    QWidget,
)

from tests.gui.hostile_crawl import BRIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QAbstractItemModel

HOUSE_TIP = re.compile(r"<p style='white-space: pre-wrap'>([^<]*)</p>")
MOST_ROWS = 50


def bright_pixels(widget: QWidget) -> int:
    """How many pixels of the widget, as it is painted now, have the hostile colour."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)[:, : image.width()]
    return int(np.count_nonzero((pixels & 0xFFFFFF) == (BRIGHT.rgb() & 0xFFFFFF)))


def complaints(widget: QWidget, texts: tuple[str, ...]) -> list[str]:
    """Everything in the tree of the widget that shows, or would show when pointed at, a hostile text as mark-up."""
    found = [f"{name(widget)} paints the colour"] if bright_pixels(widget) else []
    for each in (widget, *widget.findChildren(QWidget)):
        found += [f"{name(each)}: {wrong}" for wrong in _wrong_in(each, texts)]
    return found


def name(widget: QWidget) -> str:
    return f"{type(widget).__name__} “{widget.accessibleName()[:40]}”"


def _wrong_in(widget: QWidget, texts: tuple[str, ...]) -> Iterator[str]:
    if isinstance(widget, QMessageBox | QErrorMessage | QTextEdit):
        yield "is a widget that takes rich text"
    if isinstance(widget, QLabel) and widget.textFormat() is not Qt.TextFormat.PlainText:
        yield f"has the format {widget.textFormat()}"
    if not is_plain_tip(widget.toolTip()):
        yield f"has the tooltip {widget.toolTip()[:200]}"
    if widget.statusTip() or widget.whatsThis():
        yield "has a status tip or a help text"
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _wrong_in_model(widget.model())
    if isinstance(widget, QGraphicsView) and widget.scene() is not None:
        yield from _wrong_in_scene(widget, texts)


def is_plain_tip(tip: str) -> bool:
    """Whether a tooltip is written by the house: without mark-up, or as one paragraph whose text is written out."""
    if not Qt.mightBeRichText(tip):  # type: ignore[attr-defined]  # the stub leaves it out
        return "<" not in tip
    paragraph = HOUSE_TIP.fullmatch(tip)
    return paragraph is not None and len(unescape(paragraph.group(1))) <= 2000


def _wrong_in_model(model: QAbstractItemModel, parent: QModelIndex | None = None) -> Iterator[str]:
    root = parent or QModelIndex()
    for row in range(min(model.rowCount(root), MOST_ROWS)):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(root)):
            index = model.index(row, column, root)
            tip, text = index.data(Qt.ItemDataRole.ToolTipRole), index.data(Qt.ItemDataRole.DisplayRole)
            if isinstance(tip, str) and not is_plain_tip(tip):
                yield f"a cell has the tooltip {tip[:200]}"
            if isinstance(text, str) and len(text) > 300:
                yield f"a cell has {len(text)} characters"
        yield from _wrong_in_model(model, model.index(row, 0, root))


def _wrong_in_scene(view: QGraphicsView, texts: tuple[str, ...]) -> Iterator[str]:
    for item in view.scene().items():
        if not is_plain_tip(item.toolTip()):
            yield f"a mark has the tooltip {item.toolTip()[:200]}"
        if isinstance(item, QGraphicsTextItem) and any(text in item.toHtml() for text in texts):
            yield "a text of the chart is the site's"
