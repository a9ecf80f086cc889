"""Where this system has no room for connections, no URL pays for it: all is asked again a moment later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import core.engine.page
import core.engine.robots
import core.engine.sources
import core.fetch.client
from core.fetch.dial import Dialler
from core.fetch.fault import Fault
from core.settings import Seeds
from tests.core.engine.crawl import Crawl, fetch, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from core.fetch.connection import Connection
    from core.urls import Url


def test_no_room_for_connections_spends_no_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at robots.txt, sitemap and page fails twice so, and nothing may be tried twice."""
    failures: dict[str, int] = {}
    opens = Dialler.open
    for module in (core.engine.page, core.engine.robots, core.engine.sources):
        monkeypatch.setattr(module, "STARVED_DELAY", 0.01)
    monkeypatch.setattr(core.fetch.client, "STARVED", 0.0)

    async def starved(self: Dialler, url: Url, freed: Callable[[Connection], None]) -> Connection:
        failures[url.target] = failures.get(url.target, 0) + 1
        if failures[url.target] <= 2:
            raise Fault("connect", "This system has no room for a connection.", starved=True)
        return await opens(self, url, freed)

    monkeypatch.setattr(Dialler, "open", starved)
    closing = (("Connection", "close"),)
    with ScriptedSite({"/robots.txt": Reply(status=404, headers=closing)}) as site:
        site.answers |= {"/s.txt": Reply(f"{site.root}/a\n".encode(), headers=closing, type="text/plain")}
        site.answers |= {"/": Reply(page("/b"), headers=closing), "/a": page(title="A"), "/b": page(title="B")}
        seeds = Seeds(urls=(f"{site.root}/",), sitemaps=(f"{site.root}/s.txt",))
        crawl = Crawl(tmp_path, quick(seeds=seeds, fetch=fetch(retries=0)))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/": "done", "/a": "done", "/b": "done"}
    assert crawl.rows("SELECT max(tries) FROM url") == [(0,)]
    assert {failures[target] for target in ("/robots.txt", "/s.txt", "/")} == {3}
