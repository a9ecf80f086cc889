"""The page beside a record type: values while typing, fields by pointing, offers, and nothing that freezes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest

from core.settings import CrawlSettings, FieldRule, RecordType
from gui.records.page_panel import KEY, OFFERS, PARTS, SOURCE
from gui.setup.records_editor import RecordsEditor
from tests.core.engine.scripted_site import ScriptedSite
from tests.core.preview.pages_to_point_at import LIST
from tests.gui.records.conftest import KIND

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QTreeWidgetItem
    from pytestqt.qtbot import QtBot

    from gui.records.page_panel import PagePanel
    from gui.theme import Theme

LIMIT = 20_000
ENDLESS = "count(//*[count(//*[count(//*[count(//*) > 0]) > 0]) > 0])"


class Draft:
    """What Setup keeps: the settings as they are typed."""

    def __init__(self, *records: RecordType) -> None:
        self.settings = msgspec.structs.replace(CrawlSettings(), records=records)


@pytest.fixture
def draft() -> Draft:
    return Draft(KIND)


@pytest.fixture
def editor(theme: Theme, shop: Path, draft: Draft, qtbot: QtBot) -> Iterator[RecordsEditor]:
    made = RecordsEditor(theme, lambda: draft.settings)
    qtbot.addWidget(made)
    made.show_settings(draft.settings)
    made.set_file(shop)
    made.resize(1000, 600)
    made.show()
    yield made
    made.page.key.cancel()
    made.page.process.close()


@pytest.fixture
def panel(editor: RecordsEditor, qtbot: QtBot) -> PagePanel:
    qtbot.waitUntil(lambda: editor.page.values.topLevelItemCount() == 3, timeout=LIMIT)
    return editor.page


def type_rule(editor: RecordsEditor, row: int, text: str, kind: str = "css") -> None:
    field = editor.form._rows[row]
    field.kind.setCurrentIndex(field.kind.findData(kind))
    field.expression.setText(text)
    field.expression.textEdited.emit(text)


def values_of(panel: PagePanel) -> dict[str, str]:
    items = [panel.values.topLevelItem(at) for at in range(panel.values.topLevelItemCount())]
    return {item.text(0): item.text(2) for item in items if item is not None}


def first_offer(panel: PagePanel) -> QTreeWidgetItem:
    item = panel.offers.topLevelItem(0)
    assert item is not None
    return item


def test_the_newest_stored_page_shows_what_each_field_becomes(editor: RecordsEditor, panel: PagePanel) -> None:
    assert panel.choice.page is not None
    assert panel.choice.page.url == "http://shop.test/p/5"
    assert values_of(panel) == {"sku": "S5", "price": "1299.5 EUR", "date": "2026-03-12"}
    assert editor.form._rows[1].value.text() == "“1.299,50 €” → 1299.5 EUR"
    assert "Stored" in panel.choice.said


def test_values_follow_the_typing_and_a_wrong_rule_costs_itself(
    editor: RecordsEditor, panel: PagePanel, qtbot: QtBot
) -> None:
    type_rule(editor, 1, "h1")
    qtbot.waitUntil(lambda: values_of(panel).get("price") == "empty", timeout=LIMIT)
    assert "No amount stands" in editor.form._rows[1].value.text()
    type_rule(editor, 1, "a[")
    qtbot.waitUntil(lambda: set(values_of(panel)) == {"sku", "date"}, timeout=LIMIT)
    assert editor.form._rows[1].value.text() == ""


def test_the_remark_on_the_chosen_field_stands_whole_below_the_values(
    editor: RecordsEditor, panel: PagePanel, qtbot: QtBot
) -> None:
    type_rule(editor, 1, "h1")
    qtbot.waitUntil(lambda: values_of(panel).get("price") == "empty", timeout=LIMIT)
    price = panel.values.topLevelItem(1)
    assert price is not None
    panel.values.setCurrentItem(price)
    assert "No amount stands" in panel._remark_said.text()
    assert panel._remark_said.isVisibleTo(panel)
    assert panel._remark_said.window() is panel.window()


def test_an_xpath_without_an_end_is_told_and_forgotten(editor: RecordsEditor, panel: PagePanel, qtbot: QtBot) -> None:
    large = b"<title>x</title>" + b"<p>" * 3000
    assert panel.choice.page is not None
    panel.choice._take(replace(panel.choice.page, body=large))
    qtbot.waitUntil(lambda: panel.pointing.parts.count == 1, timeout=LIMIT)
    panel.process._limit = panel.process._start_limit = 0.5
    type_rule(editor, 1, ENDLESS, "xpath")
    qtbot.waitUntil(lambda: "too much time" in panel.trial_said, timeout=LIMIT)
    panel.process._limit = panel.process._start_limit = 15.0
    type_rule(editor, 1, "//title", "xpath")
    qtbot.waitUntil(lambda: "record on this page" in panel.trial_said, timeout=LIMIT)


def test_a_text_that_is_pointed_at_becomes_a_field(editor: RecordsEditor, panel: PagePanel, qtbot: QtBot) -> None:
    panel.select_page(PARTS)
    qtbot.waitUntil(lambda: panel.pointing.parts.count > 0, timeout=LIMIT)
    panel.pointing.parts.filter.setText("Lampe Lux")
    assert panel.pointing.parts.count == 2
    panel.pointing.parts.view.selectRow(1)
    qtbot.waitUntil(lambda: panel.pointing.said == "title: CSS h1, text", timeout=LIMIT)
    with qtbot.waitSignal(editor.changed):
        panel.pointing.add_button.click()
    assert editor._records[0].fields["title"] == FieldRule(css="h1")
    panel.pointing.add_button.click()
    assert list(editor._records[0].fields) == ["sku", "price", "date", "title"]


def test_within_a_row_the_field_is_the_row_s_own(
    editor: RecordsEditor, panel: PagePanel, draft: Draft, qtbot: QtBot
) -> None:
    rows = RecordType(name="offer", match="/list", rows=".card", fields={"title": FieldRule(css=".title")})
    draft.settings = msgspec.structs.replace(draft.settings, records=(rows,))
    editor.show_settings(draft.settings)
    qtbot.waitUntil(lambda: panel.trial_said.startswith("8 records"), timeout=LIMIT)
    qtbot.waitUntil(lambda: panel.pointing.parts.count > 20, timeout=LIMIT)
    panel.pointing.parts.filter.setText("39,90")
    panel.pointing.parts.view.selectRow(0)
    qtbot.waitUntil(lambda: panel.pointing.said == "price in its row: CSS .price, money", timeout=LIMIT)


def test_what_is_added_before_it_is_known_is_added_as_soon_as_it_is(
    editor: RecordsEditor, panel: PagePanel, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: panel.pointing.parts.count > 0, timeout=LIMIT)
    panel.pointing.parts.filter.setText("lampe.jpg")
    panel.pointing.parts.view.selectRow(0)
    with qtbot.waitSignal(editor.changed, timeout=LIMIT):
        panel.pointing.parts.view.activated.emit(panel.pointing.parts.view.currentIndex())
    assert editor._records[0].fields["image"].css.endswith("::attr(src)")


def test_all_fields_of_an_offer_fill_a_new_type(editor: RecordsEditor, panel: PagePanel, qtbot: QtBot) -> None:
    panel.select_page(OFFERS)
    qtbot.waitUntil(lambda: panel.offers.topLevelItemCount() > 0, timeout=LIMIT)
    editor.add_button.click()
    editor.form.texts["match"].setText("/p/*")
    editor.form.texts["match"].textEdited.emit("/p/*")
    qtbot.waitUntil(lambda: panel.offers.topLevelItemCount() > 0, timeout=LIMIT)
    panel.offers.setCurrentItem(first_offer(panel))
    assert panel.take_button.text() == "Add 8 fields"
    panel.take_button.click()
    made = editor._records[1]
    assert made.key == "sku"
    assert made.fields["price"] == FieldRule(jsonld="Product.offers.price", cast="money")
    assert "title" not in made.fields


def test_rows_of_a_list_come_with_their_selector(
    editor: RecordsEditor, panel: PagePanel, draft: Draft, qtbot: QtBot
) -> None:
    new = RecordType(name="offer", match="/list", fields={"title": FieldRule(css="h1")})
    draft.settings = msgspec.structs.replace(draft.settings, records=(new,))
    editor.show_settings(draft.settings)
    qtbot.waitUntil(lambda: panel.offers.topLevelItemCount() == 1, timeout=LIMIT)
    panel.offers.setCurrentItem(first_offer(panel))
    panel.offers.take()
    made = editor._records[0]
    assert (made.rows, made.key) == (".card", "link")
    assert set(made.fields) == {"title", "link", "image", "price"}
    qtbot.waitUntil(lambda: panel.trial_said.startswith("8 records on this page"), timeout=LIMIT)


def test_the_source_is_plain_text(panel: PagePanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: panel.pointing.parts.count > 0, timeout=LIMIT)
    panel.select_page(SOURCE)
    assert panel.source.toPlainText().startswith("<!doctype html>")
    assert panel.source.isReadOnly()


def test_what_a_page_writes_is_shown_without_what_hides_or_turns_text(panel: PagePanel, qtbot: QtBot) -> None:
    markup = (
        "<h1>&lt;b&gt;bold\u202etxet\u200b</h1><meta property='og:x' content='a\u202eb'><p class='a\u202eb'>\u2066y"
    )
    qtbot.waitUntil(lambda: panel.pointing.parts.count > 0, timeout=LIMIT)
    assert panel.choice.page is not None
    panel.choice._take(replace(panel.choice.page, body=markup.encode()))
    qtbot.waitUntil(lambda: panel.pointing.parts.count == 2, timeout=LIMIT)
    panel.select_page(SOURCE)
    model = panel.pointing.parts.view.model()
    cells = [model.index(row, column).data() for row in range(2) for column in range(2)]
    field = first_offer(panel).child(0)
    assert field is not None
    texts = [*cells, *(field.text(column) for column in range(3)), panel.source.toPlainText()]
    assert "<b>bold" in cells[1]
    assert not any(sign in text for text in texts for sign in "\u202e\u200b\u2066")


def test_a_key_that_fails_is_told_beside_it_before_anything_is_applied(
    editor: RecordsEditor, panel: PagePanel, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: bool(editor.key_warning()), timeout=LIMIT)
    assert "1 without sku" in editor.form.key_remark.text()
    assert "1 has no sku" in editor.key_warning()
    panel.select_page(KEY)
    panel.key.button.click()
    qtbot.waitUntil(lambda: not panel.key.is_busy, timeout=LIMIT)
    assert "Of 6 stored pages" in panel.key.said
    assert panel.key.examples.topLevelItemCount() == 3
    editor.form.texts["key"].setText("")
    editor.form.texts["key"].textEdited.emit("")
    assert editor.key_warning() == ""
    assert "canonical URL" in panel.key.said


def test_a_check_of_all_pages_can_be_called_off(panel: PagePanel, qtbot: QtBot) -> None:
    panel.key.button.click()
    assert panel.key.button.text() == "Cancel"
    panel.key.button.click()
    qtbot.waitUntil(lambda: panel.key.button.text() == "Check all stored pages", timeout=LIMIT)


def test_without_a_stored_page_one_can_be_fetched(theme: Theme, crawl_file: Path, draft: Draft, qtbot: QtBot) -> None:
    editor = RecordsEditor(theme, lambda: draft.settings)
    qtbot.addWidget(editor)
    editor.show_settings(draft.settings)
    editor.set_file(crawl_file)
    editor.show()
    choice = editor.page.choice
    qtbot.waitUntil(lambda: "No stored page matches" in choice.said, timeout=LIMIT)
    choice.fetch_button.click()
    assert "Type the URL" in choice.said
    with ScriptedSite({"/x": LIST.encode()}) as site:
        choice.address.setEditText(f"{site.root}/missing")
        choice.fetch_button.click()
        qtbot.waitUntil(lambda: "404" in choice.said, timeout=LIMIT)
        choice.address.setEditText(f"{site.root}/x")
        choice.address.entered.emit()
        qtbot.waitUntil(lambda: "Fetched just now" in choice.said, timeout=LIMIT)
        qtbot.waitUntil(lambda: "“On pages” does not match" in editor.page.trial_said, timeout=LIMIT)
    editor.page.process.close()


def test_nothing_is_started_before_it_is_seen(theme: Theme, shop: Path, draft: Draft, qtbot: QtBot) -> None:
    editor = RecordsEditor(theme, lambda: draft.settings)
    qtbot.addWidget(editor)
    editor.show_settings(draft.settings)
    editor.set_file(shop)
    assert not editor.page.choice._choosing.is_waiting
    assert not editor.page.key.is_busy
    assert editor.page.process._process is None


def test_no_type_no_page(editor: RecordsEditor, panel: PagePanel) -> None:
    editor.remove_button.click()
    assert panel.choice.page is None
    assert not panel.isVisible()
    assert editor.first_button.isVisible()
