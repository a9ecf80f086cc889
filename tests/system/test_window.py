"""The window as an analyst uses it: mouse and keyboard, real engines in processes of their own, a site on loopback."""

from __future__ import annotations

import csv
import json
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLineEdit, QWidget
from shiboken6 import delete, isValid

from core.demo import SiteOptions, SiteThread
from core.demo.shop import price, sku
from core.settings import Budgets, CrawlSettings, FieldRule, Politeness, RecordType, Seeds
from core.store.crawl_file import create
from core.store.read.reader import Reader
from gui.dialogs.new_crawl import NewCrawlDialog
from gui.dialogs.question import Question
from gui.main_window import MainWindow
from gui.preferences import Preferences
from gui.sample import Sample
from gui.tables.export_dialog import ExportDialog
from gui.tables.table_view import TableView
from gui.theme import Theme, ThemeChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from core.store.read.columns import Cell
    from gui.dashboard.dashboard_view import DashboardView
    from gui.session import OpenCrawl
    from gui.tables.table_panel import TablePanel

LIMIT = 20_000  # milliseconds
SMALL = SiteOptions(listings=4, per_listing=10, trap_link=True, trap_items=20)
LARGE = SiteOptions(listings=14, per_listing=20)
ENGINES_OWN = {"robots.txt", "sitemap.xml"}  # asked for by the engine itself

Kind = TypeVar("Kind", bound=QDialog)


@pytest.fixture
def windows(qapp: object, tmp_path: Path, qtbot: QtBot) -> Iterator[Callable[[], MainWindow]]:
    """Makes windows as the program does; they share their preferences, and all are gone in the end."""
    made: list[MainWindow] = []
    theme = Theme(qapp, ThemeChoice.LIGHT)  # type: ignore[arg-type]  # pytest-qt makes a QApplication

    def make() -> MainWindow:
        store = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
        window = MainWindow(theme, Preferences(store), Sample(tmp_path / "samples"))
        window.show()
        made.append(window)
        return window

    yield make
    for window in made:
        _leave(window, qtbot)
    theme.setParent(None)
    theme.deleteLater()


def _leave(window: MainWindow, qtbot: QtBot) -> None:
    for crawl in window.crawls.with_engines:
        crawl.engine.kill()
    qtbot.waitUntil(lambda: not window.crawls.with_engines, timeout=LIMIT)
    if window.isVisible():
        window.page.show_crawl(None, "")
        window.setup._kept.clear()
        with qtbot.waitSignal(window.gone, timeout=LIMIT):
            window.close()
    delete(window)


@pytest.fixture
def site() -> Iterator[SiteThread]:
    with SiteThread(LARGE) as made:
        yield made


@pytest.fixture
def crawl_file(site: SiteThread, tmp_path: Path) -> Path:
    """A crawl of the large site that takes some five seconds."""
    path = tmp_path / "shop.crawl"
    create(path, settings(site.root))
    return path


def settings(root: str) -> CrawlSettings:
    fields = {"sku": FieldRule(css=".sku"), "price": FieldRule(css=".price", cast="number")}
    return CrawlSettings(
        name="Shop",
        seeds=Seeds(urls=(f"{root}/list/0",)),
        budgets=Budgets(max_depth=0),
        politeness=Politeness(delay=0.02, per_host=2, adaptive=False),
        records=(RecordType(name="product", match="/product/*", key="sku", fields=fields),),
    )


def click(qtbot: QtBot, widget: QWidget) -> None:
    """A click of the left button on something that can be clicked."""
    qtbot.waitUntil(lambda: widget.isVisible() and widget.isEnabled(), timeout=LIMIT)
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def write(qtbot: QtBot, field: QWidget, text: str) -> None:
    """Type into a field, in place of what is there."""
    field.setFocus()
    if isinstance(field, QLineEdit):
        field.selectAll()
    QTest.keyClicks(field, text)


