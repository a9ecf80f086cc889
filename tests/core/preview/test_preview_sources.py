"""What a source would bring, and which better ones a site has: counted, bounded, cancelled, and nothing raised."""

from __future__ import annotations

import asyncio
import threading
from datetime import date
from typing import TYPE_CHECKING

import msgspec
import pytest

from core.fetch.secrets import Secrets
from core.preview import Offer, SourcePreview, find_sources, preview_source
from core.settings import Archive, Authorisation, CrawlSettings, Feed, Scope, Seeds
from core.urls import Url, parse
from tests.core.engine.scripted_site import Reply, ScriptedSite, moved, page

if TYPE_CHECKING:
    from collections.abc import Sequence

SECRETS = Secrets({}, lambda _: None)
RSS = '<link rel="alternate" type="application/rss+xml" href="/news.rss">'


def urlset(*addresses: str) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{address}</loc></url>' for address in addresses)}</urlset>".encode()


def index(*addresses: str) -> bytes:
    rows = "".join(f"<sitemap><loc>{address}</loc></sitemap>" for address in addresses)
    return f"<sitemapindex>{rows}</sitemapindex>".encode()


def url(text: str) -> Url:
    parsed = parse(text)
    assert isinstance(parsed, Url)
    return parsed


def offers(site: ScriptedSite, seconds: float = 20.0) -> list[Offer]:
    return asyncio.run(find_sources(url(f"{site.root}/shop/"), CrawlSettings(), SECRETS, seconds))


def preview(
    source: str | Feed | Archive,
    settings: CrawlSettings | None = None,
    known: Sequence[str] = (),
    seconds: float = 20.0,
) -> SourcePreview:
    def which(keys: Sequence[str]) -> set[str]:
        assert len(keys) <= 1000
        return set(keys) & set(known)

    return asyncio.run(preview_source(source, settings or CrawlSettings(), which, SECRETS, seconds))


def test_a_site_s_sources_are_offered_with_what_each_would_bring() -> None:
    with ScriptedSite() as site:
        root = site.root
        site.answers |= {
            "/robots.txt": f"Sitemap: {root}/index.xml\nSitemap: /missing.xml\n",
            "/index.xml": index(f"{root}/one.xml", f"{root}/two.xml"),
            "/one.xml": urlset(f"{root}/a", f"{root}/b"),
            "/two.xml": urlset(f"{root}/b", f"{root}/c"),
            "/sitemap.xml": urlset(f"{root}/a"),
            "/shop/": page("/a", head=f'{RSS}<link rel="alternate" hreflang="de" href="/de">'),
            "/news.rss": f"<rss><channel><item><link>{root}/n</link></item></channel></rss>",
        }
        assert offers(site) == [
            Offer("sitemap", f"{root}/index.xml", 3),
            Offer("sitemap", f"{root}/sitemap.xml", 1),
            Offer("sitemap", f"{root}/missing.xml", 0, "It answered 404."),
            Offer("feed", f"{root}/news.rss", 1),
        ]


def test_a_json_feed_is_offered_as_it_is_read() -> None:
    with ScriptedSite() as site:
        link = '<link rel="alternate" type="application/feed+json" href="/feed.json">'
        site.answers |= {
            "/shop/": page("/a", head=link),
            "/feed.json": '{"items": [{"url": "/a"}], "next_url": "/feed.json?p=2"}',
            "/feed.json?p=2": '{"items": [{"url": "/b"}]}',
        }
        (offer,) = offers(site)
        feed = Feed(url=f"{site.root}/feed.json", format="json", path="$.items[*].url")
    assert offer == Offer("feed", feed.url, 2, feed=feed)
    assert offer.added_to(CrawlSettings()).seeds == Seeds(feeds=(feed,))


def test_a_site_without_sources_has_none_to_offer() -> None:
    with ScriptedSite({"/shop/": page()}) as site:
        assert offers(site) == []


def test_redirects_are_followed_on_the_way_to_a_source() -> None:
    with ScriptedSite() as site:
        site.answers |= {"/sitemap.xml": moved("/real.xml"), "/real.xml": urlset("/a", "/b")}
        assert offers(site) == [Offer("sitemap", f"{site.root}/sitemap.xml", 2)]


def test_an_index_of_many_parts_is_counted_as_far_as_it_was_read() -> None:
    with ScriptedSite() as site:
        parts = [f"/{number}.xml" for number in range(50)]
        site.answers |= {"/sitemap.xml": index(*(site.root + part for part in parts))}
        site.answers |= {part: urlset(f"{site.root}/page{part}") for part in parts}
        (offer,) = offers(site)
    assert (offer.count, offer.note) == (19, "At least: 20 of 51 parts were read.")


