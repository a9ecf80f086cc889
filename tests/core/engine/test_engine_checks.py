"""Content checks (7.7): a page that answers 200 and is none fails, and its host is asked more slowly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import Check, FieldRule, Pages, RecordType
from core.store.write.soft_blocks import SEVERAL
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

    from tests.core.engine.scripted_site import Asked

DENIED = b"<html><body><h1>Access denied</h1><a href='/captcha'>prove it</a><i class=sku>1</i></body></html>"
SOLD = b"<html><body><i class=sku>A-1</i> <a href='/next'>next</a></body></html>"
CHECKS = Pages(checks=(Check("/p/", must="class=sku", must_not="Access denied"),))
PRODUCT = RecordType("product", "/p/", key="sku", fields={"sku": FieldRule(css=".sku")})


def test_page_that_fails_a_check_is_a_soft_block_without_links_and_records(tmp_path: Path) -> None:
    with ScriptedSite(
        {"/": page("/p/1", "/p/2", "/other"), "/p/1": SOLD, "/p/2": DENIED, "/other": b"Access denied"}
    ) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", pages=CHECKS, records=(PRODUCT,)))
        crawl.run()
        urls = crawl.urls()
        assert (urls["/p/2"].state, urls["/p/2"].reason, urls["/p/2"].status) == ("failed", "soft-block", 200)
        assert (urls["/p/1"].state, urls["/other"].state) == ("done", "done")
        assert crawl.rows("SELECT natural_key FROM record") == [("A-1",)]
        assert crawl.rows("SELECT error, soft_block, useful FROM page WHERE soft_block") == [
            ("The page contains “Access denied”.", 1, 0)
        ]
        assert [line for line in crawl.log("page") if "Access denied" in line]
        assert "/captcha" not in urls


def test_host_of_soft_blocks_is_asked_more_slowly_and_several_raise_an_alarm(tmp_path: Path) -> None:
    paths = [f"/p/{number}" for number in range(SEVERAL)]
    with ScriptedSite({"/": page(*paths), **dict.fromkeys(paths, DENIED)}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", pages=CHECKS))
        crawl.run()
        ((delay, error),) = crawl.rows("SELECT delay, last_error FROM host")
        assert delay >= 0.5
        assert error == "soft-block: The page contains “Access denied”."
        (alarm,) = crawl.status().alarms
        assert (alarm.kind, alarm.host) == ("soft-block", "127.0.0.1")


def test_recrawl_takes_a_304_for_what_was_checked_and_asks_for_the_rest_whole(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Reply:
        if "if-none-match" in asked.headers:
            return Reply(status=304)
        return Reply(SOLD, headers=(("ETag", '"1"'),))

    with ScriptedSite({"/": page("/p/1"), "/p/1": answer}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        crawl.run(recrawl="all")
        assert crawl.rows("SELECT status FROM page WHERE url_id = 2") == [(304,)]
        crawl.set(quick(f"{site.root}/", pages=Pages(checks=(Check("/p/", must="class=price"),))))
        crawl.run(recrawl="all")
        found = crawl.urls()["/p/1"]
        assert (found.state, found.reason, found.status) == ("failed", "soft-block", 200)