def dialog_of(kind: type[Kind], window: QWidget, qtbot: QtBot) -> Kind:
    """The dialog of this kind that is open now."""

    def found() -> list[Kind]:
        return [each for each in window.findChildren(kind) if isValid(each) and each.isVisible()]

    qtbot.waitUntil(lambda: bool(found()), timeout=LIMIT)
    return found()[-1]


def go_to(window: MainWindow, title: str, qtbot: QtBot) -> None:
    """Click on a tab."""
    tabs = window.page.header.tabs
    index = next(index for index in range(tabs.count()) if tabs.tabText(index) == title)
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(index).center())
    assert tabs.currentIndex() == index


def choose_page(window: MainWindow, title: str, qtbot: QtBot) -> None:
    """Click on a page of Setup."""
    click(qtbot, next(each for each in window.setup._choices.buttons() if each.text() == title))


def opened(window: MainWindow, path: Path, qtbot: QtBot) -> OpenCrawl:
    assert window.open_crawl(path)
    crawl = window.crawls.shown
    assert crawl is not None
    qtbot.waitUntil(lambda: crawl.status is not None and crawl.settings is not None, timeout=LIMIT)
    return crawl


def until(crawl: OpenCrawl, state: str, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: crawl.status is not None and crawl.status.state == state, timeout=LIMIT)


def pages(crawl: OpenCrawl) -> int:
    return crawl.status.pages if crawl.status else 0


def asked(site: SiteThread) -> set[str]:
    """The targets of pages the site was asked for."""
    targets = {key.partition("/")[2] for key in site.log.urls}
    return {f"/{target}" for target in targets - ENGINES_OWN}


def panel_of(window: MainWindow, key: str) -> TablePanel:
    view = window.page.views[key]
    assert isinstance(view, TableView)
    return view.panels[0]


def export(window: MainWindow, key: str, format_name: str, to: Path, qtbot: QtBot) -> None:
    """Through the dialog, to its end."""
    click(qtbot, panel_of(window, key).export_button)
    dialog = dialog_of(ExportDialog, window, qtbot)
    QTest.keyClicks(dialog._format, format_name)
    write(qtbot, dialog._place, str(to))
    click(qtbot, dialog._export)
    qtbot.waitUntil(dialog._folder.isVisible, timeout=LIMIT)
    assert to.exists()
    click(qtbot, dialog._cancel)


def is_read(panel: TablePanel, number: int, column: str) -> bool:
    return panel.model.value(number, column) is not None


def shown_rows(panel: TablePanel, qtbot: QtBot) -> list[list[Cell]]:
    """The native values of the visible columns, row by row, as the table shows them."""
    qtbot.waitUntil(lambda: panel.source.stands, timeout=LIMIT)
    names = panel.query_shown().columns
    assert names is not None
    rows = []
    for number in range(panel.model.rowCount()):
        panel.grid.scrollTo(panel.model.index(number, 0))
        qtbot.waitUntil(partial(is_read, panel, number, names[0]), timeout=LIMIT)
        rows.append([panel.model.value(number, name) for name in names])
    return rows


