"""Rich text in everything a site can say, all over the window: none of it is painted (HARDENING 33)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QToolTip, QWidget
from shiboken6 import delete

from core.errors import CorruptFile
from core.policy.advice import Advice
from core.preview import Offer
from core.seeds.text import SeedText, read_seed_text
from core.settings import Normalise
from gui.advice.advice_card import AdviceCard
from gui.dashboard.dashboard_view import DashboardView
from gui.dialogs.again import again_question
from gui.dialogs.close import close_question
from gui.dialogs.fault import FaultDialog, fault_dialog
from gui.dialogs.kill import kill_question
from gui.dialogs.new_crawl import NewCrawlDialog
from gui.explain.dialog import ExplainDialog
from gui.foreign_text import tooltip
from gui.main_window import MainWindow
from gui.robots.tester import RobotsTester
from gui.sample import Sample
from gui.setup.better_sources import BetterSources
from gui.setup.import_dialog import ImportDialog
from gui.setup.permissions import utc_today
from gui.sidebar.glance import Glance
from gui.tables.export_dialog import ExportDialog
from gui.tables.table_view import TableView
from gui.views import VIEWS
from tests.gui.hostile_crawl import hostile_crawl, hostile_settings, rich_texts
from tests.gui.plain_screens import bright_pixels, complaints

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences
    from gui.session import OpenCrawl
    from gui.tables.table_panel import TablePanel
    from gui.theme import Theme

LIMIT = 15_000


@pytest.fixture
def texts(qapp: QApplication, tmp_path: Path) -> tuple[str, ...]:
    return rich_texts(tmp_path)


@pytest.fixture(params=[0, 1, 2, 3], ids=["picture", "data", "colour", "table"])
def any_text(request: pytest.FixtureRequest, texts: tuple[str, ...]) -> str:
    """For what costs little to open."""
    return texts[int(request.param)]


@pytest.fixture(params=[0, 2], ids=["picture", "colour"])
def text(request: pytest.FixtureRequest, texts: tuple[str, ...]) -> str:
    return texts[int(request.param)]


@pytest.fixture
def window(theme: Theme, preferences: Preferences, tmp_path: Path, text: str, qtbot: QtBot) -> Iterator[MainWindow]:
    path = tmp_path / "hostile.crawl"
    hostile_crawl(path, text, utc_today())
    made = MainWindow(theme, preferences, Sample(tmp_path / "samples"))
    theme.apply()
    made.resize(1280, 800)
    made.show()
    assert made.open_crawl(path)
    qtbot.waitUntil(lambda: shown_crawl(made).status is not None, timeout=LIMIT)
    qtbot.waitUntil(lambda: shown_crawl(made).settings is not None, timeout=LIMIT)
    yield made
    made.page.show_crawl(None, "")
    made.setup._kept.clear()
    with qtbot.waitSignal(made.gone, timeout=LIMIT):
        made.close()
    delete(made)


def shown_crawl(window: MainWindow) -> OpenCrawl:
    crawl = window.crawls.shown
    assert crawl is not None
    return crawl


def test_the_colour_is_seen_where_a_text_is_taken_for_mark_up(any_text: str, qtbot: QtBot) -> None:
    """Else the tests below could not fail."""
    label = QLabel(any_text)
    qtbot.addWidget(label)
    label.resize(label.sizeHint())
    assert bright_pixels(label) > 20
    assert complaints(label, ())


def test_no_view_takes_a_text_of_the_site_for_mark_up(window: MainWindow, text: str, qtbot: QtBot) -> None:
    dashboard = window.page.views["dashboard"]
    assert isinstance(dashboard, DashboardView)
    window.page.select_view("dashboard")
    qtbot.waitUntil(
        lambda: dashboard._board is not None and dashboard._board.charts[0].marks.visible > 0, timeout=LIMIT
    )
    assert complaints(window, (text,)) == []
    window.page.select_view("setup")
    for page in range(5):
        window.setup.select_page(page)
        qtbot.waitUntil(lambda: not window.setup._checking.is_waiting, timeout=LIMIT)
        assert complaints(window, (text,)) == []
    assert window.setup._status.text()


@pytest.mark.parametrize("key", [spec.key for spec in VIEWS if spec.key not in {"dashboard", "setup"}])
def test_no_table_takes_a_text_of_the_site_for_mark_up(key: str, window: MainWindow, text: str, qtbot: QtBot) -> None:
    window.page.select_view(key)
    view = window.page.views[key]
    assert isinstance(view, TableView)
    for place, panel in enumerate(view.panels):
        view._segments.button(place).click()
        qtbot.waitUntil(lambda panel=panel: panel.source.stands, timeout=LIMIT)  # type: ignore[misc]  # bound below
        assert panel.model.rowCount() > 0, panel.grid.accessibleName()
        choose_first_row(panel, qtbot)
        assert complaints(window, (text,)) == []
        menu = panel.grid.menu()
        assert complaints(menu, (text,)) == []
        delete(menu)


def choose_first_row(panel: TablePanel, qtbot: QtBot) -> None:
    panel.grid.selectRow(0)
    qtbot.waitUntil(panel.details.isVisible, timeout=LIMIT)
    if panel.grid.accessibleName() == "All URLs":
        qtbot.waitUntil(lambda: panel.details._tabs.isTabVisible(1), timeout=LIMIT)
        panel.details.show_in_links()


def test_banner_sidebar_and_footer_show_texts_as_they_are(window: MainWindow, text: str) -> None:
    window.page.banner.show_fault(f"{text}\n{text}")
    assert complaints(window, (text,)) == []
    window.page.banner.clear()
    window.page.banner.set_alarms(shown_crawl(window).status.alarms)  # type: ignore[union-attr]  # it was read
    assert window.page.banner.isVisible()
    shown = shown_crawl(window).path
    window.known.put_into(shown, text)
    window.sidebar.see(Glance(shown, text, fault=text))
    assert complaints(window, (text,)) == []
    menu = window.sidebar._menu_for(shown, missing=False)
    assert complaints(menu, (text,)) == []
    delete(menu)


def test_questions_and_faults_show_texts_as_they_are(any_text: str, theme: Theme, tmp_path: Path, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    theme.apply()
    for dialog in (
        fault_dialog(parent, any_text, CorruptFile(any_text, any_text)),
        FaultDialog(parent, any_text, f"{any_text}\n{any_text}", any_text),
        kill_question(parent, any_text, 3),
        close_question(parent, [any_text]),
        again_question(parent, any_text, 1, None, 0.0),
        NewCrawlDialog(parent, tmp_path),
    ):
        if isinstance(dialog, NewCrawlDialog):
            dialog.seed.setText(any_text)
            dialog.place.setText(str(tmp_path / any_text / "x.crawl"))
            dialog._on_place_edited()
        dialog.show()
        assert complaints(dialog, (any_text,)) == []
        delete(dialog)


def test_windows_beside_the_window_show_texts_as_they_are(window: MainWindow, text: str, qtbot: QtBot) -> None:
    crawl = shown_crawl(window)
    explain = ExplainDialog(crawl.path, crawl.name, window)
    explain.show()
    explain.explain(f"http://shop.test/{text}")
    qtbot.waitUntil(lambda: bool(explain._answer.text), timeout=LIMIT)
    assert complaints(explain, (text,)) == []
    assert crawl.settings is not None
    tester = RobotsTester(crawl, crawl.settings, window._theme, window)
    tester.show()
    tester.urls.setPlainText(f"/{text}\n{text}")
    tester.open_version(1)
    qtbot.waitUntil(lambda: "Disallow" in tester.text.toPlainText(), timeout=LIMIT)
    qtbot.waitUntil(lambda: len(tester._answer.decisions) == 2, timeout=LIMIT)
    assert complaints(tester, (text,)) == []
    for dialog in (explain, tester):
        dialog.close()


def test_previews_and_offers_show_texts_as_they_are(any_text: str, theme: Theme, tmp_path: Path, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    theme.apply()
    settings = hostile_settings(any_text, utc_today())
    offers = BetterSources(theme, any_text, settings, parent)
    offers._on_found([Offer("sitemap", f"http://shop.test/{any_text}", 3, any_text)])
    offers._say(any_text, "bad")
    found = read_seed_text(f"http://shop.test/a\nhttp://shop.test/{any_text}\n{any_text}")
    assert isinstance(found, SeedText)
    imported = ImportDialog(theme, any_text, found, frozenset(), parent)
    for dialog in (offers, imported):
        dialog.show()
        assert complaints(dialog, (any_text,)) == []
        delete(dialog)


def test_advice_shows_texts_as_they_are(any_text: str, theme: Theme, qtbot: QtBot) -> None:
    theme.apply()
    pair = (f"http://shop.test/{any_text}", any_text)
    advice = Advice("drop_parameters", any_text, 200, 200, 200, (pair,), (pair,))
    for card in (
        AdviceCard.of_advice(advice, 2, Normalise()),
        AdviceCard.in_force("drop_parameters", any_text, Normalise()),
    ):
        qtbot.addWidget(card)
        card.show()
        assert complaints(card, (any_text,)) == []


def test_a_tooltip_on_the_screen_shows_the_text_as_it_is(any_text: str, theme: Theme, qtbot: QtBot) -> None:
    parent = QPushButton("point at me")
    qtbot.addWidget(parent)
    theme.apply()
    parent.show()
    QToolTip.showText(parent.mapToGlobal(QPoint(2, 2)), tooltip(any_text), parent)
    tips = [widget for widget in QApplication.topLevelWidgets() if widget.inherits("QTipLabel")]
    assert tips
    assert all(bright_pixels(tip) == 0 for tip in tips)
    QToolTip.showText(parent.mapToGlobal(QPoint(2, 2)), any_text, parent)  # as if somebody had forgotten
    tips = [widget for widget in QApplication.topLevelWidgets() if widget.inherits("QTipLabel")]
    assert any(bright_pixels(tip) for tip in tips)
    QToolTip.hideText()


def test_an_export_of_a_table_with_a_hostile_name_shows_it_as_it_is(
    window: MainWindow, text: str, preferences: Preferences
) -> None:
    view = window.page.views["urls"]
    assert isinstance(view, TableView)
    dialog = ExportDialog(shown_crawl(window).path, view.panels[0].query_shown(), text, preferences, window)
    dialog._on_failed(text)
    dialog.show()
    assert complaints(dialog, (text,)) == []
    dialog.close()


def test_menus_of_columns_show_the_names_of_fields_as_they_are(window: MainWindow, text: str, qtbot: QtBot) -> None:
    window.page.select_view("records")
    view = window.page.views["records"]
    assert isinstance(view, TableView)
    panel = view.panels[0]
    qtbot.waitUntil(lambda: panel.source.stands, timeout=LIMIT)
    menu = panel.columns_button.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    assert any(text[:20] in action.text() for action in menu.actions())
    assert complaints(menu, (text,)) == []
