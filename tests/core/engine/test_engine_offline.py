"""A network that goes away under a crawl: nobody pays for it, the file says so, and the crawl goes on by itself."""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

import core.engine.clock
import core.engine.offline
import core.store.write.unreachable
from core.engine.clock import Clock
from core.fetch.dial import Dialler
from core.fetch.fault import Fault
from core.settings import Budgets, Seeds
from tests.core.engine.crawl import DEADLINE, Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite, page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.fetch.connection import Connection
    from core.urls import Url

TWO = {"a.test": "127.0.0.1", "b.test": "127.0.0.1"}
CLOSING = (("Connection", "close"),)


@dataclass
class Network:
    """Gone, it lets no connection through. `dead` hosts never answer."""

    gone: bool = False
    dead: frozenset[str] = frozenset()
    tried: list[str] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def lets_through(self, url: Url) -> bool:
        with self.changed:
            self.tried.append(url.host)
            self.changed.notify_all()
        return not self.gone and url.host not in self.dead

    def wait_for(self, tries: int) -> None:
        """Until so many more connections were tried."""
        with self.changed:
            wanted = len(self.tried) + tries
            assert self.changed.wait_for(lambda: len(self.tried) >= wanted, DEADLINE)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    monkeypatch.setattr(core.engine.offline, "PROBE_EVERY", 0.05)
    monkeypatch.setattr(core.engine.offline, "STILL_ACTIVE", 0.1)
    monkeypatch.setattr(core.store.write.unreachable, "FIRST_WAIT", 0.05)
    made = Network()
    opens = Dialler.open

    async def opened(self: Dialler, url: Url, freed: Callable[[Connection], None]) -> Connection:
        if not made.lets_through(url):
            raise Fault("connect", f"{url.host} port {url.port} cannot be reached (Network is unreachable).")
        return await opens(self, url, freed)

    monkeypatch.setattr(Dialler, "open", opened)
    return made


def closing(body: bytes, **more: object) -> Reply:
    return Reply(body, headers=CLOSING, **more)  # type: ignore[arg-type] # a test's own words


def site_of(site: ScriptedSite, count: int, during: Callable[[Asked], object]) -> None:
    """A page with `count` links to /p/N, each on a connection of its own; the third tells that it was asked."""
    site.answers["/robots.txt"] = Reply(status=404, headers=CLOSING)
    links = [f"/p/{number}" for number in range(count)]
    site.answers["/"] = lambda asked: closing(page(*links, title=asked.host))
    for number in range(count):
        site.answers[f"/p/{number}"] = closing(page(title=f"{number}"))
    site.answers["/p/2"] = during


def crawl_of(folder: Path, site: ScriptedSite, *names: str, **changes: object) -> Crawl:
    seeds = tuple(f"{site.at(name)}/" for name in names)
    paces = politeness(per_host=1, **changes)
    return Crawl(folder, quick(*seeds, fetch=fetch(resolve=TWO, timeout=5.0), politeness=paces))


def session(crawl: Crawl) -> tuple[str, str]:
    """State and reason of the running session. (These engines hold no lock, so that no status believes in them.)"""
    found = crawl.rows("SELECT state, reason FROM session ORDER BY id DESC LIMIT 1") or [("", "")]
    return found[0][0], found[0][1]


@pytest.mark.parametrize("names", [("a.test", "b.test"), ("a.test",)])
def test_it_waits_goes_on_by_itself_and_nobody_paid(tmp_path: Path, network: Network, names: tuple[str, ...]) -> None:
    def unplugged(_asked: Asked) -> Reply:
        network.gone = True
        return closing(page(title="2"))

    with ScriptedSite() as site:
        site_of(site, 8, unplugged)
        crawl = crawl_of(tmp_path, site, *names)
        seen: list[tuple[str, str]] = []

        def plug_in() -> None:
            crawl.wait_until(lambda: session(crawl)[0] == "offline")
            seen.append(session(crawl))
            network.wait_for(5)
            site.answers["/p/2"] = closing(page(title="2"))
            network.gone = False

        assert crawl.run(plug_in).exit_status == 0
        assert len(site.asked) == 10 * len(names)
    assert seen[0][1].startswith("unreachable: ")
    assert seen[0][1].endswith("cannot be reached (Network is unreachable)")
    assert set(crawl.states().values()) == {"done"}
    assert crawl.rows("SELECT max(tries) FROM url") == [(0,)]
    assert crawl.rows("SELECT count(*) FROM page WHERE outcome <> 'ok'") == [(0,)]
    assert [line.partition(":")[0] for line in crawl.log("offline")] == ["Offline"]
    assert [line.partition(" after ")[0] for line in crawl.log("online")] == ["Online again"]
    assert crawl.status().state == "finished"
    assert crawl.status().reason == ""
    assert crawl.rows("SELECT DISTINCT state, unreachable_since FROM host") == [("", None)]