def test_an_analyst_makes_a_crawl_and_has_its_records(
    windows: Callable[[], MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    """New crawl, seeds with a bad line, an exclusion tried first, budgets, a record type, Apply, Start, export."""
    path = tmp_path / "harbour.crawl"
    with SiteThread(SMALL) as site:
        window = windows()
        click(qtbot, window.welcome.new_button)
        dialog = dialog_of(NewCrawlDialog, window, qtbot)
        write(qtbot, dialog.seed, f"{site.root}/list/0")
        write(qtbot, dialog.name, "Harbour")
        write(qtbot, dialog.place, str(path))
        click(qtbot, dialog.create_button)
        assert path.exists()
        crawl = window.crawls.shown
        assert crawl is not None
        setup = window.setup
        qtbot.waitUntil(lambda: setup.draft is not None and setup.isVisible(), timeout=LIMIT)
        _type_seeds(window, site, qtbot)
        _exclude_with_a_look(window, "/trap/", qtbot)
        write(qtbot, setup.budgets.fields["budgets.max_pages"].editor, "500")
        click(qtbot, setup._choices.button(2))
        write(qtbot, setup.politeness.fields["politeness.delay"].editor, "1 ms")
        _declare_products(window, qtbot)
        with qtbot.waitSignal(crawl.settings_applied, timeout=LIMIT):
            click(qtbot, setup.apply_button)
        _settings_are_as_typed(path, site)
        click(qtbot, window.page.header.start_button)
        until(crawl, "finished", qtbot)
        assert asked(site) == {f"/list/{n}" for n in range(4)} | {f"/product/{n}" for n in range(40)}
        go_to(window, "Records", qtbot)
        rows = shown_rows(panel_of(window, "records"), qtbot)
        export(window, "records", "CSV", tmp_path / "products.csv", qtbot)
        with (tmp_path / "products.csv").open(newline="", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        truth = {(sku(n), Decimal(price(n))) for n in range(40)}
        assert {(row["sku"], Decimal(row["price"])) for row in table} == truth
        assert len(table) == len(rows) == 40


def _type_seeds(window: MainWindow, site: SiteThread, qtbot: QtBot) -> None:
    editor = window.setup.seeds.editor
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, f"{site.root}/list/3")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "http://no such host/")
    qtbot.waitUntil(lambda: 3 in editor.marks, timeout=LIMIT)
    assert editor.marks[3].message
    assert set(editor.marks) == {3}


def _exclude_with_a_look(window: MainWindow, pattern: str, qtbot: QtBot) -> None:
    patterns = window.setup.patterns
    click(qtbot, patterns.add_button)
    write(qtbot, patterns.line, "/list/3")
    qtbot.waitUntil(lambda: "1 of 2" in patterns._verdict.text(), timeout=LIMIT)
    write(qtbot, patterns.line, pattern)
    qtbot.waitUntil(lambda: "0 of 2" in patterns._verdict.text(), timeout=LIMIT)


def _declare_products(window: MainWindow, qtbot: QtBot) -> None:
    setup = window.setup
    choose_page(window, "Records", qtbot)
    click(qtbot, setup.records.first_button)
    form = setup.records.form
    for key, text in (("name", "product"), ("match", "/product/*"), ("key", "sku")):
        write(qtbot, form.texts[key], text)
    for name, css, cast in (("sku", ".sku", ""), ("price", ".price", "number")):
        click(qtbot, form.add_button)
        row = form._rows[-1]
        write(qtbot, row.name, name)
        write(qtbot, row.expression, css)
        QTest.keyClicks(row.cast, cast)
    qtbot.waitUntil(lambda: not setup._checking.is_waiting, timeout=LIMIT)


def _settings_are_as_typed(path: Path, site: SiteThread) -> None:
    reader = Reader(path)
    _, found = reader.settings()
    reader.close()
    assert found.name == "Harbour"
    assert found.seeds.urls == (f"{site.root}/list/0", f"{site.root}/list/3")
    assert found.scope.exclude == ("/trap/",)
    assert (found.budgets.max_pages, found.politeness.delay) == (500, 0.001)
    record = found.records[0]
    assert (record.name, record.match, record.key) == ("product", "/product/*", "sku")
    assert record.fields["price"] == FieldRule(css=".price", cast="number")


def test_a_chart_grows_and_an_exclusion_takes_effect_while_the_crawl_runs(
    windows: Callable[[], MainWindow], crawl_file: Path, site: SiteThread, qtbot: QtBot
) -> None:
    window = windows()
    crawl = opened(window, crawl_file, qtbot)
    dashboard: DashboardView = window.page.views["dashboard"]  # type: ignore[assignment]  # the tuple of views says so
    click(qtbot, window.page.header.start_button)
    until(crawl, "running", qtbot)
    qtbot.waitUntil(lambda: dashboard._board is not None and points(dashboard) > 0, timeout=LIMIT)
    before = points(dashboard)
    qtbot.waitUntil(lambda: points(dashboard) > before, timeout=LIMIT)
    go_to(window, "Setup", qtbot)
    patterns = window.setup.patterns
    qtbot.waitUntil(lambda: len(patterns._urls) > 20, timeout=LIMIT)
    click(qtbot, patterns.add_button)
    write(qtbot, patterns.line, "/product/2*")
    qtbot.waitUntil(lambda: patterns.rows._counts[-1:] > (0,), timeout=LIMIT)
    with qtbot.waitSignal(crawl.settings_applied, timeout=LIMIT):
        QTest.keyClick(patterns.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    go_to(window, "Log", qtbot)
    told = panel_of(window, "log")
    qtbot.waitUntil(lambda: "The settings were changed." in messages(told), timeout=LIMIT)
    matching = {target for target in asked(site) if target.startswith("/product/2")}
    until(crawl, "finished", qtbot)
    assert {target for target in asked(site) if target.startswith("/product/2")} == matching
    assert len(matching) < len([n for n in range(280) if str(n).startswith("2")])


def points(dashboard: DashboardView) -> int:
    """How many samples the first chart has been given."""
    return len(dashboard._board.charts[0]._x) if dashboard._board is not None else 0


def messages(panel: TablePanel) -> set[object]:
    return {panel.model.value(row, "message") for row in range(panel.model.rowCount())}


def test_stop_kill_and_start_lead_to_every_page_once_and_both_exports_say_so(
    windows: Callable[[], MainWindow], crawl_file: Path, site: SiteThread, tmp_path: Path, qtbot: QtBot
) -> None:
    window = windows()
    header = window.page.header
    crawl = opened(window, crawl_file, qtbot)
    click(qtbot, header.start_button)
    qtbot.waitUntil(lambda: pages(crawl) > 20, timeout=LIMIT)
    click(qtbot, header.stop_button)
    until(crawl, "stopped", qtbot)
    stopped_at = pages(crawl)
    click(qtbot, header.start_button)
    qtbot.waitUntil(lambda: pages(crawl) > stopped_at + 20, timeout=LIMIT)
    with qtbot.waitSignal(crawl.engine.ended, timeout=LIMIT) as ended:
        click(qtbot, header.kill_button)
        click(qtbot, dialog_of(Question, window, qtbot).buttons["kill"])
    assert ended.args is not None
    assert ended.args[0] == -9
    qtbot.waitUntil(lambda: header._pill.text() == "Killed", timeout=LIMIT)
    click(qtbot, header.start_button)
    until(crawl, "finished", qtbot)
    whole = {f"/list/{n}" for n in range(14)} | {f"/product/{n}" for n in range(280)}
    assert asked(site) == whole
    go_to(window, "URLs", qtbot)
    rows = shown_rows(panel_of(window, "urls"), qtbot)
    export(window, "urls", "CSV", tmp_path / "urls.csv", qtbot)
    export(window, "urls", "JSON Lines", tmp_path / "urls.jsonl", qtbot)
    with (tmp_path / "urls.csv").open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    lines = [json.loads(line) for line in (tmp_path / "urls.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["url"].removeprefix(site.root) for row in table} == whole
    assert len(table) == len(whole)
    assert [row["url"] for row in table] == [line["url"] for line in lines] == [row[0] for row in rows]
    assert {row["status"] for row in table} == {"200"}


def test_closing_lets_the_engine_finish_what_is_in_flight(
    windows: Callable[[], MainWindow], crawl_file: Path, qtbot: QtBot
) -> None:
    window = windows()
    crawl = opened(window, crawl_file, qtbot)
    click(qtbot, window.page.header.start_button)
    qtbot.waitUntil(lambda: pages(crawl) > 10, timeout=LIMIT)
    window.close()
    question = dialog_of(Question, window, qtbot)
    assert window.isVisible()
    with qtbot.waitSignals([crawl.engine.ended, window.gone], timeout=LIMIT):
        click(qtbot, question.buttons["drain"])
    reader = Reader(crawl_file)
    status = reader.status()
    reader.close()
    assert status.state == "stopped"
    assert status.urls.get("leased", 0) == 0
    assert status.engine is None


def test_a_kept_engine_goes_on_and_is_found_again(
    windows: Callable[[], MainWindow], crawl_file: Path, site: SiteThread, qtbot: QtBot
) -> None:
    window = windows()
    crawl = opened(window, crawl_file, qtbot)
    click(qtbot, window.page.header.start_button)
    qtbot.waitUntil(lambda: pages(crawl) > 10, timeout=LIMIT)
    pid = crawl.engine.pid
    window.close()
    with qtbot.waitSignal(window.gone, timeout=LIMIT):
        click(qtbot, dialog_of(Question, window, qtbot).buttons["keep"])
    before = site.log.requests
    qtbot.waitUntil(lambda: site.log.requests > before + 20, timeout=LIMIT)
    again = windows()
    found = opened(again, crawl_file, qtbot)
    assert found.status is not None
    assert found.status.state == "running"
    assert found.status.engine is not None
    assert found.status.engine.pid == pid
    click(qtbot, again.page.header.stop_button)
    until(found, "stopped", qtbot)


def test_a_crawl_is_made_run_and_exported_by_keyboard_alone(
    windows: Callable[[], MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    path, table = tmp_path / "keys.crawl", tmp_path / "keys.csv"
    window = windows()
    activate(window, qtbot)
    with SiteThread(SiteOptions(listings=2, per_listing=10)) as site:
        press(window, "Ctrl+N")
        qtbot.waitUntil(dialog_of(NewCrawlDialog, window, qtbot).seed.hasFocus, timeout=LIMIT)
        type_keys(f"{site.root}/list/0", "Tab", "Keys", "Tab", str(path), "Return")
        qtbot.waitUntil(lambda: window.setup.draft is not None and window.setup.isVisible(), timeout=LIMIT)
        crawl = window.crawls.shown
        assert crawl is not None
        activate(window, qtbot)
        press(window, "Ctrl+2")
        walk_to("Seeds and patterns")
        type_keys("Right", "Right")
        walk_to("Delay")
        type_keys("0")
        press(window, "Ctrl+Return")
        qtbot.waitUntil(lambda: crawl.settings is not None and crawl.settings.politeness.delay == 0, timeout=LIMIT)
        press(window, "Ctrl+R")
        until(crawl, "finished", qtbot)
    press(window, "Ctrl+3")
    walk_to("All URLs", "Grid")
    press(window, "Down")
    press(window, "Ctrl+Shift+E")
    dialog = dialog_of(ExportDialog, window, qtbot)
    qtbot.waitUntil(dialog._rows.hasFocus, timeout=LIMIT)
    walk_to("File to write")
    type_keys(str(table), "Return")
    qtbot.waitUntil(dialog._folder.isVisible, timeout=LIMIT)
    press(dialog, "Escape")
    with table.open(newline="", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == panel_of(window, "urls").model.rowCount() > 0


def activate(window: QWidget, qtbot: QtBot) -> None:
    """What a window system does when a dialog is gone; drawn into memory there is none."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=LIMIT)


def press(window: QWidget, keys: str) -> None:
    """A key, with its modifiers, where the focus is."""
    QTest.keySequence(QApplication.focusWidget() or window, QKeySequence(keys))


def type_keys(*texts: str) -> None:
    """Texts where the focus is; names of keys are pressed."""
    for text in texts:
        focused = QApplication.focusWidget()
        assert focused is not None
        if text in {"Tab", "Return", "Right"}:
            press(focused, text)
            continue
        if isinstance(focused, QLineEdit):
            press(focused, "Ctrl+A")
        QTest.keyClicks(focused, text)


def walk_to(name: str, kind: str = "") -> None:
    """Press Tab until a widget of that accessible name has the focus."""
    for _ in range(60):
        focused = QApplication.focusWidget()
        assert focused is not None
        called = focused.text() if isinstance(focused, QAbstractButton) else focused.accessibleName()
        if called == name and type(focused).__name__.endswith(kind):
            return
        press(focused, "Tab")
    raise AssertionError(f"The Tab key does not lead to {name!r}")
