"""A host whose name does not resolve is one fault of one host: no URL of it pays, and nothing else waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import core.engine.engine
import core.fetch.resolve
import core.store.write.unreachable
from core.fetch.client import Client
from core.settings import Scope
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

LINKS = [f"http://lost.test/{number}" for number in range(30)]


@pytest.fixture(autouse=True)
def _quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.store.write.unreachable, "FIRST_WAIT", 0.02)
    monkeypatch.setattr(core.fetch.resolve, "KEPT_FAILURE", 0.0)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every name that is looked up; none of them resolves."""
    asked: list[str] = []

    def lookup(host: str) -> tuple[str, ...]:
        asked.append(host)
        raise OSError(None, "Name or service not known")

    class Lost(Client):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **{**named, "lookup": lookup})

    monkeypatch.setattr(core.engine.engine, "Client", Lost)
    return asked


def crawl_of(folder: Path, site: ScriptedSite, *, unreachable_after: float = 3600, retries: int = 2) -> Crawl:
    site.answers |= {"/": page(*LINKS, "/a"), "/a": page(title="A")}
    host = f"127.0.0.1:{site.port}"
    return Crawl(
        folder,
        quick(
            f"{site.root}/",
            scope=Scope(hosts=(host, "lost.test")),
            fetch=fetch(retries=retries),
            politeness=politeness(robots=False, per_host=2, unreachable_after=unreachable_after),
        ),
    )


def test_its_urls_wait_and_are_listed_at_the_end(tmp_path: Path, looks: list[str]) -> None:
    with ScriptedSite() as site:
        crawl = crawl_of(tmp_path, site)
        ending = crawl.run()
        assert site.targets() == ["/", "/a"]
    assert ending.exit_status == 3
    assert ending.reason == "unreachable: 30 URLs left at lost.test, whose name does not resolve"
    assert 3 <= len(looks) <= 6  # three probes, of which the first may have been a burst
    found = [row for row in crawl.urls().values() if row.url.startswith("http://lost.test/")]
    assert {(row.state, row.reason) for row in found} == {("blocked", "unreachable: dns")}
    assert crawl.rows("SELECT max(tries) FROM url") == [(0,)]
    assert [line for line in crawl.log("fetch") if "lost.test" in line] == [
        "lost.test could not be resolved (Name or service not known). Its other URLs wait.",
        "lost.test does not resolve: 30 URLs left until the next start.",
    ]


def test_the_next_start_tries_it_again(tmp_path: Path, looks: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedSite() as site:
        crawl = crawl_of(tmp_path, site, retries=0)
        assert crawl.run().exit_status == 3
        before = len(looks)
        assert crawl.run().exit_status == 3
        assert len(looks) > before
        monkeypatch.setattr(core.engine.engine, "Client", Client)
        port = site.port
        crawl.set(
            quick(
                f"{site.root}/",
                scope=Scope(hosts=(f"127.0.0.1:{port}", "lost.test")),
                fetch=fetch(resolve={"lost.test": "127.0.0.1"}),
                politeness=politeness(robots=False),
            )
        )
        crawl.run()
    assert {row.reason for row in crawl.urls().values() if row.url.startswith("http://lost.test/")} == {
        "unreachable: connect"  # it has an address now, where nothing listens
    }


def test_after_its_time_it_keeps_the_run_open_no_longer(tmp_path: Path, looks: list[str]) -> None:
    with ScriptedSite() as site:
        crawl = crawl_of(tmp_path, site, unreachable_after=0.05, retries=20)
        assert crawl.run().reason.startswith("unreachable: 30 URLs left at lost.test")
    assert len(looks) < 20