def test_what_timed_out_as_it_went_gets_its_try_back(tmp_path: Path, network: Network) -> None:
    """With no retries the page had failed for good before anybody could know."""
    never = threading.Event()

    def unplugged(_asked: Asked) -> Reply:
        network.gone = True
        return closing(page(title="2"), gate=never)

    with ScriptedSite() as site:
        site_of(site, 4, unplugged)
        seeds = Seeds(urls=(f"{site.at('a.test')}/",))
        settings = quick(seeds=seeds, fetch=fetch(resolve=TWO, timeout=0.5), politeness=politeness(per_host=1))
        crawl = Crawl(tmp_path, settings)

        def plug_in() -> None:
            crawl.wait_until(lambda: session(crawl)[0] == "offline")
            crawl.wait_until(lambda: "failed" not in crawl.states().values())
            site.answers["/p/2"] = closing(page(title="2"))
            network.gone = False

        assert crawl.run(plug_in).exit_status == 0
        never.set()
    assert set(crawl.states().values()) == {"done"}


def test_its_robots_txt_and_sitemaps_pay_nothing_either(tmp_path: Path, network: Network) -> None:
    """The network is gone from the start of a second session on, and every retry is spent on pages alone."""
    with ScriptedSite() as site:
        site_of(site, 3, lambda _asked: closing(page(title="2")))
        crawl = crawl_of(tmp_path, site, "a.test")
        crawl.run()
        site.answers["/map.txt"] = closing(f"{site.at('a.test')}/p/1\n".encode(), type="text/plain")
        crawl.change("UPDATE origin SET robots_due = 0")
        crawl.set(
            quick(
                fetch=fetch(resolve=TWO, timeout=5.0),
                seeds=Seeds(
                    urls=(f"{site.at('a.test')}/", f"{site.at('a.test')}/p/7"),
                    sitemaps=(site.at("a.test") + "/map.txt",),
                ),
            )
        )
        site.answers["/p/7"] = closing(page(title="7"))
        network.gone = True

        def plug_in() -> None:
            crawl.wait_until(lambda: session(crawl)[0] == "offline")
            network.wait_for(6)
            network.gone = False

        assert crawl.run(plug_in).exit_status == 0
    assert crawl.states()["/p/7"] == "done"
    assert crawl.rows("SELECT state FROM seed_source") == [("done",)]
    assert crawl.rows("SELECT robots_state FROM origin") == [("allow",)]


def test_after_its_time_the_run_ends_with_3_and_the_next_one_goes_on(tmp_path: Path, network: Network) -> None:
    def unplugged(_asked: Asked) -> Reply:
        network.gone = True
        return closing(page(title="2"))

    with ScriptedSite() as site:
        site_of(site, 8, unplugged)
        crawl = crawl_of(tmp_path, site, "a.test", unreachable_after=0.6)
        ending = crawl.run()
        assert (ending.exit_status, ending.reason.partition(":")[0]) == (3, "unreachable")
        assert "failed" not in crawl.states().values()
        assert crawl.status().state == "stopped"
        site.answers["/p/2"] = closing(page(title="2"))
        network.gone = False
        assert crawl.run().exit_status == 0
    assert set(crawl.states().values()) == {"done"}


def test_a_stop_is_obeyed_while_offline(tmp_path: Path, network: Network) -> None:
    def unplugged(_asked: Asked) -> Reply:
        network.gone = True
        return closing(page(title="2"))

    with ScriptedSite() as site:
        site_of(site, 8, unplugged)
        crawl = crawl_of(tmp_path, site, "a.test")

        def stop() -> None:
            crawl.wait_until(lambda: session(crawl)[0] == "offline")
            crawl.stop()

        assert (crawl.run(stop).reason, crawl.status().state) == ("stop", "stopped")


def test_a_dead_host_among_living_ones_holds_itself_alone(tmp_path: Path, network: Network) -> None:
    """5,000 URLs of a host that refuses connections: some probes, no try, and a run that ends with 3."""
    network.dead = frozenset({"b.test"})
    with ScriptedSite() as site:
        dead = [f"{site.at('b.test')}/{number}" for number in range(500)]
        site.answers["/"] = page("/a", *dead)
        site.answers["/a"] = page(title="A")
        settings = quick(
            f"{site.at('a.test')}/",
            f"{site.at('b.test')}/0",
            fetch=fetch(resolve=TWO, retries=2),
            politeness=politeness(robots=False),
        )
        crawl = Crawl(tmp_path, settings)
        ending = crawl.run()
        assert ending.reason == f"unreachable: 500 URLs left at {site.at('b.test')}, which cannot be reached"
    assert crawl.states()["/a"] == "done"
    assert crawl.rows("SELECT name, state, unreachable_since > 0 FROM host WHERE state <> ''") == [
        ("b.test", "unreachable", 1)
    ]
    assert network.tried.count("b.test") <= 2 + 4  # a first burst, and two probes
    assert crawl.rows("SELECT max(tries) FROM url") == [(0,)]
    assert crawl.log("offline") == []