def test_a_slow_site_is_offered_as_far_as_it_came_within_the_deadline() -> None:
    gate = threading.Event()
    with ScriptedSite() as site:
        site.answers |= {
            "/sitemap.xml": index(f"{site.root}/one.xml", f"{site.root}/two.xml"),
            "/one.xml": urlset(f"{site.root}/a"),
            "/two.xml": Reply(urlset(f"{site.root}/b"), gate=gate),
        }
        (offer,) = offers(site, seconds=1.0)
        gate.set()
    assert (offer.count, offer.note) == (1, "At least: the time was over.")


def test_a_search_can_be_cancelled() -> None:
    gate = threading.Event()

    async def run(site: ScriptedSite) -> None:
        search = asyncio.create_task(find_sources(url(site.root), CrawlSettings(), SECRETS))
        await asyncio.to_thread(site.wait_for, lambda: bool(site.asked))
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search

    with ScriptedSite({"/robots.txt": Reply(gate=gate)}) as site:
        asyncio.run(run(site))
        gate.set()


def test_an_offer_is_taken_up_once() -> None:
    sitemap, feed = Offer("sitemap", "http://shop.test/s.xml", 3), Offer("feed", "http://shop.test/rss", 1)
    settings = feed.added_to(sitemap.added_to(CrawlSettings(name="Shop")))
    assert settings.seeds == Seeds(
        sitemaps=("http://shop.test/s.xml",), feeds=(Feed(url="http://shop.test/rss", format="rss"),)
    )
    assert feed.added_to(sitemap.added_to(settings)) == settings


def test_a_preview_tells_new_known_and_refused_urls_apart() -> None:
    with ScriptedSite() as site:
        root = site.root
        addresses = (f"{root}/a", f"{root}/a#top", f"{root}/known", f"{root}/calendar/1", "http://other.test/x")
        site.answers["/s.xml"] = urlset(*addresses)
        settings = CrawlSettings(scope=Scope(exclude=("/calendar/",)))
        found = preview(f"{root}/s.xml", settings, known=(f"{root}/known",))
        assert found == SourcePreview("sitemap", f"{root}/s.xml", 4, 2, 1, (f"{root}/a",))


def test_a_feed_is_previewed_as_its_settings_read_it() -> None:
    with ScriptedSite() as site:
        site.answers["/feed"] = msgspec.json.encode({"items": [{"url": f"{site.root}/a"}]})
        good = preview(Feed(url=f"{site.root}/feed", format="json", path="$.items[*].url"))
        bad = preview(Feed(url=f"{site.root}/feed", format="json", path="$.offers[*].url"))
    assert (good.kind, good.new, good.problem) == ("feed", 1, "")
    assert (bad.found, bad.problem) == (0, "Nothing stands at the path $.offers[*].url.")


def test_an_archive_is_previewed_over_its_pages() -> None:
    with ScriptedSite() as site:
        first = "/cdx?url=127.0.0.1/*&output=json&fl=url,status,mime&filter=~status:2..&filter=%3Dmime:text/html"
        site.answers |= {f"{first}&page=0&showNumPages=true": b'{"pages": 2}'}
        site.answers |= {
            f"{first}&page={number}": msgspec.json.encode({"url": f"{site.root}/{number}"}) for number in range(2)
        }
        found = preview(Archive(endpoint=f"{site.root}/cdx", form="common-crawl", query="127.0.0.1"))
    assert (found.kind, found.found, found.new, found.problem) == ("archive", 2, 2, "")


@pytest.mark.parametrize("source", ["nowhere", "ftp://shop.test/", "auto"])
def test_what_is_no_address_has_a_problem(source: str) -> None:
    assert preview(source).problem


def test_a_source_that_cannot_be_had_has_a_problem() -> None:
    with ScriptedSite({"/login": "<html>Log in</html>"}) as site:
        assert preview(f"{site.root}/none.xml").problem == "It answered 404."
        assert preview(f"{site.root}/login").problem == "This is not a sitemap."


def test_a_large_source_is_asked_about_in_pieces() -> None:
    with ScriptedSite() as site:
        site.answers["/s.xml"] = urlset(*(f"{site.root}/{number}" for number in range(2500)))
        found = preview(f"{site.root}/s.xml")
    assert (found.new, len(found.examples)) == (2500, 20)


