"""Which references a page holds, by kind."""

from __future__ import annotations

import pytest

from core.parse import Link, ParsedPage, ParseOptions, parse_page

PLAIN = ParseOptions()
ALL = ParseOptions(forms=True, resources=True)


def read(markup: str, options: ParseOptions = PLAIN, content_type: str = "text/html") -> ParsedPage:
    return parse_page(markup.encode("utf-8", "surrogatepass"), content_type, "utf-8", options)


def hrefs(markup: str, options: ParseOptions = PLAIN) -> list[tuple[str, str]]:
    return [(link.kind, link.href) for link in read(markup, options).links]


def test_every_kind_of_link_in_document_order() -> None:
    markup = """<link rel=next href=/2><link rel="PREV" href=/0><link rel=alternate hreflang=de href=/de>
    <meta http-equiv=refresh content="3;url=/later"><a href=/a>A</a><map><area href=/b alt="B"></map>
    <iframe src=/i></iframe><noscript><a href=/n></a></noscript>"""
    assert hrefs(markup) == [
        ("next", "/2"),
        ("prev", "/0"),
        ("alternate", "/de"),
        ("refresh", "/later"),
        ("a", "/a"),
        ("area", "/b"),
        ("iframe", "/i"),
        ("a", "/n"),
    ]


def test_a_link_of_svg_may_be_written_in_its_old_form() -> None:
    markup = '<svg><a xlink:href="/old">o</a><a href="/new" xlink:href="/old">n</a></svg><a xlink:href="/no">h</a>'
    assert hrefs(markup) == [("a", "/old"), ("a", "/new")]


def test_frames_of_a_frameset_are_links() -> None:
    assert hrefs("<frameset><frame src=/menu><frame src=/main></frameset>") == [("frame", "/menu"), ("frame", "/main")]


def test_text_and_rel_are_collapsed_and_the_image_speaks_for_a_link_without_text() -> None:
    links = read('<a href=x rel=" NoFollow\nUGC ">  two \n words </a><a href=y><img alt="a  lamp"></a>').links
    assert links == (Link("x", "a", "nofollow ugc", "two words"), Link("y", "a", "", "a lamp"))
    assert links[0].nofollow
    assert not links[1].nofollow


def test_long_text_is_clipped() -> None:
    assert len(read(f"<a href=x>{'word ' * 1000}</a>").links[0].text) == 200


def test_alternate_style_sheet_is_no_page() -> None:
    markup = '<link rel="alternate stylesheet" href=/dark.css>'
    assert hrefs(markup) == []
    assert hrefs(markup, ALL) == [("resource", "/dark.css")]


def test_resources_are_shown_by_choice() -> None:
    markup = """<link rel="shortcut icon" href=/i.ico><script src=/s.js></script><img src=/p.png srcset="/p2.png 2x">
    <video poster=/v.jpg><source src=/v.mp4></video><img src="data:image/png;base64,AA">"""
    assert hrefs(markup) == []
    assert [href for _, href in hrefs(markup, ALL)] == ["/i.ico", "/s.js", "/p.png", "/p2.png", "/v.jpg", "/v.mp4"]


def test_get_forms_are_followed_by_choice_with_their_preset_fields() -> None:
    markup = """<form action="/search?old=1#x"><input name=q value="a b"><input type=hidden name=k value=ä>
    <input type=checkbox name=no value=1><select name=s><option value=1><option value=2 selected></select></form>
    <form method=post action=/buy></form><form method=dialog></form>"""
    assert hrefs(markup) == []
    assert hrefs(markup, ALL) == [("form", "/search?q=a+b&k=%C3%A4&s=2")]


def test_scripts_and_mails_are_no_links_in_any_spelling() -> None:
    markup = """<a href="java&#10;script:x">1</a><a href=" \x01MAILTO:a@b.test">2</a><a href="tel:1">3</a>
    <a href=jobs>4</a><a href="">5</a><a>6</a><a href=mailto.html>7</a>"""
    assert [href for _, href in hrefs(markup)] == ["jobs", "mailto.html"]


def test_bare_fragment_leads_to_the_page_itself_unless_there_is_a_base() -> None:
    assert hrefs("<a href=#top>x</a>") == []
    assert hrefs("<base href=/other><a href=#top>x</a>") == [("a", "#top")]


def test_templates_hold_no_links() -> None:
    assert hrefs("<template><a href={{url}}>x</a><template><a href=q></a></template></template><a href=/y>y</a>") == [
        ("a", "/y")
    ]


def test_links_beyond_the_cap_are_flagged() -> None:
    page = read("".join(f"<a href=/{n}>x</a>" for n in range(12)), ParseOptions(max_links=10))
    assert len(page.links) == 10
    assert page.truncated_links
    assert not read("<a href=/1>", ParseOptions(max_links=1)).truncated_links


def test_endless_href_is_clipped_to_what_is_surely_rejected() -> None:
    assert 65_536 < len(read(f"<a href=/{'u' * 1_000_000}>x</a>").links[0].href) < 70_000


def test_nested_anchors_do_not_repeat_the_page_without_end() -> None:
    page = read("<svg>" + "<a href=x>" * 500 + "y" * 100_000)
    assert sum(bool(link.text) for link in page.links) < 10


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=/x", "/x"),
        ("0, URL = '/x'tail", "/x"),
        ('5 ; url="/x', "/x"),
        ("0.5;/x", "/x"),
        (".5;/x", "/x"),
        ("5 /x", "/x"),
        ("0;url /x", "url /x"),
        ("0;urlish", "urlish"),
        ("5", None),
        ("5;", None),
        ("5x;/x", None),
        ("x;/x", None),
        ("", None),
    ],
)
def test_refresh(content: str, target: str | None) -> None:
    found = read(f"<meta http-equiv=REFRESH content='{content}'>".replace("'/x'", "&#39;/x&#39;")).links
    assert [link.href for link in found] == ([target] if target else [])


def test_xhtml_closes_its_empty_elements_and_falls_back_to_html() -> None:
    whole = '<html xmlns="http://www.w3.org/1999/xhtml"><head>'
    whole += '<script src="s.js"/><title>T</title></head><body>{}</body></html>'
    for body in ('<p/><a href="/x">x</a>', '<a href="/x">x'):
        page = read(whole.format(body), content_type="application/xhtml+xml")
        assert [link.href for link in page.links] == (["/x"] if "</a>" in body else [])
        assert page.error is None
