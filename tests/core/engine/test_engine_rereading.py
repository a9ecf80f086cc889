"""Real crawls with more refusals than rows for them: what a later change lets in is found again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from core.settings import Pages, Scope
from core.store.responses import responses_path
from core.store.write import refusals
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

PAGES = [f"/p{number}" for number in range(12)]
BAD = [f"/bad/{number}" for number in range(30)]
LINKS = {name: [BAD[(7 * number + step) % len(BAD)] for step in range(5)] for number, name in enumerate(PAGES)}


def answers() -> dict[str, object]:
    pages = {name: page(*links, title=name) for name, links in LINKS.items()}
    return {"/": page(*PAGES), **pages, **{name: page(title=name) for name in BAD}}


@pytest.mark.parametrize("kept", ["kept", "not kept", "thrown away"])
def test_pattern_removed_admits_what_only_pages_of_long_ago_revealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    monkeypatch.setattr(refusals, "MOST_ROWS", 3)
    with ScriptedSite(answers()) as site:
        settings = quick(
            f"{site.root}/", scope=Scope(exclude=("/bad",)), pages=Pages(keep_responses=kept != "not kept")
        )
        crawl = Crawl(tmp_path, settings)
        assert crawl.run().exit_status == 0
        assert len(crawl.refused()) == 3
        if kept == "thrown away":
            for path in tmp_path.glob(f"{responses_path(crawl.path).name}*"):
                path.unlink()
        before = len(site.asked)
        crawl.set(msgspec.structs.replace(settings, scope=Scope()))
        assert crawl.run().exit_status == 0
        assert f"The links of {len(PAGES)} pages are read again" in " ".join(crawl.log("settings"))
        again = [] if kept == "kept" else PAGES
        assert sorted(path for path in site.targets()[before:] if path != "/robots.txt") == sorted([*BAD, *again])
        assert {path for path, state in crawl.states().items() if state == "done"} == {"/", *PAGES, *BAD}
        assert crawl.rows("SELECT sum(value) FROM counter WHERE name LIKE 'refused.%' AND run = 0") == [(0,)]
        assert crawl.rows("SELECT count(*) FROM link WHERE target < 0") == [(0,)]
        asked = len(site.asked)
        assert crawl.run().exit_status == 0
        assert len(site.asked) == asked
