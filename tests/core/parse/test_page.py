"""What a page says of itself, and that nothing it holds makes the parser raise or dawdle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.parse import ParsedPage, ParseOptions, failed_check, header_links, header_robots, parse_page
from core.parse.guard import MAX_DEPTH, MAX_TAGS, suspicion, too_deep
from core.parse.page import Link
from core.parse.visible import main_text

OPTIONS = ParseOptions(forms=True, resources=True, product_token="fronteira")


def read(markup: str, content_type: str = "text/html") -> ParsedPage:
    return parse_page(markup.encode(), content_type, "utf-8", OPTIONS)


def test_title_is_the_first_of_html_and_collapsed() -> None:
    assert read("<svg><title>drawing</title></svg><title> A\n shop </title><title>no</title>").title == "A shop"
    assert read("<p>x").title == ""


def test_endless_title_is_clipped_to_two_kilobytes() -> None:
    assert len(read(f"<title>{'ä' * 4_000_000}</title>").title.encode()) == 2048
    assert read(f"<title>{' ' * 4_000_000}x</title>").title == ""


def test_title_can_be_stored_whatever_it_holds() -> None:
    title = read("<title>a&#xD800;b\0c&#0;d</title>").title
    assert title.encode()
    assert "\0" not in title


@pytest.mark.parametrize(
    ("markup", "base"),
    [
        ("<base href=/a/>", "/a/"),
        ("<base target=_top><base href=' /b/ '><base href=/c/>", "/b/"),
        ("<base href=https://o.test/x>", "https://o.test/x"),
        ("<base href=//o.test/>", "//o.test/"),
        ("<base href=a/b:c>", "a/b:c"),
        ("<base href=javascript:0><base href=/late/>", None),
        ("<base href=data:,x>", None),
        ("<base href=ftp://o.test/>", None),
        ("<base href=''>", None),
    ],
)
def test_base(markup: str, base: str | None) -> None:
    assert read(markup).base == base


@pytest.mark.parametrize(
    ("source", "canonical"),
    [
        ("<head><link rel=canonical href=/x></head><body>", "/x"),
        ("<head><noscript><link rel=canonical href=/x></noscript></head>", "/x"),
        ("<head></head><body><p>A comment: <link rel=canonical href=/spam>", None),
        ("<head><div></div><link rel=canonical href=/late></head>", None),
        ("<head><template><link rel=canonical href=/pattern></template></head>", None),
        ("<head></head><body><svg><link rel=canonical href=/drawing></link></svg>", None),
        ("<head><link rel=canonical href=/x></head><body><link rel=canonical href=/spam>", "/x"),
    ],
)
def test_canonical_counts_in_the_head_alone(source: str, canonical: str | None) -> None:
    page = read(source)
    assert (page.canonical, page.other_canonicals) == (canonical, ())


def test_canonical_and_language() -> None:
    page = read('<html lang="de-AT"><link rel=canonical><link rel="canonical" href=" /x "><link rel=canonical href=/y>')
    assert (page.canonical, page.other_canonicals, page.language) == ("/x", ("/y",), "de-AT")


def test_robots_of_all_and_of_ours_add_up() -> None:
    markup = """<meta name=ROBOTS content="NoIndex, max-snippet:-1"><meta name=Fronteira content=nofollow>
    <meta name=otherbot content=noarchive><meta content=nosnippet>"""
    assert read(markup).robots == {"noindex", "nofollow", "max-snippet:-1"}
    assert read("<meta name=robots content=none>").robots == {"none", "noindex", "nofollow"}


def test_robots_headers_for_all_and_for_ours() -> None:
    headers = [
        ("X-Robots-Tag", "noarchive, otherbot: noindex, nosnippet, fronteira: nofollow"),
        ("x-robots-tag", "unavailable_after: Wed, 25 Jun 2025 15:00:00 GMT"),
        ("Link", "x"),
    ]
    found = header_robots(headers, "Fronteira")
    assert {"noarchive", "nofollow"} <= found
    assert not {"noindex", "nosnippet"} & found
    assert header_robots([("X-Robots-Tag", "none")], "x") == {"none", "noindex", "nofollow"}


def test_canonicals_of_all_link_headers_are_told() -> None:
    headers = [("Link", "</a>; rel=canonical, </a>;rel=canonical"), ("Link", '</b>; rel="canonical next"')]
    found = header_links(headers)
    assert (found.canonical, found.other_canonicals) == ("/a", ("/b",))


def test_link_headers() -> None:
    headers = [
        ("Link", '</2>; rel="next"; title="a, \\"b\\"", <https://o.test/c>; REL=canonical,</0>;rel="x prev"'),
        ("link", '<javascript:0>; rel=next, </z>; rel=next; anchor="#x", </de>; rel=alternate;, < /q > ; rel = next'),
        ("Link", "<broken; rel=next"),
        ("Linked", "</no>; rel=next"),
    ]
    found = header_links(headers)
    assert found.canonical == "https://o.test/c"
    assert found.links == (
        Link("/2", "next", "next", 'a, "b"'),
        Link("/0", "prev", "x prev"),
        Link("/de", "alternate", "alternate"),
        Link("/q", "next", "next"),
    )


@given(st.text(st.sampled_from('<>;,="\\ rel=next/x'), max_size=80))
def test_no_link_header_raises(value: str) -> None:
    header_links([("link", value)])


def test_visible_text_leaves_out_what_no_reader_sees() -> None:
    markup = """<title>t</title><p>one<script>two</script><style>three</style><noscript>four<i>five</i></noscript>
    <template>six<script>seven</script></template> eight</p>one<script>eight</script><!-- nine -->&nbsp;ten"""
    page = read(markup)
    assert page.text == "one eight one ten"


def test_page_with_scripts_and_nothing_else_needs_javascript() -> None:
    shell = "<div id=app></div><script src=app.js></script><noscript>Please switch on JavaScript</noscript>"
    assert read(shell).needs_javascript
    assert not read(shell + "<p>" + "words " * 50).needs_javascript
    assert not read(shell + "<a href=/1></a><a href=/2></a><a href=/3></a>").needs_javascript
    assert not read("<p>short").needs_javascript


def own_words(markup: str) -> str:
    document = read(markup).document
    assert document is not None
    return " ".join(main_text(document).split())


def test_main_text_leaves_out_what_stands_on_every_page() -> None:
    around = "<nav>menu <nav>sub</nav></nav><header>logo</header><div role=search>find</div><aside>ads</aside>"
    assert own_words(f"<body>{around}<script>x()</script>one <p>two</p><footer>(c)</footer>three") == "one two three"


def test_main_text_believes_a_page_that_says_where_its_content_is() -> None:
    assert own_words("<body>menu <div role=main>one <nav>contents</nav> two</div> legal") == "one two"
    assert own_words("<body>menu <main>one</main> legal") == "one"


def test_main_text_of_a_page_without_any_is_all_that_is_seen() -> None:
    assert own_words("<body><nav>menu</nav><footer>legal</footer>") == "menu legal"
    assert own_words("<body>menu<main></main>") == "menu"


def test_plain_text_has_words_and_no_links() -> None:
    page = read("see  http://a.test/ <a href=x>", "text/plain; charset=utf-8")
    assert (page.text, page.links, page.document) == ("see http://a.test/ <a href=x>", (), None)


def test_unknown_type_has_nothing() -> None:
    assert read("<a href=x>", "application/pdf") == ParsedPage()


def test_content_checks() -> None:
    assert failed_check("a page", "page", "denied") is None
    assert failed_check("a page", "sku", "") == "The page does not contain “sku”."
    assert failed_check("denied", "", "denied") == "The page contains “denied”."


def test_suspect_page_is_a_recorded_error() -> None:
    page = read("<title>x</title>" + "<div>" * (MAX_TAGS + 1))
    assert page.error == "parse"
    assert "500,000" in page.detail
    assert suspicion("<div>" * MAX_TAGS) == ""


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 30_000,
        "<p " + " ".join(f"a{n}" for n in range(100_000)) + ">",
        "<select>" + "<option>x" * 50_000,
        "".join(f"<b {n}>" for n in range(4000)) + "".join(f"<i {n}>" for n in range(4000)) + "x</b>" * 4000,
        "<b><i><a href=x>" * 5000,
        "<noscript><p>a</p>" * 20_000,
        "<table>" * 20_000,
    ],
    ids=["div", "attributes", "options", "adoption", "formatting", "noscript", "table"],
)
def test_pathological_page_is_read(markup: str) -> None:
    page = read(f"<title>x</title>{markup}")
    assert (page.title, page.error) == ("x", None)


def test_depth_of_xml_is_seen() -> None:
    assert too_deep("<a>" * (MAX_DEPTH + 1))
    assert too_deep("<a><!--</a>-->" * (MAX_DEPTH + 1))
    assert not too_deep("<a></a><b/>" * (MAX_DEPTH + 1))
    assert not too_deep("<!--<a>" * 100_000)


PIECES = [
    *("<", ">", "/", "a", " href=", "'", '"', "&#xD800;", "\0", "<a ", "<base href=", "<form>", "<input name=x>"),
    *("<meta ", "<template>", "<noscript>", "<script>", "</script>", "<table>", "srcset=", "<img ", "<title>", "<svg>"),
]
BODIES = st.binary(max_size=300) | st.lists(st.sampled_from(PIECES), max_size=60).map(
    lambda found: "".join(found).encode()
)
TYPES = st.sampled_from(["text/html", "application/xhtml+xml", "text/plain", "", "x" * 300])


LABELS = st.none() | st.text(max_size=20) | st.sampled_from(["utf-16", "gbk", "iso-2022-jp", "replacement"])


@given(BODIES, TYPES, LABELS)
def test_no_bytes_make_the_parser_raise(body: bytes, content_type: str, charset: str | None) -> None:
    page = parse_page(body, content_type, charset, OPTIONS)
    for text in (page.title, page.text, *(link.href + link.text + link.rel for link in page.links)):
        text.encode()
        assert "\0" not in text
