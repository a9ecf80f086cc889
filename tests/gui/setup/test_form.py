from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.errors import Problem
from gui.setup import forms
from gui.setup.draft import get
from gui.setup.form import Form
from gui.setup.part import Finding

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from core.settings import CrawlSettings
    from gui.setup.field import FieldSpec

ALL = (forms.BUDGETS, forms.LIMITS, forms.POLITENESS, forms.REQUESTS, forms.SCOPE, forms.NORMALISE)


def made(qtbot: QtBot, settings: CrawlSettings, specs: tuple[FieldSpec, ...], needs_stop: bool = False) -> Form:
    form = Form("Title", "", specs, needs_stop=needs_stop)
    qtbot.addWidget(form)
    form.show_settings(settings)
    return form


@pytest.mark.parametrize("specs", ALL)
def test_showing_settings_changes_none(specs: tuple[FieldSpec, ...], settings: CrawlSettings, qtbot: QtBot) -> None:
    assert made(qtbot, settings, specs).apply_to(settings) == settings


@pytest.mark.parametrize("specs", ALL)
def test_every_field_has_a_name_for_a_screen_reader(
    specs: tuple[FieldSpec, ...], settings: CrawlSettings, qtbot: QtBot
) -> None:
    form = made(qtbot, settings, specs)
    assert all(field.editor.accessibleName() for field in form.fields.values())


def type_into(form: Form, key: str, text: str) -> None:
    editor = form.fields[key].editor
    editor.setText(text)  # type: ignore[union-attr]  # an amount is typed into a line
    editor.textEdited.emit(text)  # type: ignore[union-attr]


def test_an_amount_is_taken_as_typed(settings: CrawlSettings, qtbot: QtBot) -> None:
    form = made(qtbot, settings, forms.BUDGETS)
    type_into(form, "budgets.max_bytes", "1.5 GB")
    assert get(form.apply_to(settings), "budgets.max_bytes") == 1_500_000_000
    pace = made(qtbot, settings, forms.POLITENESS)
    type_into(pace, "politeness.delay", "250 ms")
    assert get(pace.apply_to(settings), "politeness.delay") == 0.25


def test_a_text_that_is_no_amount_is_told_and_keeps_the_last_right_value(settings: CrawlSettings, qtbot: QtBot) -> None:
    form = made(qtbot, settings, forms.BUDGETS)
    type_into(form, "budgets.max_pages", "lots")
    assert form.wrong_texts() == 1
    assert "5,000 pages" in form.fields["budgets.max_pages"].message
    assert form.apply_to(settings) == settings
    type_into(form, "budgets.max_pages", "7")
    assert form.wrong_texts() == 0
    assert form.fields["budgets.max_pages"].message == ""


def test_a_finding_stands_beside_its_field_and_others_are_handed_on(settings: CrawlSettings, qtbot: QtBot) -> None:
    form = made(qtbot, settings, forms.SCOPE)
    mine = Finding(Problem("scope.hosts[1]", "no host"), "bad")
    other = Finding(Problem("records[0].name", "twice"), "bad")
    assert form.show_findings((mine, other)) == (other,)
    assert form.fields["scope.hosts"].message == "no host"
    assert form.show_findings(()) == ()
    assert form.fields["scope.hosts"].message == ""


def test_rules_that_re_key_wait_for_a_stopped_crawl(settings: CrawlSettings, qtbot: QtBot) -> None:
    form = made(qtbot, settings, forms.NORMALISE, needs_stop=True)
    form.set_running(True)
    assert not form.fields["normalise.ignore_www"].isEnabled()
    assert not form._hint.isHidden()
    form.set_running(False)
    assert form.fields["normalise.ignore_www"].isEnabled()