def test_one_closed_port_says_nothing_of_the_others_of_its_host(tmp_path: Path) -> None:
    with ScriptedSite() as closed:
        port = closed.port
    with ScriptedSite() as site:
        site.answers["/"] = page(f"http://127.0.0.1:{port}/x", *(f"/p/{number}" for number in range(30)))
        site.answers |= {f"/p/{number}": page(title="P") for number in range(30)}
        seeds = (f"{site.root}/", f"http://127.0.0.1:{port}/y")
        crawl = Crawl(tmp_path, quick(*seeds, politeness=politeness(robots=False)))
        assert crawl.run().exit_status == 3
    states = crawl.states()
    assert {state for path, state in states.items() if path.startswith("/p/")} == {"done"}
    assert (states["/x"], states["/y"]) == ("blocked", "blocked")


@dataclass
class Machine:
    """A real one, that a test puts to sleep, stops, or whose calendar it turns."""

    stopped: float = 0.0
    slept: float = 0.0
    set_by: float = 0.0

    def clock(self) -> Clock:
        return Clock(self.monotonic, lambda: self.monotonic() + self.slept, lambda: time.time() + self.set_by)

    def monotonic(self) -> float:
        return time.monotonic() + self.stopped


@pytest.fixture
def _quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.engine.clock, "EVERY", 0.05)
    monkeypatch.setattr(core.engine.offline, "PROBE_EVERY", 0.1)


@pytest.mark.usefixtures("_quick_looks")
@pytest.mark.parametrize("away", ["slept", "stopped"])
def test_a_machine_that_was_away_fails_nothing_and_counts_no_running(tmp_path: Path, away: str) -> None:
    """What was in flight times out as it wakes; leases of an hour ago stand; a budget of seconds is not used up."""
    never, machine = threading.Event(), Machine()

    def first_time(asked: Asked) -> Reply:
        return Reply(page(title="P"), gate=None if asked.number else never)

    with ScriptedSite() as site:
        site.answers["/"] = page(*(f"/p/{number}" for number in range(6)))
        site.answers |= {f"/p/{number}": first_time for number in range(6)}
        settings = quick(f"{site.root}/", fetch=fetch(timeout=1.5), budgets=Budgets(max_seconds=30.0))
        crawl = Crawl(tmp_path, settings)

        def go_away() -> None:
            site.wait_for(lambda: len(site.asked) >= 6)  # robots.txt, /, and four at once
            setattr(machine, away, 7200.0)

        ending = crawl.run(go_away, clock=machine.clock())
        never.set()
        assert ending.exit_status == 0
    assert set(crawl.states().values()) == {"done"}
    assert crawl.rows("SELECT max(tries), max(reclaims) FROM url") == [(0, 0)]
    assert crawl.rows("SELECT count(*) FROM reclaimed") == [(0,)]
    assert crawl.status().elapsed < 30.0
    assert "for 7,2" in crawl.log("offline")[0]
    assert len(crawl.log("online")) == 1
    ((took,),) = crawl.rows("SELECT ended - started FROM session")
    assert took > 7200.0


@pytest.mark.usefixtures("_quick_looks")
@pytest.mark.parametrize("days", [1.0, -1.0])
def test_a_calendar_that_is_turned_by_a_day_moves_nothing(tmp_path: Path, days: float) -> None:
    """Retries wait as long as they would, the delay between two requests holds, no duration is negative."""
    machine = Machine()

    def turned(asked: Asked) -> Reply:
        machine.set_by = days * 86_400.0
        return Reply(page(title="P"), 200 if asked.number else 503, (("Retry-After", "0.3"),))

    with ScriptedSite() as site:
        site.answers["/"] = page("/a", "/b", "/c")
        site.answers |= {"/a": turned, "/b": page(title="B"), "/c": page(title="C")}
        paces = politeness(per_host=1, delay=0.1, adaptive=False)
        crawl = Crawl(tmp_path, quick(f"{site.root}/", fetch=fetch(retries=2), politeness=paces))
        assert crawl.run(clock=machine.clock()).exit_status == 0
        starts = [asked.at for asked in site.asked]
        assert all(later - earlier >= 0.09 for earlier, later in itertools.pairwise(starts))
        assert site.count("/a") == 2
    assert set(crawl.states().values()) == {"done"}
    assert crawl.rows("SELECT min(seconds) >= 0, min(ended - started) >= 0 FROM session") == [(1, 1)]
    assert crawl.rows("SELECT count(*) FROM sample WHERE pages_per_second < 0") == [(0,)]
    ((first, last),) = crawl.rows("SELECT min(last_fetched), max(last_fetched) FROM page")
    assert 0 <= last - first < DEADLINE
