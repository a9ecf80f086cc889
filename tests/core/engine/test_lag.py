"""The engine knows how late its own loop was."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.engine.lag import EVERY, Lag
from core.settings import FieldRule, RecordType
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path


def test_the_longest_stall_is_kept_and_not_the_last() -> None:
    now = 0.0
    loop = asyncio.new_event_loop()
    lag = Lag(lambda: now)
    lag.watch(loop)
    for late in (0.0, 0.3, 0.01):
        now += EVERY + late
        lag._look(loop)
    lag.end()
    loop.close()
    assert lag.longest == pytest.approx(0.3)


def test_a_stall_of_more_than_a_second_is_a_warning() -> None:
    lag = Lag()
    lag.longest = 0.2
    assert lag.level == "info"
    lag.longest = 1.2
    assert lag.level == "warning"
    assert "longer than 1.200 s" in lag.sentence


def test_every_session_says_how_late_its_loop_was(tmp_path: Path) -> None:
    with ScriptedSite({"/": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
    (told,) = crawl.log("lag")
    assert told.startswith("No host waited longer than 0.")


def test_a_regular_expression_that_finds_no_end_keeps_no_other_host_waiting(tmp_path: Path) -> None:
    endless = RecordType(name="evil", match="/evil", fields={"id": FieldRule(regex=r"(a|aa)+$")})
    with ScriptedSite({"/": page("/evil", "/good"), "/evil": b"a" * 60_000 + b"!", "/good": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", records=(endless,)))
        assert crawl.run().exit_status == 0
    ((reason,),) = crawl.rows("SELECT DISTINCT reason FROM conflict")
    assert "longer than" in reason
    (told,) = crawl.log("lag")
    assert float(told.partition("longer than ")[2].partition(" s")[0]) < 0.9
