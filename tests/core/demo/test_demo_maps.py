"""robots.txt, sitemaps and the feed: well-formed, complete, and dated by the rounds."""

from __future__ import annotations

import gzip
import urllib.robotparser

from lxml import etree

from core.demo.change import changed_at, version_of
from core.demo.options import SiteOptions
from core.demo.pages import Pages

SITE = "127.0.0.1:8001"
ROOT = f"http://{SITE}"
SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def pages_of(**values: object) -> Pages:
    return Pages(SiteOptions(listings=5, per_listing=4, **values), (SITE,))  # type: ignore[arg-type]  # values by name


def locations(body: bytes) -> list[str]:
    return [element.text or "" for element in etree.fromstring(body).iter(f"{SPACE}loc")]


def test_robots_forbids_private_and_names_the_sitemap() -> None:
    rules = urllib.robotparser.RobotFileParser()
    rules.parse(pages_of(crawl_delay=2).page(0, "/robots.txt").body.decode().splitlines())
    assert not rules.can_fetch("Fronteira", f"{ROOT}/private/1")
    assert rules.can_fetch("Fronteira", f"{ROOT}/list/0")
    assert str(rules.crawl_delay("Fronteira")) == "2"
    assert rules.site_maps() == [f"{ROOT}/sitemap.xml"]


def test_robots_can_be_unavailable() -> None:
    assert pages_of(robots_status=503).page(0, "/robots.txt").status == 503


def test_sitemaps_name_every_page_once() -> None:
    pages = pages_of(sitemap_size=7)
    parts = locations(pages.page(0, "/sitemap.xml").body)
    assert [part.removeprefix(ROOT) for part in parts] == [
        "/sitemap-0.xml.gz",
        "/sitemap-1.xml",
        "/sitemap-2.xml.gz",
        "/sitemap-3.xml",
        "/sitemap.txt",
    ]
    named = []
    for part in parts[:-1]:
        body = pages.page(0, part.removeprefix(ROOT)).body
        named += locations(gzip.decompress(body) if part.endswith(".gz") else body)
    assert len(named) == len(set(named)) == 25
    assert all(pages.page(0, url.removeprefix(ROOT)).status == 200 for url in named)


def test_lastmod_is_the_day_of_the_last_change() -> None:
    pages = pages_of(change_rate=0.5, round=4)
    tree = etree.fromstring(gzip.decompress(pages.page(0, "/sitemap-0.xml.gz").body))
    dates = {row.findtext(f"{SPACE}loc"): row.findtext(f"{SPACE}lastmod") for row in tree}
    versions = {version_of(pages.options, 0, f"/product/{n}") for n in range(20)}
    assert len(versions) > 2
    for n in range(20):
        expected = changed_at(version_of(pages.options, 0, f"/product/{n}")).isoformat()
        assert dates[f"{ROOT}/product/{n}"] == expected


def test_text_list_and_feed_name_real_pages() -> None:
    pages = pages_of()
    listed = pages.page(0, "/sitemap.txt").body.decode().split()
    feed = etree.fromstring(pages.page(0, "/feed.xml").body)
    fed = [element.text or "" for element in feed.iter("guid")]
    assert len(listed) == 25
    assert len(fed) == 20
    assert all(pages.page(0, url.removeprefix(ROOT)).status == 200 for url in listed + fed)


def test_there_is_no_sitemap_beyond_the_last() -> None:
    pages = pages_of()
    assert [pages.page(0, f"/sitemap-{name}").status for name in ("0.xml", "1.xml", "0.xml.gz")] == [404, 404, 200]
