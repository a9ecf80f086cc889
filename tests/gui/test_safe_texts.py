"""Read from the source: the window shows text only by the house's safe forms (labels.py, foreign_text.py)."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

GUI = Path(__file__).resolve().parents[2] / "gui"
FILES = {path.relative_to(GUI).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in GUI.rglob("*.py")}
LABELS = "labels.py"
# Widgets that guess at mark-up, or take it; QTextEdit.ExtraSelection is a colour, no widget.
GUESSING = {"QMessageBox", "QTextEdit", "QTextBrowser", "QErrorMessage", "QInputDialog", "QProgressDialog", "QWizard"}
MARKING_UP = {
    *("setHtml", "appendHtml", "insertHtml", "setMarkdown", "setTextFormat", "setStatusTip", "setWhatsThis"),
    *("TextItem", "LabelItem", "QGraphicsTextItem", "setDetailedText", "setInformativeText"),
}


def uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name and attribute that is used, with its line; imports do not count."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and not (
            isinstance(node.value, ast.Name) and node.value.id == "QTextEdit" and node.attr == "ExtraSelection"
        ):
            yield node.lineno, node.attr


def calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name:
            yield node


def is_safe_tip(node: ast.expr) -> bool:
    """`tooltip(...)`, a text of our own, or a choice between such."""
    if isinstance(node, ast.IfExp):
        return is_safe_tip(node.body) and is_safe_tip(node.orelse)
    if isinstance(node, ast.Constant):
        return True
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id == "tooltip"
    is_ours = isinstance(node.func, ast.Attribute) and node.func.attr == "tr"
    return is_ours and all(isinstance(argument, ast.Constant) for argument in node.args)


@pytest.mark.parametrize("file", sorted(FILES))
def test_only_the_house_makes_labels_and_nothing_guesses_at_mark_up(file: str) -> None:
    extra = {
        node.value.lineno
        for node in ast.walk(FILES[file])
        if isinstance(node, ast.Attribute) and node.attr == "ExtraSelection" and isinstance(node.value, ast.Name)
    }
    wrong = [
        f"{file}:{line}: {name}"
        for line, name in uses(FILES[file])
        if name in GUESSING - ({"QTextEdit"} if line in extra else set()) or (file != LABELS and name in MARKING_UP)
    ]
    made = [
        f"{file}:{node.lineno}: QLabel"
        for node in ast.walk(FILES[file])
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "QLabel")
        or (isinstance(node, ast.ClassDef) and any(isinstance(b, ast.Name) and b.id == "QLabel" for b in node.bases))
    ]
    assert wrong + (made if file != LABELS else []) == []


@pytest.mark.parametrize("file", sorted(FILES))
def test_every_tooltip_is_written_out_or_ours(file: str) -> None:
    tips = [call for name in ("setToolTip", "setTabToolTip") for call in calls(FILES[file], name)]
    shown = [call for call in calls(FILES[file], "showText") if ast.unparse(call.func) == "QToolTip.showText"]
    wrong = [call for call in tips if not is_safe_tip(call.args[-1])]
    wrong += [call for call in shown if not is_safe_tip(call.args[1])]
    assert [f"{file}:{call.lineno}: {ast.unparse(call)}" for call in wrong] == []
    passed_on = [
        node for node in ast.walk(FILES[file]) if isinstance(node, ast.Attribute) and node.attr == "setToolTip"
    ]
    assert len(passed_on) == len(list(calls(FILES[file], "setToolTip"))), "a slot would show what it is told"


@pytest.mark.parametrize("file", sorted(FILES))
def test_a_model_that_has_tooltips_writes_them_out(file: str) -> None:
    tree = FILES[file]
    if any(name == "ToolTipRole" for _, name in uses(tree)):
        assert any(isinstance(node, ast.Name) and node.id == "tooltip" for node in ast.walk(tree))


@pytest.mark.parametrize("file", sorted(FILES))
def test_only_the_folder_of_an_export_and_the_web_are_opened_outside(file: str) -> None:
    opened = [ast.unparse(call) for call in calls(FILES[file], "openUrl")]
    allowed = {
        "tables/grid.py": ["QDesktopServices.openUrl(url)"],
        "tables/export_dialog.py": ["QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.order().to.parent)))"],
    }
    assert opened == allowed.get(file, [])
