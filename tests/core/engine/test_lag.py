"""The engine knows how late its own loop was."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from core.engine.lag import EVERY, Lag
from core.settings import FieldRule, RecordType
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path


def test_the_longest_stall_is_kept_and_not_the_last() -> None:
    async def stalled() -> float:
        lag = Lag()
        lag.watch(asyncio.get_running_loop())
        await asyncio.sleep(EVERY / 2)
        time.sleep(0.3)  # noqa: ASYNC251 - what must not happen on a loop is what is looked for
        await asyncio.sleep(3 * EVERY)
        lag.end()
        return lag.longest

    assert 0.3 - EVERY <= asyncio.run(stalled()) < 2.0


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
