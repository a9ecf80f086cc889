"""Feeds in pages on their way into the frontier: followed once each, bounded, gone on with after a kill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from core.settings import Feed, Seeds
from core.store.read.snapshot import Snapshot
from core.store.read.tables import TableQuery
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings

ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
FORMS = ("rss", "atom", "json", "jsonl", "csv")
OPTIONS: dict[str, dict[str, str]] = {
    "rss": {"format": "rss"},
    "atom": {"format": "rss"},
    "json": {"format": "json", "path": "$.items[*].url"},
    "jsonl": {"format": "jsonl", "path": "url"},
    "csv": {"format": "csv"},
}


def body_of(form: str, url: str, following: str) -> str:
    """A page of a feed with one URL; JSON Lines and CSV say what follows in the head."""
    link = f'<link {ATOM} rel="next" href="{following}"/>' if following else ""
    if form == "rss":
        return f"<rss><channel>{link}<item><link>{url}</link></item></channel></rss>"
    if form == "atom":
        return f'<feed {ATOM}>{link}<entry><link href="{url}"/></entry></feed>'
    if form == "json":
        whole: dict[str, Any] = {"items": [{"url": url}], "next_url": following or None}
        return msgspec.json.encode(whole).decode()
    return f'{{"url": "{url}"}}\n' if form == "jsonl" else f"url\n{url}\n"


def feed_page(form: str, url: str, following: str = "") -> Reply:
    head = (("Link", f'<{following}>; rel="next", </feed>; rel="first"'),) if following else ()
    in_body = form in {"rss", "atom", "json"}
    return Reply(body_of(form, url, following).encode(), headers=() if in_body else head, type="text/plain")


def chain(form: str, pages: int) -> dict[str, object]:
    """A feed of so many pages, each with one URL, and the pages they name."""
    answers: dict[str, object] = {}
    for number in range(pages):
        here = f"/feed?page={number}" if number else "/feed"
        there = f"/feed?page={number + 1}" if number + 1 < pages else ""
        answers[here] = feed_page(form, f"/item/{number}", there)
        answers[f"/item/{number}"] = page(title=str(number))
    return answers


def settings(site: ScriptedSite, form: str, **sections: Any) -> CrawlSettings:
    feed = msgspec.convert({"url": f"{site.root}/feed", **OPTIONS[form]}, Feed)
    return quick(seeds=Seeds(feeds=(feed,)), **sections)


def feeds_asked(site: ScriptedSite) -> list[str]:
    return [target for target in site.targets() if target.startswith("/feed")]


@pytest.mark.parametrize("form", FORMS)
def test_a_feed_in_pages_is_read_to_its_last(tmp_path: Path, form: str) -> None:
    with ScriptedSite(chain(form, 5)) as site:
        crawl = Crawl(tmp_path, settings(site, form))
        assert crawl.run().exit_status == 0
        assert feeds_asked(site) == ["/feed", *(f"/feed?page={number}" for number in range(1, 5))]
    assert crawl.states() == {f"/item/{number}": "done" for number in range(5)}
    assert {row.depth for row in crawl.urls().values()} == {0}
    assert crawl.rows("SELECT DISTINCT kind, state, found FROM seed_source") == [("feed", "done", 1)]


def test_a_sitemap_that_is_a_feed_in_pages_is_read_to_its_last(tmp_path: Path) -> None:
    """Beyond the depth of indexes too."""
    with ScriptedSite(chain("atom", 7)) as site:
        crawl = Crawl(tmp_path, quick(seeds=Seeds(sitemaps=(f"{site.root}/feed",))))
        assert crawl.run().exit_status == 0
    assert len(crawl.states()) == 7


def test_pages_that_lead_round_in_a_circle_are_each_read_once(tmp_path: Path) -> None:
    with ScriptedSite(chain("json", 3)) as site:
        site.answers["/feed?page=2"] = feed_page("json", "/item/2", "/feed")
        crawl = Crawl(tmp_path, settings(site, "json"))
        assert crawl.run().exit_status == 0
        assert len(feeds_asked(site)) == 3


def test_pages_without_end_stop_at_the_bound_and_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.store.write.sources.MOST_PAGES", 4)
    with ScriptedSite(chain("csv", 9)) as site:
        crawl = Crawl(tmp_path, settings(site, "csv"))
        assert crawl.run().exit_status == 0
        assert len(feeds_asked(site)) == 4
    left = "Left out, because the source goes on too long: 1 further part."
    messages = [message for (message,) in crawl.rows("SELECT message FROM seed_source ORDER BY id")]
    assert [message.endswith(left) for message in messages] == [False, False, False, True]


@pytest.mark.parametrize("form", ["rss", "jsonl"])
def test_an_engine_that_ends_between_two_pages_goes_on_behind_the_one_it_read(tmp_path: Path, form: str) -> None:
    with ScriptedSite(chain(form, 6)) as site:
        crawl = Crawl(tmp_path, settings(site, form, politeness=politeness(per_host=1, concurrency=1)))

        def stop() -> None:
            site.wait_for(lambda: "/feed?page=2" in site.targets())
            crawl.stop()

        crawl.run(during=stop)
        stopped = feeds_asked(site)
        assert crawl.run().exit_status == 0
        asked = feeds_asked(site)
        assert asked[: len(stopped)] == stopped
        assert sorted(asked) == sorted(set(asked))
    assert len(crawl.states()) == len(asked) == 6


def test_a_page_that_fails_is_tried_again_and_the_feed_goes_on(tmp_path: Path) -> None:
    with ScriptedSite(chain("json", 3)) as site:
        second = site.answers["/feed?page=1"]
        assert isinstance(second, Reply)

        def answer(asked: Asked) -> Reply:
            return second if asked.number else Reply(b"", 503, (("Retry-After", "0"),))

        site.answers["/feed?page=1"] = answer
        paces = politeness(retry_after_max=0.2)
        crawl = Crawl(tmp_path, settings(site, "json", fetch=fetch(retries=1), politeness=paces))
        assert crawl.run().exit_status == 0
    assert len(crawl.states()) == 3


def test_a_page_of_a_feed_that_broke_off_is_read_when_the_settings_change(tmp_path: Path) -> None:
    with ScriptedSite(chain("json", 3)) as site:
        whole = site.answers.pop("/feed?page=1")
        crawl = Crawl(tmp_path, settings(site, "json"))
        crawl.run()
        assert len(crawl.states()) == 1
        site.answers["/feed?page=1"] = whole
        crawl.set(settings(site, "json", politeness=politeness(concurrency=3)))
        assert crawl.run().exit_status == 0
        assert site.count("/feed") == 1
    assert len(crawl.states()) == 3


def test_a_recrawl_follows_the_pages_of_today(tmp_path: Path) -> None:
    with ScriptedSite(chain("atom", 3)) as site:
        crawl = Crawl(tmp_path, settings(site, "atom"))
        assert crawl.run().exit_status == 0
        site.answers |= chain("atom", 4)
        assert crawl.run(recrawl="due").exit_status == 0
        asked = feeds_asked(site)
        assert [asked.count(f"/feed?page={number}") for number in range(1, 4)] == [2, 2, 1]
    assert len(crawl.states()) == 4


def test_the_next_page_of_another_origin_gets_no_credentials_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARTNER_KEY", "s3cret")
    with ScriptedSite({"/feed?page=1": feed_page("json", "/b")}) as other, ScriptedSite() as site:
        site.answers["/feed"] = feed_page("json", "/a", f"{other.root}/feed?page=1")
        headers = ({"origin": site.root, "name": "X-Api-Key", "value": "env:PARTNER_KEY"},)
        wanted = msgspec.convert({"retries": 0, "headers": headers}, type(fetch()))
        scope = msgspec.convert(
            {"hosts": [text.root.removeprefix("http://") for text in (site, other)]}, type(quick().scope)
        )
        Crawl(tmp_path, settings(site, "json", fetch=wanted, scope=scope)).run()
        assert [asked.headers.get("x-api-key") for asked in other.asked if asked.target != "/robots.txt"] == [None] * 2
        assert site.asked[0].headers.get("x-api-key") == "s3cret"


def test_a_next_page_at_a_private_address_that_nobody_wrote_is_not_asked(tmp_path: Path) -> None:
    with ScriptedSite({"/feed?page=1": feed_page("json", "/b")}) as other, ScriptedSite() as site:
        site.answers |= {"/feed": feed_page("json", "/a", f"{other.root}/feed?page=1"), "/a": page()}
        crawl = Crawl(tmp_path, settings(site, "json"))
        crawl.run()
        assert other.asked == []
    assert crawl.rows("SELECT state, message LIKE '%private%' FROM seed_source ORDER BY id") == [
        ("done", 0),
        ("failed", 1),
    ]


def test_the_pages_of_a_feed_are_one_line_among_the_seeds(tmp_path: Path) -> None:
    with ScriptedSite(chain("json", 4)) as site:
        crawl = Crawl(tmp_path, settings(site, "json"))
        assert crawl.run().exit_status == 0
    snapshot = Snapshot(crawl.path)
    snapshot.build(TableQuery("seeds", columns=("seed", "kind", "found", "new", "useful", "problem")))
    rows = [row.cells for row in snapshot.page(0)]
    snapshot.close()
    assert [cells[:5] for cells in rows] == [(f"{site.root}/feed", "feed", 4, 4, 4)]
