"""A soak: engines and commands die at any step of theirs, again and again; the power fails; the disk is full.

Each time nothing is lost, nothing doubled, and all counters equal a recount. The short form meets some kinds of
death, once each; `FRONTEIRA_LONG_TESTS=1` all of them: it kills 300 engines, fails the power 40 times, fills the disk
20 times. What happened to a crawl, with its seed, is told where it fails; `FRONTEIRA_SOAK_SEED` begins with another.
"""

from __future__ import annotations

import itertools
import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from core.demo import SiteThread
from tests.system.soak import command_deaths, engine_deaths, full_disks, power_cuts
from tests.system.soak.life import Life
from tests.system.soak.shop import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = bool(os.environ.get("FRONTEIRA_LONG_TESTS"))
SEED = int(os.environ.get("FRONTEIRA_SOAK_SEED", "1"))
KILLS = 300 if LONG else 5
ROUNDS = 12 if LONG else 1
FEW_COMMANDS = 4
CUTS = 20 if LONG else 2
COPIES = 20 if LONG else 1
FULL = 20 if LONG else 1
KILLS_OF_A_RUN = 8 if LONG else 3  # a URL whose request is cut off more than twenty times is in no hurry any more


@contextmanager
def lived(folder: Path, seed: int) -> Iterator[Life]:
    """A life, whose story is told where it does not end well."""
    with SiteThread(OPTIONS) as site:
        life = Life(folder, site, seed)
        with told(life):
            yield life


@contextmanager
def told(life: Life) -> Iterator[None]:
    """Whoever reads a failure reads what happened before."""
    try:
        yield
    except BaseException as fault:
        fault.add_note("; ".join(life.story))
        raise


def test_engines_die_anywhere_and_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    kills = 0
    for seed in itertools.count(SEED):
        folder = tmp_path / str(seed)
        folder.mkdir()
        with lived(folder, seed) as life:
            deaths = itertools.cycle(engine_deaths.DEATHS)
            for _ in range(3 if LONG else 2):
                for death in itertools.islice(deaths, KILLS_OF_A_RUN):
                    if kills + life.kills < KILLS:
                        death(life)
                life.finish()
                life.next_run()
            kills += life.kills
        if kills >= KILLS:
            break
    print(f"{kills} engines killed in {seed - SEED + 1} crawls")  # noqa: T201 - the figure of a soak


def test_commands_die_anywhere_and_leave_all_or_nothing(tmp_path: Path) -> None:
    with lived(tmp_path, SEED) as life:
        for _ in range(ROUNDS):
            for death in command_deaths.DEATHS[: None if LONG else FEW_COMMANDS]:
                death(life)
            life.finish()
            life.next_run()


def test_the_power_fails_at_any_write_and_the_last_second_is_lost_at_most(tmp_path: Path) -> None:
    with lived(tmp_path, SEED) as life:
        while life.cuts < CUTS:
            for _ in range(min(5, CUTS - life.cuts)):
                power_cuts.power_fails(life)
            life.finish()
            life.next_run()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="the file is copied while its engine lies still")
def test_a_file_whose_wal_is_cut_or_ends_in_rubbish_goes_on(tmp_path: Path) -> None:
    for number in range(COPIES):
        folder = tmp_path / str(number)
        folder.mkdir()
        with lived(folder, SEED + number) as life:
            power_cuts.goes_on_from_a_torn_copy(life)


def test_a_disk_that_grows_full_ends_the_run_and_nothing_is_lost(tmp_path: Path) -> None:
    with lived(tmp_path, SEED) as life:
        full = 0
        while full < FULL:
            for _ in range(min(5, FULL - full)):
                full += full_disks.grows_full(life)
            life.finish()
            life.next_run()


def test_commands_that_find_no_room_leave_all_as_it_was(tmp_path: Path) -> None:
    with lived(tmp_path, SEED) as life:
        for _ in range(ROUNDS):
            full_disks.changes_find_no_room(life)
            if LONG:
                full_disks.makers_find_no_room(life)
