"""Scheduled runs that begin by themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gui.schedule import Schedule
from gui.sidebar.crawl_list import summary
from gui.sidebar.glance import Glance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences

NOON = 1_800_000_000.0
PATH = Path("/crawls/shop.crawl")
DUE = Glance(PATH, "Shop", "finished", pages=3, ended=NOON - 86_400, next_run=NOON, rests=True)


class Watched:
    """A schedule whose clock is moved by hand, and what it told."""

    def __init__(self, preferences: Preferences) -> None:
        self.now = NOON + 1
        self.schedule = Schedule(preferences, now=lambda: self.now)
        self.begun: list[Path] = []
        self.overdue: list[Glance] = []
        self.schedule.due.connect(self.begun.append)
        self.schedule.seen.connect(self.overdue.append)

    def look(self, glance: Glance) -> list[Path]:
        self.schedule.see(glance)
        self.schedule.look()
        return self.begun


@pytest.fixture
def watched(preferences: Preferences, qtbot: QtBot) -> Iterator[Watched]:
    made = Watched(preferences)
    yield made
    made.schedule.deleteLater()


def test_a_run_that_is_due_begins_once(watched: Watched) -> None:
    assert watched.look(DUE) == [PATH]
    assert watched.look(DUE) == [PATH]
    assert watched.look(replace(DUE, next_run=NOON + 60)) == [PATH]
    watched.now += 60
    assert watched.look(replace(DUE, next_run=NOON + 60)) == [PATH, PATH]


@pytest.mark.parametrize(
    "glance",
    [
        replace(DUE, next_run=None),
        replace(DUE, next_run=NOON + 2),
        replace(DUE, rests=False, state="stopped"),
        replace(DUE, state="running"),
    ],
)
def test_what_is_not_due_was_stopped_or_runs_does_not_begin(watched: Watched, glance: Glance) -> None:
    assert watched.look(glance) == []


def test_a_crawl_can_be_left_alone_and_is_then_overdue(watched: Watched, preferences: Preferences) -> None:
    preferences.set_runs_on_schedule(PATH, False)
    assert watched.look(DUE) == []
    (told,) = watched.overdue
    assert summary(told).startswith("Finished · overdue since ")
    watched.schedule.look()
    assert len(watched.overdue) == 1
    preferences.set_runs_on_schedule(PATH, True)
    assert watched.look(DUE) == [PATH]


def test_a_crawl_that_is_forgotten_does_not_begin(watched: Watched) -> None:
    watched.schedule.see(DUE)
    watched.schedule.forget(PATH)
    watched.schedule.look()
    assert watched.begun == []
