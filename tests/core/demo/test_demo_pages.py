"""The pages: repeatable, as heavy as asked, exact in number, and endless only in the trap."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.demo.options import SiteOptions
from core.demo.pages import Pages

SITES = ("127.0.0.1:8001", "127.0.0.1:8002", "127.0.0.1:8003")
TARGETS = ("/", "/list/1", "/product/7", "/alias/3", "/trap/", "/trap/calendar/2026/12", "/robots.txt", "/sitemap.xml")
ODD = SiteOptions(
    listings=5,
    per_listing=40,
    dead_rate=1,
    redirect_rate=1,
    alias_rate=1,
    tracking_rate=1,
    spelling_rate=1,
    nofollow_rate=1,
    private_rate=1,
)
PLAIN_PAGES = Pages(SiteOptions(), SITES[:1])


def links_of(body: bytes) -> list[str]:
    return [link.replace("&amp;", "&") for link in re.findall(r'<a [^>]*href="([^"]*)"', body.decode())]


def crawl(pages: Pages, start: str, limit: int = 5000) -> dict[str, int]:
    """Every URL of all hosts that can be reached, with its status."""
    found: dict[str, int] = {}
    waiting = [start]
    while waiting and len(found) < limit:
        url = waiting.pop()
        if url in found:
            continue
        site, _, path = url.removeprefix("http://").partition("/")
        page = pages.page(SITES.index(site), "/" + path)
        found[url] = page.status
        waiting += [urljoin(url, link).partition("#")[0] for link in links_of(page.body)]
        waiting = [link for link in waiting if link.startswith("http://127.0.0.1")]
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_same_seed_gives_same_bytes(target: str) -> None:
    assert Pages(SiteOptions(), SITES[:1]).page(0, target) == PLAIN_PAGES.page(0, target)


@pytest.mark.parametrize("target", ["/", "/list/1", "/product/7", "/trap/visit"])
def test_another_seed_gives_other_bytes(target: str) -> None:
    assert Pages(SiteOptions(seed=2), SITES[:1]).page(0, target).body != PLAIN_PAGES.page(0, target).body


@pytest.mark.parametrize("weight", [2, 5, 10, 40, 100])
@pytest.mark.parametrize("target", ["/list/3", "/product/77", "/p/9"])
def test_pages_are_as_heavy_as_asked(weight: int, target: str) -> None:
    page = Pages(SiteOptions(weight=weight, front="web"), SITES[:1]).page(0, target)
    assert page.status == 200
    assert abs(len(page.body) - weight * 1024) <= 0.2 * weight * 1024


@pytest.mark.parametrize("weight", [2, 12])
def test_shop_holds_exactly_its_listings_and_products(weight: int) -> None:
    options = SiteOptions(listings=5, per_listing=4, weight=weight)
    pages = Pages(options, SITES[:1])
    found = crawl(pages, f"http://{SITES[0]}/list/0")
    found.pop(f"http://{SITES[0]}/#top", None)
    assert len(found) == pages.expect()["pages"] == 25
    assert set(found.values()) == {200}


def test_heavy_pages_carry_navigation_and_footer() -> None:
    assert len(links_of(PLAIN_PAGES.page(0, "/product/7").body)) < 10
    assert len(links_of(Pages(SiteOptions(weight=10), SITES[:1]).page(0, "/product/7").body)) > 60


def test_product_shows_sku_price_and_json_ld() -> None:
    page = Pages(SiteOptions(jsonld=True), SITES[:1]).page(0, "/product/7").body.decode()
    price = re.search(r'<span class="price">(\d+\.\d\d)</span>', page)
    assert '<span class="sku">SKU-0000007</span>' in page
    assert price is not None
    assert f'"price":"{price[1]}"' in page


def test_a_million_products_are_there_at_once() -> None:
    pages = Pages(SiteOptions(listings=50_000), SITES[:1])
    assert b"SKU-0999999" in pages.page(0, "/product/999999").body
    assert pages.page(0, "/product/1000000").status == 404


def test_every_page_of_every_host_is_reached() -> None:
    options = SiteOptions(listings=3, per_listing=10, hosts=3, web_pages=60)
    pages = Pages(options, SITES)
    found = crawl(pages, f"http://{SITES[0]}/list/0")
    fronts = {f"http://{site}/" for site in SITES}
    assert len(set(found) - fronts) == pages.expect()["pages"] == 3 + 30 + 60
    assert set(found.values()) == {200}


def test_host_sizes_follow_zipf() -> None:
    sizes = Pages(SiteOptions(front="web", hosts=3, web_pages=1100), SITES).expect()["host_sizes"]
    assert sizes == [600, 300, 200]


def test_copies_are_identical_near_copies_almost() -> None:
    options = SiteOptions(listings=50, dup_rate=0.2, neardup_rate=0.2, soft404_rate=0.1)
    pages = Pages(options, SITES[:1])
    bodies = [pages.page(0, f"/product/{n}").body for n in range(options.products)]
    skus = [re.search(rb"SKU-\d+", body) for body in bodies]
    missing = sum(sku is None for sku in skus)
    assert 60 < missing < 140
    assert len({sku[0] for sku in skus if sku}) == pages.expect()["records"]
    exact = len(bodies) - len(set(bodies)) - (missing - 1)  # the soft 404 pages are one body
    assert 150 < exact < 250


def test_odd_links_lead_where_they_say() -> None:
    pages = Pages(ODD, SITES[:1])
    links = links_of(pages.page(0, "/product/20").body)
    assert {"/gone/20", "/alias/20", "/quiet/20", "/muted/20", "/private/20"} <= set(links)
    assert any(link.startswith("/go/") for link in links)
    assert any("utm_source" in link or "clid" in link for link in links)


@pytest.mark.parametrize("number", range(4))
def test_other_spellings_are_the_same_page(number: int) -> None:
    pages = Pages(ODD, SITES[:1])
    spelled = links_of(pages.page(0, f"/product/{number}").body)
    odd = next(link for link in spelled if "%70" in link or ".." in link or "//" in link)
    full = urljoin(f"http://{SITES[0]}/product/{number}", odd).partition("#")[0]
    target = re.sub(r"(?i)^http://[^/]*", "", full)
    assert pages.page(0, target) == pages.page(0, f"/product/{number}")


def test_aliases_name_their_canonical_in_element_or_header() -> None:
    canonical = f"http://{SITES[0]}/product/"
    assert f'rel="canonical" href="{canonical}4"' in PLAIN_PAGES.page(0, "/alias/4").body.decode()
    assert PLAIN_PAGES.page(0, "/alias/5").headers == (("Link", f'<{canonical}5>; rel="canonical"'),)


def test_noindex_stands_in_element_or_header() -> None:
    pages = Pages(SiteOptions(noindex_rate=1), SITES[:1])
    assert b'name="robots" content="noindex"' in pages.page(0, "/product/2").body
    assert ("X-Robots-Tag", "noindex") in pages.page(0, "/product/3").headers


@pytest.mark.parametrize("number", [3, 4])
def test_dead_links_are_404_or_410(number: int) -> None:
    assert PLAIN_PAGES.page(0, f"/gone/{number}").status == (410 if number % 2 else 404)


def test_redirects_chain_loop_and_break() -> None:
    def location(target: str) -> tuple[int, str]:
        page = PLAIN_PAGES.page(0, target)
        return page.status, dict(page.headers)["Location"]

    assert location("/go/permanent/5") == (301, "/product/5")
    assert location("/go/temporary/5") == (302, "/product/5")
    assert [location(f"/go/chain/5{hop}")[1] for hop in ("", "/2", "/3")] == [
        "/go/chain/5/2",
        "/go/chain/5/3",
        "/product/5",
    ]
    assert location(location("/go/loop/5")[1])[1] == "/go/loop/5"
    assert location("/go/offsite/5") == (302, "http://elsewhere.example/")
    assert location("/go/bad/5") == (302, "http://[broken/")


def test_redirect_to_itself_ends_with_its_cookie() -> None:
    asked = PLAIN_PAGES.page(0, "/go/cookie/5")
    assert dict(asked.headers) == {"Location": "/go/cookie/5", "Set-Cookie": "been=5; Path=/"}
    assert PLAIN_PAGES.page(0, "/go/cookie/5", "been=5") == PLAIN_PAGES.page(0, "/product/5")


@pytest.mark.parametrize("start", ["/trap/calendar/2026/11", "/trap/facets", "/trap/visit", "/trap/a"])
def test_traps_have_no_end(start: str) -> None:
    kind = start.split("/")[2]
    seen: set[str] = set()
    waiting = [start]
    while len(seen) < 500:
        target = waiting.pop()
        page = PLAIN_PAGES.page(0, target)
        assert page.status == 200
        seen.add(target)
        waiting += [link for link in links_of(page.body) if link.startswith(f"/trap/{kind}") and link not in seen]


def test_trap_items_are_reached_by_items_alone() -> None:
    seen: set[str] = set()
    waiting = ["/trap/"]
    while waiting:
        target = waiting.pop()
        seen.add(target)
        links = links_of(PLAIN_PAGES.page(0, target).body)
        waiting += [link for link in links if "/item/" in link and "?" not in link and link not in seen]
    assert len(seen - {"/trap/"}) == 200


@given(st.text(max_size=200))
def test_any_target_is_answered(text: str) -> None:
    for start in ("/", "/trap/", "/trap/item/", "/trap/facets?", "/product/", "/go/", "/sitemap-", "/trap/calendar/"):
        assert PLAIN_PAGES.page(0, start + text).status in {200, 301, 302, 404, 410}


def test_numbers_have_one_spelling() -> None:
    for spelled in ("007", "+7", "7_0", " 7", "٧", "9" * 5000):
        assert PLAIN_PAGES.page(0, f"/product/{spelled}").status == 404
