"""The one style sheet of the window, made from the tokens.

A widget asks for a look by its object name or by a property (`class="card"`): `kind` of a button is primary, danger
or quiet; `tone` of a label is muted, faint, title, heading, good, warning or bad.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import resources

if TYPE_CHECKING:
    from gui.tokens import Tokens


def style_sheet(tokens: Tokens) -> str:
    """The whole sheet."""
    parts = (_ground, _labels, _buttons, _fields, _choices, _menus, _tables, _scroll_bars, _tabs, _places)
    return "\n".join(part(tokens) for part in parts)


def image(name: str, tokens: Tokens) -> str:
    """The path of a small image in this theme; Qt wants forward slashes everywhere."""
    return resources.path(f"icons/{name}-{tokens.name}.svg").as_posix()


def _ground(t: Tokens) -> str:
    return f"""
QMainWindow, QDialog {{ background: {t.background}; }}
QWidget {{ color: {t.text}; }}
QFrame[class="card"] {{ background: {t.card}; border: 1px solid {t.line}; border-radius: 8px; }}
QFrame[class="rule"] {{ background: {t.line}; border: none; }}
QToolTip {{ background: {t.card}; color: {t.text}; border: 1px solid {t.line_strong}; padding: 4px 6px; }}
QSplitter::handle {{ background: transparent; }}
QScrollArea, QScrollArea > QWidget > QWidget {{ background: transparent; border: none; }}
"""


def _labels(t: Tokens) -> str:
    return f"""
QLabel {{ background: transparent; }}
QLabel[tone="muted"] {{ color: {t.muted}; }}
QLabel[tone="faint"] {{ color: {t.faint}; }}
QLabel[tone="good"] {{ color: {t.good}; }}
QLabel[tone="warning"] {{ color: {t.warning}; }}
QLabel[tone="bad"] {{ color: {t.bad}; }}
QLabel[tone="title"] {{ font-size: 13pt; font-weight: 600; }}
QLabel[tone="display"] {{ font-size: 18pt; font-weight: 600; }}
QLabel[tone="heading"] {{ font-weight: 600; }}
"""


def _buttons(t: Tokens) -> str:
    return f"""
QPushButton, QToolButton[class="button"] {{ background: {t.card}; border: 1px solid {t.line_strong}; border-radius: 6px;
  padding: 0 13px; min-height: 26px; font-weight: 600; }}
QPushButton:hover, QToolButton[class="button"]:hover {{ background: {t.hover}; }}
QPushButton:pressed {{ background: {t.line}; }}
QPushButton:focus {{ border: 2px solid {t.accent}; padding: 0 12px; min-height: 24px; }}
QPushButton:disabled {{ color: {t.faint}; border-color: {t.line}; background: {t.background}; }}
QPushButton[kind="primary"] {{ background: {t.accent}; color: {t.accent_text}; border-color: {t.accent}; }}
QPushButton[kind="primary"]:focus {{ border: 2px solid {t.text}; }}
QPushButton[kind="primary"]:disabled {{ background: {t.line}; color: {t.faint}; border-color: {t.line}; }}
QPushButton[kind="danger"] {{ color: {t.bad}; border-color: {t.bad}; background: transparent; }}
QPushButton[kind="danger"]:hover {{ background: {t.bad_tint}; }}
QPushButton[kind="danger"]:disabled {{ color: {t.faint}; border-color: {t.line}; }}
QPushButton[kind="quiet"] {{ background: transparent; border-color: transparent; }}
QPushButton[kind="quiet"]:hover {{ background: {t.hover}; }}
QPushButton[kind="quiet"]:focus {{ border: 2px solid {t.accent}; }}
QPushButton[kind="segment"] {{ background: transparent; border: 1px solid transparent; color: {t.muted}; }}
QPushButton[kind="segment"]:hover {{ background: {t.hover}; }}
QPushButton[kind="segment"]:checked {{ background: {t.accent_tint}; color: {t.text}; }}
QPushButton[kind="segment"]:focus {{ border: 2px solid {t.accent}; }}
"""


def _fields(t: Tokens) -> str:
    return f"""
QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox, QDateEdit {{ background: {t.field}; border: 1px solid {t.line_strong};
  border-radius: 6px; min-height: 26px; padding: 0 9px; selection-background-color: {t.accent};
  selection-color: {t.accent_text}; }}
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus, QDateEdit:focus {{ border: 2px solid {t.accent};
  min-height: 24px; padding: 0 8px; }}
QLineEdit[wrong="true"] {{ border-color: {t.bad}; }}
QLineEdit:disabled, QComboBox:disabled {{ color: {t.faint}; background: {t.background}; border-color: {t.line}; }}
QPlainTextEdit, QTextEdit {{ background: {t.field}; border: 1px solid {t.line_strong}; border-radius: 6px;
  selection-background-color: {t.accent}; selection-color: {t.accent_text}; }}
QPlainTextEdit:focus, QTextEdit:focus {{ border: 1px solid {t.accent}; }}
QComboBox::drop-down, QDateEdit::drop-down {{ border: none; width: 22px; }}
QComboBox::down-arrow, QDateEdit::down-arrow {{ image: url("{image("down", t)}"); width: 12px; height: 12px; }}
QComboBox QAbstractItemView {{ background: {t.card}; border: 1px solid {t.line_strong};
  selection-background-color: {t.selection}; selection-color: {t.text}; outline: none; }}
QSpinBox::up-button, QDoubleSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::down-button {{
  border: none; background: transparent; width: 18px; }}
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow {{ image: url("{image("up", t)}"); width: 10px; height: 10px; }}
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {{ image: url("{image("down", t)}"); width: 10px; height: 10px; }}
"""


def _choices(t: Tokens) -> str:
    return f"""
QCheckBox, QRadioButton {{ background: transparent; spacing: 8px; min-height: 24px; }}
QCheckBox:disabled, QRadioButton:disabled {{ color: {t.faint}; }}
QCheckBox::indicator, QTreeView::indicator, QListView::indicator, QTableView::indicator {{ width: 15px; height: 15px;
  border: 1px solid {t.line_strong}; border-radius: 4px; background: {t.field}; }}
QCheckBox::indicator:checked, QTreeView::indicator:checked, QListView::indicator:checked,
QTableView::indicator:checked {{ image: url("{image("check", t)}"); border-color: {t.accent};
  background: {t.accent_tint}; }}
QTreeView::indicator:indeterminate {{ image: url("{image("dash", t)}"); border-color: {t.accent};
  background: {t.accent_tint}; }}
QCheckBox:focus, QRadioButton:focus {{ color: {t.accent}; }}
QCheckBox::indicator:focus {{ border: 2px solid {t.accent}; }}
QRadioButton::indicator {{ width: 15px; height: 15px; border: 1px solid {t.line_strong}; border-radius: 8px;
  background: {t.field}; }}
QRadioButton::indicator:hover {{ border-color: {t.accent}; }}
QRadioButton::indicator:checked {{ width: 7px; height: 7px; border: 5px solid {t.accent}; border-radius: 8px;
  background: {t.accent_text}; }}
QRadioButton::indicator:focus {{ border-color: {t.text}; }}
QProgressBar {{ background: {t.line}; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }}
QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
"""


def _menus(t: Tokens) -> str:
    return f"""
QMenuBar {{ background: {t.card}; border-bottom: 1px solid {t.line}; padding: 1px 6px; }}
QMenuBar::item {{ background: transparent; padding: 4px 8px; border-radius: 6px; }}
QMenuBar::item:selected {{ background: {t.hover}; }}
QMenu {{ background: {t.card}; border: 1px solid {t.line_strong}; padding: 5px; }}
QMenu::item {{ padding: 6px 26px 6px 24px; border-radius: 5px; }}
QMenu::item:selected {{ background: {t.selection}; }}
QMenu::item:disabled {{ color: {t.faint}; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 5px 8px; }}
QMenu::indicator:checked {{ image: url("{image("check", t)}"); width: 12px; height: 12px; left: 6px; }}
"""


def _tables(t: Tokens) -> str:
    return f"""
