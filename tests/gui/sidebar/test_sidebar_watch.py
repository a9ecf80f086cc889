from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.store.wishes import Wishes
from gui.sidebar.glance import Glance, look, stamp
from gui.sidebar.watch import SidebarWatch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from core.settings import CrawlSettings

LIMIT = 10_000


@pytest.fixture
def watch(qapp: object) -> Iterator[SidebarWatch]:
    made = SidebarWatch()
    yield made
    made.close()


def test_a_file_that_cannot_be_used_is_a_line_and_no_error(tmp_path: Path) -> None:
    notes = tmp_path / "notes.crawl"
    notes.write_text("not a crawl")
    assert look(tmp_path / "gone.crawl").missing
    assert "not a crawl file" in look(notes).fault
    assert notes.read_text() == "not a crawl"


def test_looking_leaves_nothing_behind_and_moves_no_stamp(crawl_file: Path) -> None:
    before = stamp(crawl_file)
    assert look(crawl_file) == Glance(crawl_file, "Shop")
    assert stamp(crawl_file) == before
    assert [path.name for path in crawl_file.parent.glob("shop.crawl*")] == ["shop.crawl"]


def test_a_file_is_looked_at_again_only_when_it_moved(
    watch: SidebarWatch, crawl_file: Path, settings: CrawlSettings, qtbot: QtBot
) -> None:
    import msgspec

    seen: list[Glance] = []
    watch.seen.connect(seen.append)
    watch.set_paths((crawl_file,))
    qtbot.waitUntil(lambda: len(seen) == 1, timeout=LIMIT)
    missing = crawl_file.with_name("missing.crawl")
    watch.set_paths((crawl_file, missing))
    qtbot.waitUntil(lambda: seen[-1].path == missing, timeout=LIMIT)
    assert [glance.path for glance in seen] == [crawl_file, missing]

    wishes = Wishes(crawl_file)
    wishes.set_settings(msgspec.structs.replace(settings, name="Renamed"))
    wishes.close()
    qtbot.waitUntil(lambda: seen[-1].name == "Renamed", timeout=LIMIT)
