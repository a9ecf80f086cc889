"""Small promises of the file, each with the way it was once broken."""

from __future__ import annotations

import shutil
import struct
from typing import TYPE_CHECKING

import pytest

from core.errors import CorruptFile, SettingsError
from core.settings import CrawlSettings, Normalise
from core.store.crawl_file import connect, inspect
from core.store.lock import EngineLock
from core.store.query import value
from core.store.read.audit import audit
from core.store.read.columns import TableQuery
from core.store.read.reader import Reader
from core.store.read.snapshot import Snapshot
from core.store.wishes import Wishes
from tests.small_crawl import SITE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_whose_checkpoint_was_cut_short_is_whole_with_its_wal(tmp_path: Path) -> None:
    """Page 1 is written first: the header then counts pages that still lie in the WAL alone."""
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": [f"/{number}" for number in range(50)]})
    cut = tmp_path / "cut.crawl"
    shutil.copy(crawl.path, cut)
    shutil.copy(f"{crawl.path}-wal", f"{cut}-wal")
    with cut.open("r+b") as file:
        header = bytearray(file.read(100))
        header[28:32] = struct.pack(">I", 100_000)
        header[92:96] = header[24:28]
        file.seek(0)
        file.write(header)

    inspect(cut)
    database = connect(cut)
    assert value(database.connection(), "SELECT count(*) FROM url") == 51
    database.close()

    (tmp_path / "cut.crawl-wal").unlink(missing_ok=True)
    with cut.open("r+b") as file:
        file.write(header)
    with pytest.raises(CorruptFile):
        inspect(cut)


def test_resources_are_links_and_are_never_requested(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(scope={"skip_extensions": []}))
    turn = crawl.turn()
    picture = crawl.link("/logo.png", kind="resource")
    turn = crawl.turn(crawl.page(turn.work[0], picture, "/a"))

    assert [work.url.target for work in turn.work] == ["/a"]
    assert value(crawl.writer._connection, "SELECT count(*) FROM link WHERE kind = 'resource'") == 1
    crawl.change(settings_of(scope={"skip_extensions": []}, budgets={"max_depth": 9}))
    assert crawl.crawl({}, turn.work) == []

    linked = crawl.turn()
    assert not linked.work


def test_a_resource_that_is_also_linked_is_a_page(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(scope={"skip_extensions": []}))
    turn = crawl.turn()
    picture = crawl.link("/logo.png", kind="resource")
    turn = crawl.turn(crawl.page(turn.work[0], picture, "/a"))
    turn = crawl.turn(crawl.page(turn.work[0], "/logo.png"))

    assert [work.url.target for work in turn.work] == ["/logo.png"]
    crawl.crawl({}, turn.work)
    crawl.finish()
    assert audit(crawl.path).ok


def test_the_rules_of_a_crawl_that_runs_stand(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    lock = EngineLock.acquire(crawl.path)
    wishes = Wishes(crawl.path)
    with pytest.raises(SettingsError, match="changes only while nothing runs it"):
        wishes.set_settings(CrawlSettings(seeds=crawl.settings.seeds, normalise=Normalise(trailing_slash=True)))
    assert wishes.set_settings(CrawlSettings(name="Other", seeds=crawl.settings.seeds)) == 2
    wishes.close()
    lock.release()


def test_requests_in_flight_at_a_kill_are_certified_before_the_next_start(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.turn()
    crawl.kill()

    certificate = audit(crawl.path)
    assert certificate.possibly_repeated == (f"{SITE}/",)
    assert certificate.kills == 1

    crawl.open()
    crawl.crawl({})
    crawl.finish()
    assert audit(crawl.path).possibly_repeated == (f"{SITE}/",)


def test_a_dead_engine_leaves_a_reason(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.turn()
    crawl.kill()
    reader = Reader(crawl.path)

    status = reader.status()
    assert (status.state, status.reason) == ("crashed", "error: the engine ended without a word")
    reader.close()


def test_a_page_fetched_once_had_one_attempt(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    turn = crawl.turn()
    turn = crawl.turn(crawl.failure(turn.work[0], 503, retry_in=1.0))
    turn = crawl.turn(after=2.0)
    crawl.turn(crawl.page(turn.work[0], "/new"))
    snapshot = Snapshot(crawl.path)
    rows = snapshot.first(TableQuery("urls", columns=("url", "attempts")))
    assert [row.cells for row in rows] == [(f"{SITE}/", 2), (f"{SITE}/new", 0)]
    snapshot.close()
