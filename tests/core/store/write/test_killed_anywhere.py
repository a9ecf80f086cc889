"""The engine dies between any two statements, or at any moment: nothing is lost, nothing doubled."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from core.store.write import aliases
from tests.death import Death, Killed
from tests.small_crawl import SmallCrawl, record, settings_of

if TYPE_CHECKING:
    from pathlib import Path

LINKS = ("/a", "/b", "/c?x=1", "/deep/deep/deep/deep", "http://other.test/", "/a#again")


def begun(path: Path) -> SmallCrawl:
    return SmallCrawl(path, settings_of(budgets={"max_depth": 1, "max_pages": 5}))


def results_of(crawl: SmallCrawl) -> tuple[Any, ...]:
    """A page with links, refusals and records, under the lease of the seed."""
    (work,) = crawl.turn().work
    records = (record("1", '{"n":1}'), record("2", '{"n":2}'), record(None, "{}"))
    return (crawl.page(work, *LINKS, parsed={"records": records}),)


def statements_of_a_cycle(path: Path) -> int:
    crawl = begun(path)
    results = results_of(crawl)
    counted = Death(1_000_000)
    crawl.writer._connection.exec_trace = counted
    crawl.turn(*results, after=2.0)
    return 1_000_000 - counted.left


def test_killed_between_any_two_statements_a_page_is_done_with_its_links_or_queued_again(tmp_path: Path) -> None:
    most = statements_of_a_cycle(tmp_path / "count.crawl")  # FRO-02
    assert most > 30
    outcomes = set()
    for number in range(most):
        crawl = begun(tmp_path / f"{number}.crawl")
        results = results_of(crawl)
        crawl.writer._connection.exec_trace = Death(number)
        with pytest.raises(Killed):
            crawl.turn(*results, after=2.0)
        crawl.reopen()
        crawl.assert_sound()
        states = crawl.states()
        outcomes.add(states["/"])
        assert states == {"/": "pending"} or (states["/"] == "done" and {"/a", "/b", "/c?x=1"} <= states.keys())
        crawl.kill()
        crawl.path.unlink()
    assert outcomes == {"pending", "done"}  # the last statement is after the COMMIT


def aliases_of(crawl: SmallCrawl) -> tuple[Any, ...]:
    """The last of three pages of different content that name one canonical: with it none is believed."""
    (root,) = crawl.turn().work
    works = crawl.turn(crawl.page(root, "/1", "/2", "/3")).work
    named = [crawl.page(work, parsed={"canonical": "http://shop.test/b"}) for work in works]
    crawl.turn(*named[:2], granting=False)
    return (named[2],)


def test_killed_while_aliases_are_undone_all_are_aliases_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aliases, "MOST_CONTENTS", 3)
    seen = set()
    number = 0
    while (0, 4) not in seen:
        crawl = SmallCrawl(tmp_path / f"{number}.crawl")
        results = aliases_of(crawl)
        crawl.writer._connection.exec_trace = Death(number)
        with suppress(Killed):
            crawl.turn(*results, after=2.0)
        crawl.reopen()
        crawl.assert_sound()
        seen.add((crawl.one("SELECT count(*) FROM page WHERE alias_of IS NOT NULL"), crawl.counter("useful")))
        crawl.kill()
        number += 1
    assert number > 20
    assert seen == {(2, 1), (0, 4)}


@pytest.mark.parametrize("number", [3, 11, 23])
def test_crawl_killed_in_a_transaction_ends_as_one_that_was_not(tmp_path: Path, number: int) -> None:
    whole = begun(tmp_path / "whole.crawl")
    whole.turn(*results_of(whole))
    whole.reopen()
    whole.crawl({"/": [*LINKS]})
    crawl = begun(tmp_path / "killed.crawl")
    results = results_of(crawl)
    crawl.writer._connection.exec_trace = Death(number)
    with pytest.raises(Killed):
        crawl.turn(*results)
    crawl.reopen()
    (again,) = crawl.turn().work
    crawl.turn(crawl.page(again, *LINKS, parsed={"records": results[0].parsed.records}))
    crawl.reopen()
    crawl.crawl({})
    crawl.assert_sound()
    assert crawl.states() == whole.states()
    assert crawl.reasons() == whole.reasons()
    for name in ("pages", "links", "new_urls", "records", "created", "conflicts", "bytes"):
        assert crawl.counter(name) == whole.counter(name), name


@pytest.mark.parametrize("killed_in", ["begin", "seed"])
def test_killed_start_starts_again(tmp_path: Path, killed_in: str) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (work,) = crawl.turn().work
    crawl.turn(crawl.page(work, "/a"))
    for number in range(60):
        crawl.kill()
        from core.store.write.writer import Writer

        crawl.writer = Writer(crawl.path)
        crawl.writer._connection.exec_trace = Death(number)
        try:
            crawl.writer.begin(1, crawl.now, crawl.at)
            if killed_in == "begin":
                break
            crawl.writer.seed([("/new", crawl.link("/new"), "")], [], crawl.at)
        except Killed:
            continue
        break
    crawl.reopen()
    crawl.assert_sound()
    assert "/a" in crawl.crawl({})


CHILD = """
import sys
from pathlib import Path
from tests.small_crawl import SmallCrawl
crawl = SmallCrawl.__new__(SmallCrawl)
crawl.path, crawl.now = Path(sys.argv[1]), float(sys.argv[2])
crawl.open()
print("running", flush=True)
crawl.crawl(lambda target: [f"/p/{int(target[3:] or 0) * 3 + step}" for step in (1, 2, 3)] if target < "/p/4" else [])
print("idle", flush=True)
"""


def test_killed_process_loses_and_doubles_nothing(tmp_path: Path) -> None:
    chance = random.Random(7)
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets={"max_depth": 4}, politeness={"concurrency": 4}))
    crawl.kill()
    kills = 0
    for round_ in range(8):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(crawl.path), str(2000.0 + round_)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "running\n"
        deadline = time.monotonic() + chance.uniform(0.0, 0.05)
        while time.monotonic() < deadline and child.poll() is None:
            pass
        child.send_signal(signal.SIGKILL)
        kills += child.wait() == -signal.SIGKILL
        child.stdout.close()
        crawl.assert_sound()
    assert kills >= 4
    crawl.now = 3000.0
    crawl.open()
    crawl.crawl(
        lambda target: [f"/p/{int(target[3:] or 0) * 3 + step}" for step in (1, 2, 3)] if target < "/p/4" else []
    )
    crawl.assert_sound()
    assert set(crawl.states().values()) == {"done"}
    assert crawl.counter("requests") <= len(crawl.states()) + kills * 4
