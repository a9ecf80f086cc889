"""Where a feed in pages goes on: in the feed's own words or in the answer's head, and never back to itself."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.seeds.base import Arrived, Harvest
from core.seeds.feed import FEEDS
from core.seeds.sitemap import SITEMAPS
from core.settings import Feed, Seeds

FIRST = "https://partner.test/feed"
ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
Format = Literal["json", "jsonl", "csv", "rss"]
FORMS: tuple[Format, ...] = ("json", "jsonl", "csv", "rss")
BODIES: dict[Format, str] = {
    "json": '{"items": [{"url": "/a"}]}',
    "jsonl": '{"url": "/a"}',
    "csv": "url\n/a\n",
    "rss": "<rss><channel><item><link>/a</link></item></channel></rss>",
}
PATHS = {"json": "$.items[*].url", "jsonl": "url"}


def read(body: str, format_: Format = "rss", asked: str = FIRST, following: str = "") -> Harvest:
    feed = Feed(url=FIRST, format=format_, path=PATHS.get(format_, ""))
    return FEEDS.read(Arrived(body.encode(), asked, asked, Seeds(feeds=(feed,)), FIRST, following))


def leads_to(harvest: Harvest) -> str:
    return harvest.next_page.url_text if harvest.next_page else ""


ENTRY = '<entry><link href="/a"/></entry>'
ITEM = "<item><link>/a</link></item>"
NEXT = '<link rel="next" href="?page=2"/>'
IN_RSS = '<atom:link rel="next" href="?page=2"/>'


@pytest.mark.parametrize(
    "body",
    [
        f"<feed {ATOM}>{NEXT}{ENTRY}</feed>",
        f'<feed {ATOM}>{ENTRY}<link rel="self" href="/x"/>{NEXT.replace("next", "NEXT")}</feed>',
        f'<feed {ATOM}>{NEXT}<link rel="next" href="?page=3"/>{ENTRY}</feed>',
        f'<rss xmlns:atom="http://www.w3.org/2005/Atom"><channel>{ITEM}{IN_RSS}</channel></rss>',
        f"<rss><channel>{IN_RSS}{ITEM}</channel></rss>",  # the prefix means nothing
    ],
)
def test_rss_and_atom_name_their_next_page(body: str) -> None:
    harvest = read(body)
    assert [found.url_text for found in harvest.entries] == ["https://partner.test/a"]
    assert leads_to(harvest) == f"{FIRST}?page=2"
    assert leads_to(SITEMAPS.read(Arrived(body.encode(), FIRST, FIRST, Seeds()))) == f"{FIRST}?page=2"


@pytest.mark.parametrize(
    "body",
    [
        f'<feed {ATOM}><entry><link href="/a"/><link rel="next" href="/of-the-entry"/></entry></feed>',
        f'<feed {ATOM}><entry><link href="/a"/><source><link rel="next" href="/elsewhere"/></source></entry></feed>',
        f'<feed {ATOM}><link rel="prev-archive" href="/old"/><link rel="last" href="/9"/><link rel="next"/></feed>',
        "<rss><channel><link>https://partner.test/</link><item><link>/a</link></item></channel></rss>",
    ],
)
def test_other_links_are_no_next_page(body: str) -> None:
    assert leads_to(read(body)) == ""


def test_a_json_feed_names_its_next_page() -> None:
    assert leads_to(read('{"items": [{"url": "/a"}], "next_url": "/feed?p=2"}', "json")) == f"{FIRST}?p=2"
    for nothing in ("null", "2", '""', "[]"):
        assert leads_to(read(f'{{"items": [{{"url": "/a"}}], "next_url": {nothing}}}', "json")) == ""


@pytest.mark.parametrize("format_", FORMS)
def test_the_head_of_the_answer_names_it_in_any_format(format_: Format) -> None:
    assert leads_to(read(BODIES[format_], format_, following="?page=2")) == f"{FIRST}?page=2"


def test_the_feed_s_own_word_counts_before_the_head() -> None:
    own = '{"items": [{"url": "/a"}], "next_url": "?own"}'
    assert leads_to(read(own, "json", following="?head")) == f"{FIRST}?own"


def test_a_sitemap_has_no_next_page() -> None:
    body = b'<urlset><link rel="next" href="/s2.xml"/><url><loc>/a</loc></url></urlset>'
    assert leads_to(SITEMAPS.read(Arrived(body, FIRST, FIRST, Seeds(), following="/s2.xml"))) == ""


def test_a_page_does_not_lead_to_itself() -> None:
    assert leads_to(read(BODIES["csv"], "csv", asked=f"{FIRST}?p=3", following="?p=3")) == ""


def test_what_is_no_address_is_told() -> None:
    harvest = read(BODIES["json"], "json", following="ftp://partner.test/2")
    assert harvest.next_page is None
    assert str(harvest.warnings[-1]).startswith("The next page “ftp://partner.test/2” was left out. ")


def test_a_page_behind_the_last_is_empty_and_no_fault() -> None:
    for asked in (FIRST, f"{FIRST}?p=9"):
        last = read('{"items": []}', "json", asked=asked)
        assert (last.readable, last.warnings) == (True, ())
        assert not read("<html>Log in</html>", "json", asked=asked).readable
        assert not read('{"offers": []}', "json", asked=asked).readable


@given(st.text(max_size=60), st.text(max_size=60), st.sampled_from(FORMS))
def test_no_word_for_the_next_page_makes_reading_fail(own: str, head: str, format_: Format) -> None:
    body = f'<feed><link rel="next" href="{own}"/></feed>' if format_ == "rss" else f'{{"next_url": "{own}"}}'
    harvest = read(body, format_, following=head)
    assert leads_to(harvest) != FIRST
