"""What this program is, its version and its licences."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, qVersion
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

import resources
from core import __version__
from gui.labels import plain_label


class AboutDialog(QDialog):
    """A few lines and the mark."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Fronteira"))
        self.setMinimumWidth(380)
        mark = plain_label()
        mark.setPixmap(QIcon(str(resources.path("icons/fronteira.svg"))).pixmap(QSize(56, 56)))
        close = QPushButton(self.tr("Close"))
        close.setProperty("kind", "primary")
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 26, 28, 22)
        layout.setSpacing(8)
        layout.addWidget(mark)
        layout.addWidget(plain_label("Fronteira", "display"))
        layout.addWidget(plain_label(self.tr("Version {0} · Qt {1}").format(__version__, qVersion()), "muted"))
        layout.addSpacing(6)
        promise = self.tr("A crawl is one file. Closing, crashing or killing anything at any moment loses nothing.")
        layout.addWidget(plain_label(promise, wrap=True))
        licence = self.tr("MIT licence. The typeface Inter is under the SIL Open Font Licence 1.1.")
        layout.addWidget(plain_label(licence, "muted", wrap=True))
        layout.addSpacing(8)
        layout.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
