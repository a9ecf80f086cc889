"""Record types in the setup: shown, changed, added and removed without losing anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from core.errors import Problem
from core.settings import CrawlSettings, FieldRule, RecordType
from gui.setup.part import Finding
from gui.setup.records_editor import RecordsEditor

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.theme import Theme

PRODUCT = RecordType(
    name="product",
    match="/product/*",
    key=("shop", "sku"),
    fields={
        "sku": FieldRule(css=".sku"),
        "shop": FieldRule(meta="og:site_name", fingerprint=False),
        "tags": FieldRule(xpath="//a", cast="list", unordered=True),
    },
)
ARTICLE = RecordType(name="article", match="/news/", fields={"title": FieldRule(css="h1")})


@pytest.fixture
def typed(settings: CrawlSettings) -> CrawlSettings:
    return msgspec.structs.replace(settings, records=(PRODUCT, ARTICLE))


@pytest.fixture
def editor(theme: Theme, typed: CrawlSettings, qtbot: QtBot) -> RecordsEditor:
    made = RecordsEditor(theme, lambda: typed)
    qtbot.addWidget(made)
    made.show_settings(typed)
    return made


def test_showing_a_record_type_changes_nothing_of_it(editor: RecordsEditor, typed: CrawlSettings) -> None:
    editor.form.changed.emit()
    assert editor.apply_to(typed) == typed


def test_a_new_type_is_added_and_shown(editor: RecordsEditor, typed: CrawlSettings, qtbot: QtBot) -> None:
    with qtbot.waitSignal(editor.changed):
        editor.add_button.click()
    assert [record.name for record in editor.apply_to(typed).records] == ["product", "article", "record"]
    assert editor.form.texts["name"].text() == "record"


def test_a_removed_type_is_gone(editor: RecordsEditor, typed: CrawlSettings) -> None:
    editor.remove_button.click()
    assert editor.apply_to(typed).records == (ARTICLE,)


def test_another_kind_of_rule_leaves_only_that_one(editor: RecordsEditor, typed: CrawlSettings) -> None:
    row = editor.form._rows[0]
    row.kind.setCurrentIndex(row.kind.findData("jsonld"))
    row.expression.setText("Product.sku")
    row.expression.textEdited.emit("Product.sku")
    assert editor.apply_to(typed).records[0].fields["sku"] == FieldRule(jsonld="Product.sku")


def test_order_and_change_of_a_field_are_edited(editor: RecordsEditor, typed: CrawlSettings, qtbot: QtBot) -> None:
    with qtbot.waitExposed(editor):
        editor.show()
    price, tags = editor.form._rows[0], editor.form._rows[2]
    assert not price.unordered.isVisible()
    assert tags.unordered.isVisible()
    tags.unordered.setChecked(False)
    price.counts.setChecked(False)
    fields = editor.apply_to(typed).records[0].fields
    assert fields["tags"] == FieldRule(xpath="//a", cast="list")
    assert fields["sku"] == FieldRule(css=".sku", fingerprint=False)
    price.cast.setCurrentText("list")
    assert price.unordered.isVisible()


def test_what_is_taken_from_a_page_is_added_once_under_a_free_name(editor: RecordsEditor, typed: CrawlSettings) -> None:
    editor.form.take([("sku", FieldRule(css=".sku")), ("sku", FieldRule(css=".other"))], rows=".row", key="sku")
    made = editor.apply_to(typed).records[0]
    assert list(made.fields) == ["sku", "shop", "tags", "sku2"]
    assert made.fields["sku2"] == FieldRule(css=".other")
    assert (made.rows, made.key) == (".row", ("shop", "sku"))


def test_a_problem_stands_beside_its_field(editor: RecordsEditor) -> None:
    left = editor.show_findings(
        (
            Finding(Problem("records[0].fields.sku.css", "not a selector"), "bad"),
            Finding(Problem("records[0].key", "no such field"), "bad"),
        )
    )
    assert left == ()
    assert editor.form._rows[0].problem.text() == "not a selector"
    assert editor.form.problems["key"].text() == "no such field"


def test_a_problem_of_a_type_that_is_not_shown_is_handed_on(editor: RecordsEditor) -> None:
    finding = Finding(Problem("records[1].match", "empty"), "bad")
    assert editor.show_findings((finding,)) == (finding,)
    editor.list.setCurrentRow(1)
    assert editor.form.problems["match"].text() == "empty"


def test_a_new_field_is_silent_until_it_is_left(editor: RecordsEditor, typed: CrawlSettings, qtbot: QtBot) -> None:
    with qtbot.waitExposed(editor):
        editor.show()
    editor.activateWindow()
    editor.form.add_button.click()
    row = editor.form._rows[-1]
    qtbot.waitUntil(row.name.hasFocus, timeout=5000)
    editor.show_findings(())
    assert row.problem.isHidden()
    assert editor.wrong_texts() == 1
    assert editor.apply_to(typed) == typed
    row.expression.setFocus()
    assert row.complaint() == ""
    assert editor.is_being_typed()
    editor.form.texts["name"].setFocus()
    editor.show_findings(())
    assert row.problem.text() == "The new field needs a name."
    assert editor.complaint() == "The new field needs a name."
    assert not editor.is_being_typed()


def test_two_fields_of_one_name_cannot_be_applied(editor: RecordsEditor) -> None:
    editor.form._rows[1].name.setText("sku")
    editor.form._rows[1].name.textEdited.emit("sku")
    editor.show_findings(())
    assert editor.wrong_texts() == 1
    assert "this name" in editor.form._rows[1].problem.text()
