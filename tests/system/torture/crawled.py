"""A real engine let loose on the hostile site, and what is left of it: a log, a file, an exit status."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from core.settings import Budgets, CrawlSettings, Fetch, Header, PatternBudget, Politeness, Scope, Seeds
from core.store.crawl_file import create
from core.store.names import UrlState
from tests.system.children import finish, start
from tests.system.torture.certificates import trust
from tests.system.torture.credential_faults import TOKEN

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping

    from tests.system.torture.fault import Fault
    from tests.system.torture.site import Site

LOOK_EVERY = 0.05  # seconds
MOST_HOPS = 20


@dataclass(frozen=True, slots=True)
class Crawled:
    """`urls` is each known URL with its state, outcome and the target of its redirect; sizes are in megabytes."""

    exit_status: int
    told: str
    seconds: float
    growth: float
    urls: Mapping[str, tuple[str, str, str]]
    refused: Mapping[str, str]
    sources: Mapping[str, tuple[str, str]]
    lag: float
    unforeseen: tuple[str, ...]

    def outcome(self, url: str) -> str:
        """What stands in the file of an address; a redirect counts as the end of its chain."""
        for _ in range(MOST_HOPS):
            if url not in self.urls:
                return "error:blocked" if url in self.refused else "not_requested"
            state, outcome, target = self.urls[url]
            if state == "blocked":
                return "error:blocked"
            if state in {"pending", "waiting", "leased"}:
                return "bounded"
            if outcome != "redirect":
                return outcome
            url = target
        return "error:redirect"


def settings(site: Site, folder: Path, *, timeout: float, retries: int) -> CrawlSettings:
    """Everything but the private service is in scope; no host is spared, for all of them are one."""
    hosts = [f"{site.host(name)}:{site.port(name)}" for name in site.listeners if name != "internal"]
    hosts += [each.removeprefix("http://") for each in (site.closed, site.full)]
    return CrawlSettings(
        name="Torture",
        seeds=Seeds(urls=(site.url("a", "/"),), sitemaps=("auto",)),
        scope=Scope(hosts=tuple(hosts)),
        budgets=Budgets(max_depth=5, patterns=(PatternBudget(pattern="/trap/", max_pages=300),)),
        politeness=Politeness(
            delay=0.0,
            per_host=16,
            concurrency=32,
            adaptive=False,
            retry_after_max=1,
            crawl_delay_max=0.01,
        ),
        fetch=Fetch(
            timeout=timeout,
            retries=retries,
            ca_file=str(trust(folder)),
            headers=(Header(origin=site.url("a"), name="Authorization", value="env:TORTURE_TOKEN"),),
        ),
    )


def crawl(site: Site, folder: Path, *, timeout: float, retries: int, deadline: float) -> Crawled:
    """Run an engine to its end; it is killed, and the test fails, where it finds none."""
    path = folder / "torture.crawl"
    create(path, settings(site, folder, timeout=timeout, retries=retries))
    began = time.monotonic()
    child = start("run", path, env={**os.environ, "TORTURE_TOKEN": TOKEN})
    growth = _watched(child, began + deadline)
    status, _, told = finish(child)
    return _read(path, status, told, time.monotonic() - began, growth)


def _watched(child: subprocess.Popen[str], until: float) -> float:
    """By how many megabytes the process and its children grew, until it has ended."""
    first = most = 0.0
    while child.poll() is None:
        if time.monotonic() > until:
            child.kill()
            raise AssertionError("the engine found no end")
        now = resident(child.pid)
        first, most = first or now, max(most, now)
        time.sleep(LOOK_EVERY)
    return most - first


def resident(pid: int) -> float:
    """Megabytes of memory of a process and its children; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0.0
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, IndexError):
        return 0.0  # it has just ended
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20) + sum(resident(int(child)) for child in children)


def _read(path: Path, status: int, told: str, seconds: float, growth: float) -> Crawled:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.execute("PRAGMA query_only=1")

    def rows(sql: str) -> list[tuple[Any, ...]]:
        return connection.execute(sql).fetchall()

    urls = rows(
        "SELECT origin.base || path, state, coalesce(outcome, ''), coalesce(redirect_to, '') FROM url "
        "JOIN origin ON origin.id = origin_id LEFT JOIN page ON page.url_id = url.id"
    )
    sources = rows("SELECT address, state, message FROM seed_source")
    ((lag,),) = rows("SELECT message FROM log WHERE kind = 'lag'")
    crawled = Crawled(
        *(status, told, seconds, growth),
        urls={url: (UrlState(state).label, outcome, target) for url, state, outcome, target in urls},
        refused=dict(rows("SELECT url, reason FROM refused")),
        sources={address: (state, message) for address, state, message in sources},
        lag=float(lag.partition("longer than ")[2].partition(" s")[0]),
        unforeseen=tuple(error for (error,) in rows("SELECT error FROM page WHERE error LIKE '%unforeseen%'")),
    )
    connection.close()
    return crawled


def of_sitemap(fault: Fault, site: Site, crawled: Crawled) -> str:
    """A sitemap's state in the words of outcomes."""
    state, message = crawled.sources[site.address(fault)]
    if state == "failed":
        return "error:parse"
    return "truncated" if "Only the first" in message else "bounded" if fault.trap else "ok"
