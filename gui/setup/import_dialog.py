"""What a pasted text, a file or a page brings: found URLs grouped by host, new hosts marked, before any is added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.figures import count
from gui.foreign_text import shown
from gui.labels import plain_label

if TYPE_CHECKING:
    from core.seeds.text import Seed, SeedText
    from gui.theme import Theme

MOST_LINES = 200  # of one host, shown; all of them are added
MOST_PROBLEMS = 200
SEED_ROLE = Qt.ItemDataRole.UserRole


class ImportDialog(QDialog):
    """`seeds_wanted(texts)` when the person has chosen; nothing is added before."""

    seeds_wanted = Signal(object)  # tuple[str, ...]

    def __init__(
        self, theme: Theme, source: str, found: SeedText, known_hosts: frozenset[str], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Add seeds"))
        self.resize(640, 540)
        self._groups = found.by_host()
        self._theme = theme
        self._known = known_hosts
        self._build(found)
        self._lay_out(source, found)
        self._connect()
        self._on_chosen()

    def _build(self, found: SeedText) -> None:
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setColumnCount(2)
        self.tree.setAccessibleName(self.tr("Found URLs by host"))
        self.tree.setUniformRowHeights(True)
        for host, seeds in self._groups.items():
            self.tree.addTopLevelItem(self._host_item(host, seeds))
        self.tree.setColumnWidth(0, 430)
        self._problems = QPlainTextEdit()
        self._problems.setReadOnly(True)
        self._problems.setMaximumHeight(96)
        self._problems.setAccessibleName(self.tr("Lines that are no URLs"))
        lines = [f"line {bad.line}: {bad.message} ({shown(bad.text, 80)})" for bad in found.problems[:MOST_PROBLEMS]]
        self._problems.setPlainText("\n".join(lines))
        self._problems.setVisible(bool(lines))
        self.add_button = QPushButton()
        self.add_button.setProperty("kind", "primary")
        self.add_button.setDefault(True)
        self._cancel = QPushButton(self.tr("Cancel"))

    def _host_item(self, host: str, seeds: tuple[Seed, ...]) -> QTreeWidgetItem:
        new = host not in self._known
        item = QTreeWidgetItem([shown(host), f"{count(len(seeds))} URLs" + (" · new host" if new else "")])
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(0, Qt.CheckState.Checked)
        item.setData(0, SEED_ROLE, host)
        item.setForeground(1, self._theme.colour("good" if new else "muted"))
        for seed in seeds[:MOST_LINES]:
            item.addChild(QTreeWidgetItem([shown(seed.url.text)]))
        if len(seeds) > MOST_LINES:
            item.addChild(QTreeWidgetItem([f"… and {count(len(seeds) - MOST_LINES)} more"]))
        return item

    def _lay_out(self, source: str, found: SeedText) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(10)
        title = self.tr("{0} URLs on {1} hosts").format(count(len(found.good)), count(len(self._groups)))
        layout.addWidget(plain_label(title, "title"))
        remarks = [shown(source)]
        if found.duplicates:
            remarks.append(self.tr("{0} repeated").format(count(found.duplicates)))
        if found.problems:
            remarks.append(self.tr("{0} lines without a usable URL").format(count(len(found.problems))))
        layout.addWidget(plain_label(" · ".join(remarks), "muted", wrap=True))
        layout.addWidget(self.tree, 1)
        layout.addWidget(self._problems)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._cancel)
        row.addWidget(self.add_button)
        layout.addLayout(row)

    def _connect(self) -> None:
        self.tree.itemChanged.connect(self._on_chosen)
        self.add_button.clicked.connect(self._on_add)
        self._cancel.clicked.connect(self.reject)

    def chosen(self) -> tuple[str, ...]:
        """The URLs of the hosts that are ticked."""
        items = [self.tree.topLevelItem(at) for at in range(self.tree.topLevelItemCount())]
        hosts = [item.data(0, SEED_ROLE) for item in items if item and item.checkState(0) == Qt.CheckState.Checked]
        return tuple(seed.url.text for host in hosts for seed in self._groups[host])

    @Slot()
    def _on_chosen(self) -> None:
        number = len(self.chosen())
        self.add_button.setText(self.tr("Add {0} URLs").format(count(number)))
        self.add_button.setEnabled(number > 0)

    @Slot()
    def _on_add(self) -> None:
        self.seeds_wanted.emit(self.chosen())
        self.accept()
