"""The menu bar: every command once, with its shortcut. It does nothing itself; the window connects it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from gui.theme import ThemeChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QMainWindow, QMenu


class Menu:
    """The actions by name, placed in the window's menu bar."""

    def __init__(self, window: QMainWindow, titles: Sequence[str]) -> None:
        self._window = window
        self._build_file()
        self._build_crawl()
        self._build_view(titles)
        self._build_help()

    def _build_file(self) -> None:
        menu = self._menu("&File")
        self.new = self._action(menu, "&New crawl…", "Ctrl+N")
        self.open = self._action(menu, "&Open…", "Ctrl+O")
        self.sample = self._action(menu, "Open the &sample crawl")
        menu.addSeparator()
        self.save_copy = self._action(menu, "Save a &copy…", "Ctrl+Shift+S")
        self.check = self._action(menu, "Chec&k the file…")
        self.load_profile = self._action(menu, "&Load profile…")
        self.save_profile = self._action(menu, "Save &profile…")
        menu.addSeparator()
        self.close_crawl = self._action(menu, "Close cra&wl", "Ctrl+W")
        self.quit = self._action(menu, "&Quit", "Ctrl+Q")
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)

    def _build_crawl(self) -> None:
        menu = self._menu("&Crawl")
        self.start = self._action(menu, "&Start", "Ctrl+R")
        self.stop = self._action(menu, "S&top", "Ctrl+.")
        self.kill = self._action(menu, "&Kill…", "Ctrl+Shift+K")
        self.scheduled = self._action(menu, "Begin scheduled &runs by itself")
        self.scheduled.setCheckable(True)
        menu.addSeparator()
        self.advice = self._action(menu, "&Advice on spellings…")
        menu.addSeparator()
        self.explain = self._action(menu, "&Explain URL…", "Ctrl+E")
        self.robots_tester = self._action(menu, "R&obots tester…")

    def _build_view(self, titles: Sequence[str]) -> None:
        menu = self._menu("&View")
        self.views = [self._action(menu, title, f"Ctrl+{at}") for at, title in enumerate(titles, start=1)]
        menu.addSeparator()
        self.find = self._action(menu, "&Filter crawls", "Ctrl+L")
        menu.addSeparator()
        themes = menu.addMenu(say("&Theme"))
        group = QActionGroup(self._window)
        names = {ThemeChoice.SYSTEM: "&System", ThemeChoice.LIGHT: "&Light", ThemeChoice.DARK: "&Dark"}
        self.themes = {choice: self._action(themes, text) for choice, text in names.items()}
        for action in self.themes.values():
            action.setCheckable(True)
            group.addAction(action)

    def _build_help(self) -> None:
        menu = self._menu("&Help")
        self.shortcuts = self._action(menu, "&Keyboard shortcuts", "F1")
        self.ask_again = self._action(menu, "Ask again when &closing")
        self.about = self._action(menu, "&About Fronteira")
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def all_actions(self) -> list[QAction]:
        """Every command, in the order of the menus."""
        return [action for menu in self._menus() for action in menu.actions() if not action.isSeparator()]

    def _menus(self) -> list[QMenu]:
        menus = [action.menu() for action in self._window.menuBar().actions()]
        return [menu for menu in menus if menu is not None]  # type: ignore[misc]  # the stub says QObject

    def _menu(self, title: str) -> QMenu:
        return self._window.menuBar().addMenu(say(title))

    def _action(self, menu: QMenu, text: str, keys: str = "") -> QAction:
        action = QAction(say(text), self._window)
        if keys:
            action.setShortcut(QKeySequence(keys))
        menu.addAction(action)
        return action


def say(text: str) -> str:
    return QCoreApplication.translate("Menu", text)
