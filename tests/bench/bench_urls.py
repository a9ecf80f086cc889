"""What URL work costs in CPU: run `python tests/bench/bench_urls.py` from the project's root. Not a timed test.

Targets: parse, fetch form and key form of a common URL in 10 microseconds; the 80 links of a page in 400.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.urls import Resolver, Rules, Url, fetch_form, key_form, parse, url_key

if TYPE_CHECKING:
    from collections.abc import Callable

RULES = Rules()
URLS = {
    "plain": "https://www.example.test/products/shoes/42",
    "query": "https://www.example.test/list?page=2&sort=price&color=red",
    "tracking": "https://www.example.test/p/1?b=2&utm_source=x&a=1#top",
    "escapes": "https://www.example.test/caf%C3%A9?q=%E2%82%AC",
    "lower hex": "https://www.example.test/caf%c3%a9?q=a%20b",
    "all of it": "https://www.example.test/caf%c3%a9?b=a%2fb&utm_source=x&a=1#top",
    "upper host": "HTTP://Example.TEST:80/a/../b",
    "IDN": "http://bücher.test/straße",
}


def main() -> None:
    """Print one line a kind of URL, the best of several rounds each."""
    for name, text in URLS.items():
        show(name, best(partial(both_forms, text)), 10)
    base = parse("http://shop.test:8700/list/3?page=2")
    if not isinstance(base, Url):
        raise SystemExit("the base is no URL")
    hrefs = links_of_a_page()
    show("80 links of a page", best(lambda: all_links(base, hrefs), rounds=20), 400)
    key = key_form(base, RULES)
    show("url_key", best(lambda: url_key(key)), 1)


def both_forms(text: str) -> Url:
    """Parse, fetch form, key form, as a seed or a sitemap entry goes through them."""
    url = parse(text)
    if not isinstance(url, Url):
        raise SystemExit(f"{text} was rejected")
    fetch_form(url, RULES)
    return key_form(url, RULES)


def links_of_a_page() -> list[str]:
    """Eighty different hrefs in the mix of a shop's listing page."""
    hrefs = [f"/product/{number}" for number in range(40)]
    hrefs += [f"http://shop.test:8700/product/{number}" for number in range(20)]
    hrefs += [f"/list/{number}?sort=price&page=2" for number in range(12)]
    hrefs += [f"?page={number}" for number in range(4)]
    return [*hrefs, "../about.html", "contact.html", "https://other.test/x", "mailto:shop@shop.test"]


def all_links(base: Url, hrefs: list[str]) -> None:
    """One page's way: a fresh resolver, every link once."""
    resolve = Resolver(base, RULES).resolve
    for href in hrefs:
        resolve(href)


def best(work: Callable[[], object], rounds: int = 500, repeats: int = 100) -> float:
    """Microseconds of CPU a call, the least of many short repeats: the machine may be busy with others."""
    spent = []
    for _ in range(repeats):
        start = time.process_time_ns()
        for _ in range(rounds):
            work()
        spent.append((time.process_time_ns() - start) / rounds / 1000)
    return min(spent)


def show(name: str, microseconds: float, target: float) -> None:
    """One line a person can read."""
    print(f"{name:20} {microseconds:8.2f} microseconds (target {target:g})")


if __name__ == "__main__":
    main()
