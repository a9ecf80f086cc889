"""The views of the window, in the order of their tabs. One more view is one more line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gui.dashboard.dashboard_view import DashboardView
from gui.setup.setup_view import SetupView
from gui.tables.table_view import hosts_view, log_view, records_view, urls_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from gui.preferences import Preferences
    from gui.theme import Theme
    from gui.view import View


class ViewSpec(NamedTuple):
    """A tab: its stable key, its title, and what makes the widget."""

    key: str
    title: str
    factory: Callable[[Theme, Preferences], View]


VIEWS: tuple[ViewSpec, ...] = (
    ViewSpec("dashboard", "Dashboard", DashboardView),
    ViewSpec("setup", "Setup", SetupView),
    ViewSpec("urls", "URLs", urls_view),
    ViewSpec("records", "Records", records_view),
    ViewSpec("hosts", "Hosts", hosts_view),
    ViewSpec("log", "Log", log_view),
)
