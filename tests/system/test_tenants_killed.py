"""Two tenants of one file, each killed with SIGKILL in the middle: both come to the end of their own crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.core.engine.crawl import Crawl, politeness
from tests.core.engine.scripted_site import ScriptedSite
from tests.core.engine.test_engine_tenants import kept, rows_of, settings_of, site_of_items
from tests.system.children import command, finish, kill, start

if TYPE_CHECKING:
    from pathlib import Path

TAKEN_BACK = ("url", "host")  # by the next start, whoever's: what was in flight is pending again


def killed_in_the_middle(crawl: Crawl, site: ScriptedSite) -> None:
    site.asked.clear()
    child = start("run", crawl.path)
    site.wait_for(lambda: len([target for target in site.targets() if target.startswith("/item/")]) > 1)
    kill(child)


def settled(crawl: Crawl, tenant: str) -> dict[str, list[tuple[object, ...]]]:
    return {table: found for table, found in rows_of(crawl, tenant).items() if table not in TAKEN_BACK}


def test_both_killed_in_the_middle_finish_as_if_they_were_alone(tmp_path: Path) -> None:
    slow = politeness(delay=0.2, per_host=1, concurrency=1)
    with ScriptedSite(site_of_items()) as site:
        alone = Crawl(tmp_path, settings_of(site, "a"), "alone.crawl")
        alone.run()
        crawl = Crawl(tmp_path, settings_of(site, "a", politeness=slow))
        killed_in_the_middle(crawl, site)
        of_a = settled(crawl, "a")
        assert 0 < len(of_a["record"]) < 5
        crawl.set(settings_of(site, "b", politeness=slow))
        killed_in_the_middle(crawl, site)
        assert settled(crawl, "a") == of_a
        of_b = settled(crawl, "b")
        crawl.set(settings_of(site, "a"))
        assert finish(start("run", crawl.path))[0] == 0
        assert settled(crawl, "b") == of_b
        of_a = rows_of(crawl, "a")
        crawl.set(settings_of(site, "b"))
        assert finish(start("run", crawl.path))[0] == 0
        assert rows_of(crawl, "a") == of_a
        assert kept(crawl, "a") == kept(crawl, "b") == kept(alone, "a")
        assert command("check", crawl.path)[0] == 0
