"""Making a crawl: a name, a place for its file, and where it begins. Everything else has a sensible value."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from core.settings import CrawlSettings, Seeds
from core.urls import Rejected, meant_by, parse_seed_line
from gui.file_dialog import file_dialog
from gui.file_names import file_name
from gui.foreign_text import on_button
from gui.labels import plain_label, set_tone

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayout

SUFFIX = ".crawl"


class NewCrawlDialog(QDialog):
    """Asks for three things; `crawl_wanted(path, settings)` once all are right. The caller makes the file."""

    crawl_wanted = Signal(object, object)  # Path, CrawlSettings

    def __init__(self, parent: QWidget, folder: Path) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("New crawl"))
        self.setMinimumWidth(520)
        self._folder = folder
        self._own_place = False
        self._build()
        self._lay_out()
        self._connect()
        self._on_changed()

    def _build(self) -> None:
        self.seed = QLineEdit()
        self.seed.setPlaceholderText("https://shop.example/")
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("taken from the host"))
        self.place = QLineEdit()
        self._browse = QPushButton(self.tr("Choose…"))
        self._problem = plain_label("", "muted", wrap=True)
        self.meant_button = QPushButton()
        self.meant_button.setAutoDefault(False)
        self.meant_button.hide()
        self._cancel = QPushButton(self.tr("Cancel"))
        self.create_button = QPushButton(self.tr("Create crawl"))
        self.create_button.setProperty("kind", "primary")
        self.create_button.setDefault(True)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(6)
        layout.addWidget(plain_label(self.tr("New crawl"), "title"))
        intro = self.tr("It starts only when you press Start. Seeds, exclusions and limits can be changed at any time.")
        layout.addWidget(plain_label(intro, "muted", wrap=True))
        layout.addSpacing(8)
        self._add_field(layout, self.tr("First &seed: where the crawl begins"), self.seed)
        self._add_field(layout, self.tr("&Name"), self.name)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.place, 1)
        row.addWidget(self._browse)
        self._add_field(layout, self.tr("&File"), self.place, row)
        layout.addWidget(self._problem)
        layout.addWidget(self.meant_button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addSpacing(8)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self._cancel)
        buttons.addWidget(self.create_button)
        layout.addLayout(buttons)

    def _add_field(self, layout: QVBoxLayout, text: str, field: QLineEdit, row: QLayout | None = None) -> None:
        label = plain_label(text, "heading")
        label.setBuddy(field)
        field.setAccessibleName(text.replace("&", ""))
        layout.addWidget(label)
        if row is None:
            layout.addWidget(field)
        else:
            layout.addLayout(row)
        layout.addSpacing(6)

    def _connect(self) -> None:
        self.seed.textChanged.connect(self._on_changed)
        self.name.textChanged.connect(self._on_changed)
        self.place.textEdited.connect(self._on_place_edited)
        self._browse.clicked.connect(self._on_browse)
        self.meant_button.clicked.connect(self._on_meant)
        self._cancel.clicked.connect(self.reject)
        self.create_button.clicked.connect(self._on_create)

    @property
    def chosen_name(self) -> str:
        return self.name.text().strip() or host_of(self.seed.text())

    @Slot()
    def _on_changed(self) -> None:
        if not self._own_place:
            self.place.setText(str(self._folder / (file_name(self.chosen_name) + SUFFIX)))
        self._check()

    @Slot()
    def _on_place_edited(self) -> None:
        self._own_place = True
        self._check()

    @Slot()
    def _on_browse(self) -> None:
        dialog = file_dialog(self, self.tr("Place of the crawl file"), self.place.text())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(SUFFIX[1:])
        dialog.setNameFilter(self.tr("Crawl files (*.crawl)"))
        dialog.fileSelected.connect(self._on_place_chosen)
        dialog.open()

    @Slot(str)
    def _on_place_chosen(self, path: str) -> None:
        self._own_place = True
        self.place.setText(path)
        self._check()

    def _check(self) -> None:
        problem = self._problem_of_seed() or problem_of_place(Path(self.place.text().strip()))
        quiet = not self.seed.text().strip()
        self._problem.setText(self.tr("Type or paste the address of a page.") if quiet else problem)
        set_tone(self._problem, "muted" if quiet else "bad")
        self.create_button.setEnabled(not problem)
        meant = meant_by(self.seed.text()) if self._problem_of_seed() else None
        self.meant_button.setVisible(meant is not None)
        self.meant_button.setText(self.tr("Use {0}").format(on_button(meant or "", 60)))

    def _problem_of_seed(self) -> str:
        read = parse_seed_line(self.seed.text())
        return read.message if isinstance(read, Rejected) else ""

    @Slot()
    def _on_meant(self) -> None:
        self.seed.setText(meant_by(self.seed.text()) or self.seed.text())
        self.seed.setFocus()

    @Slot()
    def _on_create(self) -> None:
        seeds = Seeds(urls=(self.seed.text().strip(),))
        self.crawl_wanted.emit(Path(self.place.text().strip()), CrawlSettings(name=self.chosen_name, seeds=seeds))


def host_of(text: str) -> str:
    """The host of a seed, as a name for the crawl; empty while the seed is not one."""
    read = parse_seed_line(text)
    return "" if isinstance(read, Rejected) else read.host.removeprefix("www.")


def problem_of_place(path: Path) -> str:
    """Why no crawl file can be made there; empty when it can."""
    if not path.name or path.name == SUFFIX:
        return "Say where the crawl file shall be."
    if path.exists():
        return f"{path.name} exists already. Choose another name; a crawl file is never written over."
    return "" if path.parent.is_dir() else f"The folder {path.parent} does not exist."
