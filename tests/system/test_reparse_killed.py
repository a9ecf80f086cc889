"""A re-parse that dies, at any statement or by kill -9, and is called again: same ids, same counts, nothing twice."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.engine.reparse import reparse
from core.store.crawl_file import open_writer
from core.store.read.audit import audit
from core.store.write import reparse as store_side
from tests.death import Death, Killed
from tests.kept_shop import AFTER, kept_shop, shop_settings
from tests.small_crawl import SmallCrawl, write_settings

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parents[2]
FEW = 14
MANY = int(os.environ.get("REPARSED_PAGES", "600"))


def changed_shop(path: Path, pages: int) -> SmallCrawl:
    crawl = kept_shop(path, pages)
    write_settings(path, shop_settings(AFTER), crawl.at)
    return crawl


def records(crawl: SmallCrawl) -> list[Any]:
    """What must not depend on a kill: all but the moments of the re-parse."""
    found = crawl.ask("SELECT id, natural_key, data, version, run, action, gone, first_seen, last_seen FROM record")
    versions = crawl.ask("SELECT record_id, version, data, rules, valid_to IS NULL FROM record_version")
    return [sorted(found), sorted(versions), crawl.ask("SELECT name, run, value FROM counter ORDER BY 1, 2")]


def copy_of(crawl: SmallCrawl, folder: Path, name: str) -> SmallCrawl:
    copied = SmallCrawl.__new__(SmallCrawl)
    copied.path = folder / name
    for side in ("", "-responses"):
        shutil.copy(f"{crawl.path}{side}", f"{copied.path}{side}")
    return copied


def test_it_may_die_between_any_two_statements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.reparse.MOST", 4)
    made = changed_shop(tmp_path / "made.crawl", FEW)
    whole = copy_of(made, tmp_path, "whole.crawl")
    assert asyncio.run(reparse(whole.path, dry_run=False)).finished
    after, died = 20, True
    while died:
        crawl = copy_of(made, tmp_path, f"{after}.crawl")
        opened: list[Any] = []

        def dying(path: Path, opened: list[Any] = opened, after: int = after) -> Any:
            connection = open_writer(path)
            connection.exec_trace = Death(after)
            opened.append(connection)
            return connection

        monkeypatch.setattr(store_side, "open_writer", dying)
        died = False
        try:
            asyncio.run(reparse(crawl.path, dry_run=False))
        except Killed:
            died = True
        for connection in opened:
            connection.close(force=True)
        monkeypatch.setattr(store_side, "open_writer", open_writer)
        report = asyncio.run(reparse(crawl.path, dry_run=False))
        assert report.finished
        assert audit(crawl.path).ok
        assert records(crawl) == records(whole), after
        after += 17


def test_killed_in_the_middle_and_called_again_it_ends_with_the_same_ids_and_counts(tmp_path: Path) -> None:
    crawl = changed_shop(tmp_path / "made.crawl", MANY)
    before = crawl.ask("SELECT id, natural_key FROM record ORDER BY id")
    whole = copy_of(crawl, tmp_path, "whole.crawl")
    command = [sys.executable, "-m", "core", "reparse", "--json"]
    child = subprocess.Popen(
        [*command, "--attached", str(crawl.path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    told = json.loads(child.stdout.readline())
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert 0 < told["done"] < MANY
    versions = "SELECT count(*) FROM record_version WHERE rules IS NOT NULL"
    assert 0 < crawl.one(versions) < MANY
    reports = []
    for each in (crawl, whole):
        ended = subprocess.run([*command, str(each.path)], cwd=ROOT, capture_output=True, check=True)
        reports.append(json.loads(ended.stdout))
    assert crawl.ask("SELECT id, natural_key FROM record ORDER BY id") == before
    assert reports[0]["records"] == reports[1]["records"]
    assert reports[0]["records"]["product"]["updated"] == MANY
    assert records(crawl) == records(whole)
    assert crawl.one(versions) == MANY
    assert audit(crawl.path).ok
