"""What storing a page costs, with few and with many known URLs. Run by hand: python tests/bench/bench_writer.py [URLS]

A step costs at most 1.5 times at a large frontier what it costs at ten thousand known URLs.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import msgspec

from core.settings import CrawlSettings
from core.store.crawl_file import create
from core.store.results import Answer, FoundLink, Pace, PageResult, Parsed
from core.store.write.writer import Writer
from core.urls import Url, url_key

if TYPE_CHECKING:
    from collections.abc import Iterator

FEW = 10_000
MANY = 1_000_000
PAGES = 2000
LINKS = 40  # a page; nine of ten are known
SHARED = 20  # of them lead to the pages that every page of a site leads to
NAVIGATION = 2000
BATCH = 16
HOSTS = 20
NOON = 1_800_000_000.0
FIXED: dict[str, object] = {
    "seeds": {"urls": ["http://h0.test/"]},
    "scope": {"hosts": [f"h{number}.test" for number in range(HOSTS)]},
    "budgets": {"max_depth": 0, "max_pages_per_host": 0, "max_parameter_sets": 0},
    "politeness": {"robots": False, "delay": 0.0, "per_host": 16, "concurrency": BATCH},
    "pages": {"keep_responses": False},
}


def url(number: int) -> Url:
    return Url("http", f"h{number % HOSTS}.test", 80, f"/shelf/{number % 997}/product-{number}")


def filled(path: Path, known: int) -> None:
    """A file with so many pending URLs, written past the writer."""
    create(path, msgspec.convert(FIXED, CrawlSettings))
    connection = apsw.Connection(str(path))
    connection.execute("BEGIN")
    for host in range(HOSTS):
        name = f"h{host}.test"
        pending = len(range(host, known, HOSTS))
        connection.execute(
            "INSERT INTO host(id, tenant, name, pending) VALUES (?, 'default', ?, ?)", (host + 1, name, pending)
        )
        connection.execute(
            "INSERT INTO origin(id, host_id, scheme, port, base) VALUES (?1, ?1, 'http', 80, ?2)",
            (host + 1, f"http://{name}"),
        )
    connection.executemany(
        "INSERT INTO url(host_id, origin_id, key, path, state, front, depth, first_seen) "
        "VALUES (?1, ?1, ?2, ?3, 0, 1, 3, 0)",
        rows(known),
    )
    connection.execute("COMMIT")
    connection.close()


def rows(known: int) -> Iterator[tuple[int, int, str]]:
    for number in range(known):
        found = url(number)
        yield number % HOSTS + 1, url_key(found), found.target


def page_cost(path: Path, known: int) -> float:
    """Milliseconds of processor time for each of PAGES pages."""
    writer = Writer(path)
    chance = random.Random(1)
    now = 1000.0
    writer.begin(1, now, NOON)
    fresh = known
    turn = writer.cycle([], now, NOON, granting=True)
    results: list[PageResult] = []
    stored, spent = 0, 0.0
    while stored < PAGES:
        results.clear()
        for work in turn.work:
            links = []
            for step in range(LINKS):
                fresh += HOSTS * (step % 10 == 0)
                nearest = NAVIGATION if step < SHARED else known
                place = fresh if step % 10 == 0 else chance.randrange(nearest)
                found = url(place - place % HOSTS + work.host - 1)  # most links of a page lead to its own host
                links.append(FoundLink(found, found, "A product"))
            parsed = Parsed("Title", content_hash=fresh.to_bytes(16, "big"), links=tuple(links))
            answer = Answer(NOON, 200, "ok", "text/html", 9000, 60_000, 0.1)
            results.append(PageResult(work, answer, Pace(0.0), accepted=True, parsed=parsed))
        now += 0.02
        started = time.process_time()
        turn = writer.cycle(results, now, NOON + now, granting=True)
        spent += time.process_time() - started
        stored += len(results)
    writer.close()
    return spent / stored * 1e3


def main() -> None:
    many = int(sys.argv[1]) if len(sys.argv) > 1 else MANY
    costs = []
    for known in (FEW, many):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bench.crawl"
            filled(path, known)
            costs.append(page_cost(path, known))
            sys.stdout.write(f"{known:>12,} known URLs: {costs[-1]:.3f} ms a page of {LINKS} links\n")
    sys.stdout.write(f"{'ratio':>23}: {costs[1] / costs[0]:.2f} (at most 1.5)\n")


if __name__ == "__main__":
    main()
