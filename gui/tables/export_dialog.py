"""Asks how a table is to be exported, shows how far it is, and where the file is in the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
)

from core.store.read.columns import TableQuery
from gui.figures import count
from gui.file_names import file_name, free_place
from gui.labels import ElidedLabel, plain_label, set_tone
from gui.tables.export_job import ExportJob, Order
from gui.worker_thread import WorkerThread

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.preferences import Preferences

FORMATS = (("CSV", "csv"), ("JSON Lines", "jsonl"), ("Excel (XLSX)", "xlsx"), ("Parquet", "parquet"))
ARCHIVES = (("WARC, each record compressed", "warc.gz"), ("WARC", "warc"))  # of responses alone


class ExportDialog(QDialog):
    """`query` is what is shown; `number` its rows, where they are known. Open it with `.open()`."""

    def __init__(
        self,
        path: Path,
        query: TableQuery,
        title: str,
        preferences: Preferences,
        parent: QWidget | None = None,
        number: int | None = None,
    ) -> None:
        super().__init__(parent)
        self._path, self._query, self._preferences, self._number = path, query, preferences, number
        self._title = title
        self._formats = (*FORMATS, *ARCHIVES) if query.table == "responses" else FORMATS
        self._working = False
        self._closing = False
        self._job = ExportJob()
        self._thread = WorkerThread(self._job, "export")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Export {0}").format(title))
        self.setMinimumWidth(520)
        self._build()
        self._lay_out()
        self._connect()
        self._on_format_chosen(0)

    def _build(self) -> None:
        rows = "" if self._number is None else f" ({count(self._number)})"
        self._rows = QComboBox()
        self._rows.addItem(self.tr("What is shown: filter, order and columns{0}").format(rows))
        self._rows.addItem(self.tr("The whole table with all columns"))
        self._rows.setAccessibleName(self.tr("Rows to export"))
        self._format = QComboBox()
        self._format.addItems([name for name, _ in self._formats])
        self._format.setAccessibleName(self.tr("Format"))
        proposed = self._preferences.folder / f"{file_name(self._path.stem)}-{self._query.table}.csv"
        self._place = QLineEdit(str(free_place(proposed)))
        self._place.setAccessibleName(self.tr("File to write"))
        self._browse = QPushButton(self.tr("Browse…"))
        self._bom = QCheckBox(self.tr("Byte order mark, for spreadsheets that expect one"))
        self._raw = QCheckBox(self.tr("Leave cells that look like formulas as they are"))
        self._raw.setToolTip(self.tr("A spreadsheet may run them. By default they are neutralised."))
        self._about = QCheckBox(self.tr("A small file beside it that says where it came from"))
        self._words = plain_label("", "muted", wrap=True)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress of the export"))
        self._cancel = QPushButton(self.tr("Cancel"))
        self._export = QPushButton(self.tr("Export"))
        self._export.setProperty("kind", "primary")
        self._export.setDefault(True)
        self._folder = QPushButton(self.tr("Show in folder"))
        self._folder.hide()
        self._bar.hide()

    def _lay_out(self) -> None:
        place = QHBoxLayout()
        place.setSpacing(8)
        place.addWidget(self._place, 1)
        place.addWidget(self._browse)
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(8)
        form.addRow(plain_label(self.tr("Rows"), "muted"), self._rows)
        form.addRow(plain_label(self.tr("Format"), "muted"), self._format)
        form.addRow(plain_label(self.tr("File"), "muted"), place)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        for button in (self._folder, self._cancel, self._export):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(ElidedLabel(self.windowTitle(), "title"))
        layout.addSpacing(4)
        layout.addLayout(form)
        for option in (self._bom, self._raw, self._about):
            layout.addWidget(option)
        layout.addWidget(self._bar)
        layout.addWidget(self._words)
        layout.addLayout(buttons)

    def _connect(self) -> None:
        self._job.progressed.connect(self._on_progressed)
        self._job.finished.connect(self._on_finished)
        self._job.cancelled.connect(self._on_cancelled)
        self._job.failed.connect(self._on_failed)
        self._format.currentIndexChanged.connect(self._on_format_chosen)
        self._place.textChanged.connect(self._on_place_changed)
        self._browse.clicked.connect(self._on_browse)
        self._export.clicked.connect(self._on_export)
        self._cancel.clicked.connect(self.reject)
        self._folder.clicked.connect(self._on_folder)

    def order(self) -> Order:
        """What was chosen."""
        query = self._query if self._rows.currentIndex() == 0 else TableQuery(self._query.table)
        is_csv = self._format.currentIndex() == 0
        return Order(
            self._path,
            query,
            Path(self._place.text().strip()).expanduser(),
            self._formats[self._format.currentIndex()][1],
            raw=self._raw.isChecked() and is_csv,
            bom=self._bom.isChecked() and is_csv,
            about=self._about.isChecked(),
        )

    def reject(self) -> None:
        """Cancel the work first; a second time, close."""
        if self._working:
            self._closing = True
            self._say(self.tr("Cancelling…"))
            self._job.interrupt()
            return
        super().reject()

    @Slot(int)
    def _on_format_chosen(self, index: int) -> None:
        for option in (self._bom, self._raw):
            option.setEnabled(index == 0)
        place = Path(self._place.text())
        if place.name:
            endings = sorted((f".{ending}" for _, ending in self._formats), key=len, reverse=True)
            stem = next((place.name.removesuffix(each) for each in endings if place.name.endswith(each)), place.stem)
            self._place.setText(str(place.with_name(f"{stem}.{self._formats[index][1]}")))

    @Slot(str)
    def _on_place_changed(self, text: str) -> None:
        there = bool(text.strip()) and Path(text.strip()).expanduser().is_file()
        name = Path(text.strip()).name
        self._say(self.tr("{0} exists already; the export takes its place.").format(name) if there else "", "warning")

    @Slot()
    def _on_browse(self) -> None:
        dialog = QFileDialog(self, self.windowTitle(), self._place.text())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(self._formats[self._format.currentIndex()][1])
        dialog.selectFile(self._place.text())
        dialog.fileSelected.connect(self._place.setText)
        dialog.open()

    @Slot()
    def _on_export(self) -> None:
        if not self._place.text().strip():
            self._on_failed(self.tr("Say which file is to be written."))
            return
        self._work(working=True)
        self._bar.setRange(0, 0)
        self._say(self.tr("Reading the table…"))
        self._job.renew()
        self._thread.post(self._job.run, self.order())

    @Slot(int, int)
    def _on_progressed(self, done: int, total: int) -> None:
        self._bar.setRange(0, 1000)
        self._bar.setValue(round(1000 * done / max(1, total)))
        self._say(self.tr("{0} of {1} rows").format(count(done), count(total)))

    @Slot(int)
    def _on_finished(self, rows: int) -> None:
        place = self.order().to
        self._work(working=False)
        self._preferences.set_folder(place.parent)
        self._say(self.tr("{0} rows written to {1}").format(count(rows), place), "good")
        self._folder.show()
        self._folder.setFocus()
        self._cancel.setText(self.tr("Close"))

    @Slot()
    def _on_cancelled(self) -> None:
        self._work(working=False)
        if self._closing:
            super().reject()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._work(working=False)
        self._say(sentence, "bad")

    @Slot()
    def _on_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.order().to.parent)))

    def _work(self, *, working: bool) -> None:
        self._working = working
        self._bar.setVisible(working)
        fields = (self._rows, self._format, self._place, self._browse, self._bom, self._raw, self._about)
        for widget in (*fields, self._export):
            widget.setEnabled(not working)
        if not working:
            is_csv = self._format.currentIndex() == 0
            self._bom.setEnabled(is_csv)
            self._raw.setEnabled(is_csv)

    def _say(self, text: str, tone: str = "muted") -> None:
        set_tone(self._words, tone)
        self._words.setText(text)
