"""What keeping responses, the link graph and near duplicates costs: `python -m tests.bench.bench_features [pages]`.

Not a test. One crawl of pages of about 60 KB with everything on, one with everything off, in turns; CPU of the engine's
process alone, the site being another one. The aim is at most 1.6 times as much.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from core.engine.engine import Engine
from core.settings import Pages
from core.store.crawl_file import create
from tests.core.engine.crawl import politeness, quick
from tests.core.engine.scripted_site import ScriptedSite

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

PAGES = 400
WORDS = 1500
LINKS = 60
ROUNDS = 5
ON = Pages()
OFF = Pages(keep_responses=False, link_graph=False, near_duplicates=-1)
SINGLE = {
    "responses": Pages(keep_responses=True, link_graph=False, near_duplicates=-1),
    "links": Pages(keep_responses=False, link_graph=True, near_duplicates=-1),
    "near duplicates": Pages(keep_responses=False, link_graph=False, near_duplicates=6),
}


def article(number: int, pages: int) -> bytes:
    """About 60 KB, a sixth of it text, as pages are: the rest is markup and scripts."""
    chance = random.Random(number)
    words = [f"word{min(int(chance.paretovariate(0.3)), 50_000)}" for _ in range(WORDS)]
    paragraph = '<div class="row row-wide"><div class="col col-8 text text-body"><p class="text">{}</p></div></div>\n'
    text = "".join(paragraph.format(" ".join(words[at : at + 15])) for at in range(0, WORDS, 15))
    link = '<li class="nav-item nav-item-wide"><a class="nav-link text-muted" href="{}" data-track="{}">{}</a></li>\n'
    menu = "".join(link.format(f"/section/{each}", f"menu-{each}", f"Section {each}") for each in range(30))
    links = "".join(link.format(f"/a/{chance.randrange(pages)}", each, "Read more of this") for each in range(LINKS))
    script = "<script>" + "window.dataLayer.push({'event': 'view', 'of': 1});\n" * 400 + "</script>"
    body = (
        f"<nav><ul>{menu}</ul></nav><main><h1>{number}</h1>{text}<ul>{links}</ul></main><footer>About</footer>{script}"
    )
    return f"<!DOCTYPE html><html><head><title>{number}</title></head><body>{body}</body></html>".encode()


def serve(pages: int, told: Connection) -> None:
    answers: dict[str, object] = {f"/a/{number}": article(number, pages) for number in range(pages)}
    with ScriptedSite(answers) as site:
        told.send(site.root)
        told.recv()


def seconds(root: str, pages: Pages, count: int) -> float:
    """CPU of a crawl in this process, every thread of it."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.crawl"
        seeds = [f"{root}/a/{number}" for number in range(count)]
        create(path, quick(*seeds, pages=pages, politeness=politeness(robots=False, concurrency=8, per_host=8)))
        started = time.process_time()
        asyncio.run(Engine(path).run())
        return time.process_time() - started


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    here, there = multiprocessing.Pipe()
    site = multiprocessing.get_context("spawn").Process(target=serve, args=(count, there), daemon=True)
    site.start()
    root = here.recv()
    kinds = {"everything off": OFF, "everything on": ON, **SINGLE}
    seconds(root, ON, count)  # what is imported once
    taken: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(ROUNDS):
        for name, pages in kinds.items():
            taken[name].append(seconds(root, pages, count))
    here.send("enough")
    site.join()
    least = min(taken["everything off"])
    for name, times in taken.items():
        median = statistics.median(times)
        print(f"{name:16} {min(times) / count * 1000:6.2f} ms a page (median {median / count * 1000:6.2f}), ", end="")
        print(f"{min(times) / least:.2f} times everything off")


if __name__ == "__main__":
    main()