QTableView, QTreeView, QListView {{ background: {t.card}; border: 1px solid {t.line}; border-radius: 8px;
  gridline-color: {t.line}; outline: none; selection-background-color: {t.selection}; selection-color: {t.text};
  alternate-background-color: {t.card}; }}
QTableView:focus, QTreeView:focus, QListView:focus {{ border-color: {t.accent}; }}
QTableView::item {{ border-bottom: 1px solid {t.line}; padding: 0 8px; }}
QTableView::item:selected, QTreeView::item:selected, QListView::item:selected {{ background: {t.selection};
  color: {t.text}; }}
QTreeView::item, QListView::item {{ min-height: 28px; padding: 0 4px; }}
QHeaderView {{ background: transparent; border: none; }}
QHeaderView::section {{ background: transparent; color: {t.muted}; font-weight: 600; border: none;
  border-bottom: 1px solid {t.line_strong}; padding: 0 11px; min-height: 30px; }}
QHeaderView::up-arrow {{ image: url("{image("up", t)}"); width: 11px; height: 11px; }}
QHeaderView::down-arrow {{ image: url("{image("down", t)}"); width: 11px; height: 11px; }}
QTableCornerButton::section {{ background: {t.card}; border: none; }}
"""


def _scroll_bars(t: Tokens) -> str:
    return f"""
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 2px; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 2px; }}
QScrollBar::handle {{ background: {t.line_strong}; border-radius: 4px; min-height: 28px; min-width: 28px; }}
QScrollBar::handle:hover {{ background: {t.faint}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def _tabs(t: Tokens) -> str:
    return f"""
QTabBar {{ background: transparent; border: none; }}
QTabBar::tab {{ background: transparent; color: {t.muted}; font-weight: 600; padding: 0 1px; margin-right: 22px;
  min-height: 33px; border: none; border-bottom: 2px solid transparent; }}
QTabBar::tab:hover {{ color: {t.text}; }}
QTabBar::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
QTabBar::tab:focus {{ color: {t.accent}; }}
QTabBar::tab:disabled {{ color: {t.faint}; }}
"""


def _places(t: Tokens) -> str:
    return f"""
QFrame#sidebar {{ background: {t.sidebar}; border: none; border-right: 1px solid {t.line}; }}
QFrame#sidebar QListView {{ background: transparent; border: 1px solid transparent; border-radius: 8px; }}
QFrame#sidebar QListView:focus {{ border-color: {t.accent}; }}
QFrame#header {{ background: {t.card}; border: none; border-bottom: 1px solid {t.line}; }}
QFrame#content {{ background: {t.background}; border: none; }}
QFrame#footer {{ background: {t.card}; border: none; border-top: 1px solid {t.line}; }}
QFrame#footer QLabel {{ color: {t.muted}; }}
QLabel#pill {{ border-radius: 9px; padding: 1px 10px; font-weight: 600; background: {t.hover}; color: {t.muted}; }}
QLabel#pill[tone="good"] {{ background: {t.good_tint}; color: {t.good}; }}
QLabel#pill[tone="warning"] {{ background: {t.warning_tint}; color: {t.warning}; }}
QLabel#pill[tone="bad"] {{ background: {t.bad_tint}; color: {t.bad}; }}
QFrame#banner {{ background: {t.warning_tint}; border: 1px solid {t.warning_line}; border-radius: 8px; }}
QFrame#banner[tone="bad"] {{ background: {t.bad_tint}; border: 1px solid {t.bad}; }}
QFrame#banner[tone="good"] {{ background: {t.good_tint}; border: 1px solid {t.good}; }}
QFrame#drop[over="true"] {{ border: 2px dashed {t.accent}; background: {t.accent_tint}; }}
"""
