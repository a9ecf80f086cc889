"""The header of a crawl: its times, its state, and the buttons that make sense now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.store.rows import Status
from gui.crawl_words import StateWords, state_words
from gui.header import Header, file_place, times

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.session import OpenCrawl
    from gui.theme import Theme

NOON = 1_700_000_000.0


def status(state: str, reason: str = "", run: int = 1) -> Status:
    none = None
    return Status(
        name="Shop",
        state=state,
        reason=reason,
        run=run,
        urls={"leased": 3},
        pages=1,
        requests=1,
        not_modified=0,
        records=0,
        record_actions={},
        bytes=0,
        frontier=1,
        discovery_ratio=none,
        duplicate_rate=none,
        content_duplicate_rate=none,
        bytes_per_useful_page=none,
        requests_per_record=none,
        refusals={},
        alarms=(),
        hosts=1,
        engine=None,
        started=NOON,
        elapsed=20_000.0,
        run_elapsed=9660.0,
    )


@pytest.mark.parametrize(
    ("state", "reason", "text"),
    [
        ("running", "", "2 h 41 min · started 22:13 UTC"),
        ("stopped", "stop", "2 h 41 min · started 22:13 UTC · on request"),
        ("stopped", "killed", "2 h 41 min · started 22:13 UTC"),
        ("stopped", "pages", "2 h 41 min · started 22:13 UTC · the limit of pages is reached"),
    ],
)
def test_the_times_say_how_long_since_when_and_why_it_ended(state: str, reason: str, text: str) -> None:
    assert times(status(state, reason), NOON + 60) == text


@pytest.mark.parametrize(
    ("state", "buttons", "start"),
    [
        ("idle", (True, False, False), "Start"),
        ("running", (False, True, True), "Start"),
        ("offline", (False, True, True), "Start"),
        ("stopping", (False, False, True), "Start"),
        ("stopped", (True, False, False), "Resume"),
        ("crashed", (True, False, False), "Resume"),
        ("finished", (True, False, False), "Crawl again…"),
    ],
)
def test_only_what_makes_sense_can_be_pressed(
    state: str, buttons: tuple[bool, bool, bool], start: str, theme: Theme, crawl: OpenCrawl, qtbot: QtBot
) -> None:
    header = Header(theme, ["Dashboard", "Setup"])
    qtbot.addWidget(header)
    crawl.status = status(state, run=0 if state == "idle" else 1)
    header.show_status(crawl, crawl.status)
    shown = (header.start_button, header.stop_button, header.kill_button)
    assert tuple(button.isEnabled() for button in shown) == buttons
    assert header.start_button.text() == start


def test_the_times_of_a_later_run_are_its_own() -> None:
    assert times(status("running", run=3), NOON + 60) == "run 3 · 2 h 41 min · started 22:13 UTC"


def test_a_long_name_does_not_widen_the_window(theme: Theme, crawl: OpenCrawl, qtbot: QtBot) -> None:
    header = Header(theme, ["Dashboard"])
    qtbot.addWidget(header)
    narrow = header.minimumSizeHint().width()
    header._name.set_foreign_text("a-very-long-name " * 40)
    assert header.minimumSizeHint().width() - narrow <= 40
    assert "a-very-long-name" in header._name.toolTip()


def test_a_place_below_home_is_short() -> None:
    assert file_place(Path.home() / "crawls" / "a.crawl") == str(Path("~") / "crawls" / "a.crawl")
    assert file_place(Path("/srv/a.crawl")) == str(Path("/srv/a.crawl"))


def test_an_offline_crawl_says_the_cause_beside_its_state() -> None:
    words = times(status("offline", "unreachable: shop.test could not be resolved"), NOON)
    assert words.endswith(" · shop.test could not be resolved")
    assert state_words("offline") == StateWords("Offline", "warning", "warning", hollow=True)
