"""The log tells a person what was decided and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import Budgets, Seeds
from core.store.write.remarks import MOST_FAILURES
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def test_robots_and_sitemaps_say_what_came_of_them(tmp_path: Path) -> None:
    with ScriptedSite({"/": page()}) as site:
        locations = f"<url><loc>{site.root}/</loc></url><url><loc>{site.root}/b</loc></url>"
        site.answers["/robots.txt"] = b"User-agent: *\nCrawl-delay: 0.01\n"
        site.answers["/map.xml"] = f"<urlset {SPACE}>{locations}</urlset>"
        seeds = Seeds(urls=(site.root + "/",), sitemaps=(site.root + "/map.xml",))
        crawl = Crawl(tmp_path, quick(seeds=seeds))
        crawl.run()

        assert crawl.log("robots") == [
            f"robots.txt of {site.root} was read: its rules are in force, Crawl-delay 0.01 s."
        ]
        assert crawl.log("sitemap") == [f"The sitemap {site.root}/map.xml brought 2 URLs, 1 of them new."]


def test_a_missing_robots_txt_and_a_broken_sitemap_are_told(tmp_path: Path) -> None:
    with ScriptedSite({"/": page()}) as site:
        seeds = Seeds(urls=(site.root + "/",), sitemaps=(site.root + "/map.xml",))
        crawl = Crawl(tmp_path, quick(seeds=seeds))
        crawl.run()

        assert crawl.log("robots") == [f"{site.root} has no robots.txt (status 404): everything may be fetched."]
        assert crawl.log("sitemap") == [f"The sitemap {site.root}/map.xml could not be read, given up: answered 404."]


def test_a_reached_limit_is_told_once_with_an_example(tmp_path: Path) -> None:
    links = [f"/{number}" for number in range(30)]
    with ScriptedSite({"/": page(*links)}) as site:
        crawl = Crawl(tmp_path, quick(site.root + "/", budgets=Budgets(max_pages_per_host=5)))
        crawl.run()

        assert crawl.log("limit") == [
            "The limit of URLs per host is reached: what is found beyond it is refused (host-limit)."
        ]


def test_failures_are_told_up_to_a_bound(tmp_path: Path) -> None:
    links = [f"/{number}" for number in range(MOST_FAILURES + 50)]
    with ScriptedSite({"/": page(*links)}) as site:
        crawl = Crawl(tmp_path, quick(site.root + "/", politeness=politeness(robots=False, per_host=8)))
        crawl.run()

        told = crawl.log("page")
        assert len(told) == MOST_FAILURES + 1
        assert told[-1] == "Further failures are in the table of URLs only."
        assert told[0] == "Failed. It answered 404."


def test_a_host_that_asks_for_a_rest_is_told(tmp_path: Path) -> None:
    def tired(asked: Asked) -> Reply:
        return Reply(page()) if asked.number else Reply(b"", 503, (("Retry-After", "1"),))

    with ScriptedSite({"/": tired}) as site:
        settings = quick(site.root + "/", politeness=politeness(robots=False), fetch=fetch(retries=1))
        crawl = Crawl(tmp_path, settings)
        crawl.run()

        assert crawl.log("host") == ["127.0.0.1 asked for a rest (status 503): no request for 1 s."]


def test_a_bad_seed_is_told(tmp_path: Path) -> None:
    with ScriptedSite({"/": page()}) as site:
        crawl = Crawl(tmp_path, quick(site.root + "/", "ftp://shop.test/"))
        crawl.run()

        (told,) = crawl.log("seed")
        assert told.startswith("The seed “ftp://shop.test/” was left out.")