@pytest.mark.parametrize(
    ("options", "pages"),
    [
        (
            {"format": "json", "path": "$.items[*].url"},
            '{{"items": [{{"url": "/{here}"}}], "next_url": "/feed?{there}"}}',
        ),
        (
            {"format": "rss"},
            '<feed><link rel="next" href="/feed?{there}"/><entry><link href="/{here}"/></entry></feed>',
        ),
        ({"format": "csv"}, "url\n/{here}\n"),
    ],
)
def test_the_pages_of_a_feed_are_counted_as_far_as_they_were_read(options: dict[str, str], pages: str) -> None:
    with ScriptedSite() as site:
        for number in range(30):
            body = pages.format(here=number, there=number + 1).encode()
            link = (("Link", f'</feed?{number + 1}>; rel="next"'),)
            site.answers[f"/feed?{number}" if number else "/feed"] = Reply(body, headers=link)
        found = preview(msgspec.convert({"url": f"{site.root}/feed", **options}, Feed))
        assert len(site.asked) == 20
    assert (found.found, found.new, found.note) == (20, 20, "At least: 20 of 21 parts were read.")


def test_pages_of_a_feed_that_lead_round_in_a_circle_are_read_once() -> None:
    with ScriptedSite() as site:
        for here, there in (("/feed", "/2"), ("/2", "/feed")):
            site.answers[here] = f'<feed><link rel="next" href="{there}"/><entry><link href="{here}x"/></entry></feed>'
        found = preview(Feed(url=f"{site.root}/feed", format="rss"))
        assert site.targets() == ["/feed", "/2"]
    assert (found.found, found.note, found.problem) == (2, "", "")


def test_a_feed_that_hangs_at_its_second_page_counts_the_first() -> None:
    gate = threading.Event()
    with ScriptedSite() as site:
        site.answers |= {
            "/feed": Reply(b"url\n/a\n", headers=(("Link", "</2>; rel=next"),)),
            "/2": Reply(b"url\n/b\n", gate=gate),
        }
        found = preview(Feed(url=f"{site.root}/feed", format="csv"), seconds=1.0)
        gate.set()
    assert (found.found, found.note) == (1, "At least: the time was over.")


def over(host: str, *listed: str) -> CrawlSettings:
    """Settings by which nothing may be asked of a host any more."""
    authorised = (Authorisation(host=host, by="contract 7", until=date(2020, 1, 31)),)
    return CrawlSettings(scope=Scope(hosts=(host, *listed), authorised=authorised))


SENTENCE = "Nothing may be asked of localhost (authorisation: until 2020-01-31)."


def test_a_source_of_a_host_whose_authorisation_is_over_is_not_asked() -> None:
    with ScriptedSite({"/s.xml": urlset("/a")}) as site:
        found = preview(f"{site.at('localhost')}/s.xml", over(f"localhost:{site.port}"))
        assert site.asked == []
    assert (found.found, found.problem) == (0, SENTENCE)


@pytest.mark.parametrize("lasting", [False, True])
def test_no_redirect_leads_a_preview_to_such_a_host(lasting: bool) -> None:
    with ScriptedSite({"/t.xml": urlset("/a")}) as site:
        host = f"localhost:{site.port}"
        site.answers["/s.xml"] = moved(f"http://{host}/t.xml")
        settings = CrawlSettings(scope=Scope(hosts=(host,))) if lasting else over(host)
        found = preview(f"{site.root}/s.xml", settings)
        assert site.targets("localhost") == (["/t.xml"] if lasting else [])
    assert (found.found, found.problem) == ((1, "") if lasting else (0, SENTENCE))


def test_a_preview_reaches_no_private_address_that_nobody_wrote() -> None:
    with ScriptedSite({"/t.xml": urlset("/a")}) as site:
        site.answers |= {
            "/s.xml": moved(f"{site.at('localhost')}/t.xml"),
            "/i.xml": index(f"{site.at('localhost')}/t.xml"),
            "/feed": f'<feed><link rel="next" href="{site.at("localhost")}/t.xml"/></feed>',
        }
        for source in (f"{site.root}/s.xml", f"{site.root}/i.xml", Feed(url=f"{site.root}/feed", format="rss")):
            assert "private" in preview(source).problem
        assert site.targets("localhost") == []


def test_a_preview_asks_nothing_of_a_blocked_host() -> None:
    with ScriptedSite({"/t.xml": urlset("/a")}) as site:
        host = f"localhost:{site.port}"
        site.answers["/s.xml"] = moved(f"http://{host}/t.xml")
        found = preview(f"{site.root}/s.xml", CrawlSettings(scope=Scope(hosts=(host,), block_hosts=("localhost",))))
        assert site.targets("localhost") == []
    assert found.problem == "Nothing may be asked of localhost (block-host)."


def test_better_sources_are_not_looked_for_at_a_host_whose_authorisation_is_over() -> None:
    with ScriptedSite({"/sitemap.xml": urlset("/a")}) as site:
        place = url(f"{site.at('localhost')}/")
        assert asyncio.run(find_sources(place, over(f"localhost:{site.port}"), SECRETS)) == []
        assert site.asked == []
