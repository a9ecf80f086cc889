"""Explain URL agrees with what the engine did: the same forms, the same reasons, the same states."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import msgspec
import pytest

from core.cli import main
from core.errors import BadUrl
from core.explain import explain
from core.settings import Authorisation, Budgets, CrawlSettings, Normalise, Pages, RobotsOverride, Scope, Seeds
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path

ROBOTS = Reply(b"User-agent: *\nAllow: /\nDisallow: /private\n", type="text/plain")


def crawled(tmp_path: Path, site: ScriptedSite, **sections: object) -> Crawl:
    site.answers |= {
        "/robots.txt": ROBOTS,
        "/": page("/a?utm_source=x&b=2&a=1", "/private/x", "/calendar/1", "http://other.test/", "/1"),
        "/a?b=2&a=1": page(title="A"),
        "/1": page("/2", title="1"),
        "/2": page("/3", title="2"),
    }
    chosen: dict[str, object] = {"scope": Scope(exclude=("/calendar/",)), "budgets": Budgets(max_depth=2), **sections}
    crawl = Crawl(tmp_path, quick(f"{site.root}/", **chosen))
    crawl.run()
    return crawl


def test_what_the_engine_refused_is_explained_with_its_very_reason(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        crawl = crawled(tmp_path, site)
        for url, reason in crawl.refused().items():
            found = explain(crawl.path, url)
            assert (found.state, found.allowed, found.reason) == ("refused", False, reason)
        assert set(crawl.refused().values()) == {"pattern: /calendar/", "scope", "depth"}


def test_a_known_url_has_its_forms_steps_and_finder(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        crawl = crawled(tmp_path, site)
        found = explain(crawl.path, f"{site.root}/a?utm_source=y&b=2&a=1#top")
        assert (found.url, found.key) == (f"{site.root}/a?b=2&a=1", f"{site.root}/a?a=1&b=2")
        assert (found.state, found.allowed, found.depth, found.found_on) == ("done", True, 1, f"{site.root}/")
        assert found.next_due is not None
        assert found.steps[0].before.endswith("#top")
        assert found.steps[-1].after == found.key
        assert found.robots is not None
        assert (found.robots.rule, found.robots.line) == ("Allow: /", 2)


def test_a_blocked_url_names_its_line_of_robots_txt_and_an_override_frees_it(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        crawl = crawled(tmp_path, site)
        found = explain(crawl.path, f"{site.root}/private/x")
        assert (found.state, found.allowed, found.reason) == ("blocked", False, "robots: Disallow: /private")
        assert found.robots is not None
        assert found.robots.line == 3
        override = RobotsOverride(host="127.0.0.1", reason="ours")
        crawl.set(quick(f"{site.root}/", politeness=politeness(robots_override=(override,))))
        assert explain(crawl.path, f"{site.root}/private/x").allowed


def test_an_unknown_url_is_judged_as_if_it_were_found_now(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        crawl = crawled(tmp_path, site)
        found = explain(crawl.path, f"{site.root}/new")
        assert (found.state, found.allowed, found.depth, found.found_on) == ("unknown", True, None, "")
        assert explain(crawl.path, "http://elsewhere.test/").reason == "scope"
        crawl.set(quick(f"{site.root}/", budgets=Budgets(max_pages=3)))
        assert explain(crawl.path, f"{site.root}/new").reason == "total-limit"
        assert explain(crawl.path, f"{site.root}/1").allowed  # it has its place already


def test_the_command_prints_the_fixed_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedSite() as site:
        crawl = crawled(tmp_path, site)
        assert main(["explain", str(crawl.path), f"http://user:secret@127.0.0.1:{site.port}/1#top", "--json"]) == 0
        out = capsys.readouterr().out
        found = json.loads(out)
        names = "url key steps allowed reason state depth priority found_on next_due robots".split()
        assert list(found) == names
        assert found["robots"] == {"rule": "Allow: /", "line": 2}
        assert found["steps"] == [{"rule": "fragment", "before": f"{site.root}/1#top", "after": f"{site.root}/1"}]
        assert "secret" not in out
        assert main(["explain", str(crawl.path), f"{site.root}/calendar/1"]) == 0
        assert "no: the exclusion /calendar/ matches (pattern: /calendar/)" in capsys.readouterr().out


def test_a_text_that_is_no_url_is_bad_input(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path, quick("http://a.test/"))
    with pytest.raises(BadUrl):
        explain(crawl.path, "http://[broken/")
    assert main(["explain", str(crawl.path), "ftp://x/"]) == 2


def in_words(crawl: Crawl, url: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["explain", str(crawl.path), url]) == 0
    return capsys.readouterr().out


def test_an_override_is_explained_with_its_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedSite() as site:
        crawl = crawled(tmp_path, site)
        override = RobotsOverride(host="127.0.0.1", reason="our own staging site")
        crawl.set(quick(f"{site.root}/", politeness=politeness(robots_override=(override,))))
        assert "our own staging site" in in_words(crawl, f"{site.root}/private/x", capsys)
        crawl.set(quick(f"{site.root}/", politeness=politeness(robots=False)))
        assert "politeness.robots is off" in in_words(crawl, f"{site.root}/private/x", capsys)


def test_an_authorisation_is_explained_as_the_engine_will_decide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    item = Authorisation(host="a.test", by="contract 17", until=date(2027, 1, 31))
    crawl = Crawl(tmp_path, quick("http://a.test/", scope=Scope(authorised=(item,))))
    assert explain(crawl.path, "http://a.test/", 1_801_440_000.0 - 1).allowed
    found = explain(crawl.path, "http://a.test/", 1_801_440_000.0)
    assert (found.allowed, found.reason) == (False, "authorisation: until 2027-01-31")
    assert "by contract 17, until 2027-01-31" in in_words(crawl, "http://a.test/", capsys)


def test_the_parts_of_a_priority_add_up_to_it(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        crawl = crawled(tmp_path, site)
        for path, parts in {"/": {"depth", "seed"}, "/1": {"depth"}}.items():
            found = explain(crawl.path, site.root + path)
            shown = {
                question.rule.removeprefix("priority: "): int(question.detail)
                for question in found.questions
                if question.rule.startswith("priority: ")
            }
            assert shown.keys() == parts
            assert sum(shown.values()) == found.priority


def test_a_canonical_and_an_alias_are_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedSite() as site:
        site.answers |= {
            "/": page("/a", "/c"),
            "/a": page(head='<link rel=canonical href="/b">', title="A"),
            "/b": page(title="B"),
            "/c": page(head='<link rel=canonical href="http://other.test/">', title="C"),
        }
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        found = explain(crawl.path, f"{site.root}/a")
        assert (found.canonical, found.alias_of) == (f"{site.root}/b", f"{site.root}/b")
        assert f"an alias of {site.root}/b" in in_words(crawl, f"{site.root}/a", capsys)
        told = in_words(crawl, f"{site.root}/c", capsys)
        assert (
            "http://other.test/ (this page counts as its own. Not believed: the page that is named is outside" in told
        )


def test_each_reason_against_a_canonical_is_told_in_explain_and_in_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def naming(*canonicals: str) -> bytes:
        return page(head="".join(f'<link rel=canonical href="{href}">' for href in canonicals))

    many = {f"/m{number}": page(head='<link rel=canonical href="/hub">', title=str(number)) for number in range(30)}
    answers: dict[str, tuple[object, str, str]] = {
        "/foreign": (naming("http://other.test/"), "scope", "is outside the crawl's scope"),
        "/loop": (naming("/pool"), "looping", "leads back, by its own canonical, to the page that names it"),
        "/pool": (naming("/loop"), "looping", "leads back, by its own canonical, to the page that names it"),
        "/tail": (naming("/loop"), "ring", "leads into a ring of pages that name each other"),
        "/home": (naming("/back-home"), "itself", "redirects back to this one: it stands for itself"),
        "/chain": (naming("/alias"), "", ""),
        "/alias": (naming("/b"), "", ""),
        "/invalid": (naming("http://["), "invalid", "no URL"),
        "/two": (naming("/b", "/c"), "conflicting", "names several canonicals"),
        "/m7": (many["/m7"], "contents", "is named by thirty pages of different content"),
        "/missing-named": (naming("/missing"), "status: 404", "answers 404"),
        "/moved-named": (naming("/moved"), "", ""),
        "/lost-named": (naming("/lost"), "redirect: status: 404", "redirects to a page that answers 404"),
        "/barred-named": (naming("/private/b"), "robots: Disallow: /private", "may not be fetched by robots.txt"),
        "/excluded-named": (naming("/no"), "pattern: /no", "is excluded by /no"),
        "/itself": (naming("/itself?utm_source=x"), "", ""),
        "/b": (page(title="B"), "", ""),
    }
    with ScriptedSite() as site:
        site.answers |= {
            "/robots.txt": ROBOTS,
            "/": page(*answers, *many),
            "/moved": moved("/b"),
            "/lost": moved("/missing"),
            "/back-home": moved("/home"),
            "/hub": page(),
            **many,
        }
        site.answers |= {path: answer for path, (answer, _, _) in answers.items()}
        crawl = Crawl(tmp_path, quick(f"{site.root}/", scope=Scope(exclude=("/no",))))
        crawl.run()
        for path, (_, reason, words) in answers.items():
            found = explain(crawl.path, site.root + path)
            assert (found.canonical_doubt, words in found.canonical_why) == (reason, True), path
            assert words in in_words(crawl, site.root + path, capsys)
        assert explain(crawl.path, f"{site.root}/alias").alias_of == f"{site.root}/b"
        table = tmp_path / "urls.jsonl"
        assert main(["export", str(crawl.path), "--table", "urls", "--format", "jsonl", "--output", str(table)]) == 0
        shown = [json.loads(line) for line in table.read_text(encoding="utf-8").splitlines()]
        told = {row["url"].removeprefix(site.root): row["canonical_doubt"] for row in shown}
        assert {path: told[path] or "" for path in answers} == {
            path: reason for path, (_, reason, _) in answers.items()
        }
        crawl.set(quick(f"{site.root}/", normalise=Normalise(canonical=False)))
        assert "normalise.canonical is off" in explain(crawl.path, f"{site.root}/loop").canonical_why


def test_a_query_is_explained_in_the_charset_of_the_page_it_was_found_on(tmp_path: Path) -> None:
    """The engine's own forms, its state and its reasons: WHATWG URL, "percent-encode after encoding"."""
    latin = Reply('<a href="/s?q=é">1</a><a href="/no?q=é">2</a>'.encode("latin-1"), type="text/html; charset=latin1")
    greek = Reply('<a href="/s?q=λ">3</a>'.encode("iso-8859-7"), type="text/html; charset=iso-8859-7")
    answers = {"/": page("/latin", "/greek", "/u?q=é"), "/latin": latin, "/greek": greek}
    with ScriptedSite(dict(answers)) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", scope=Scope(exclude=("/no",))))
        crawl.run()
        for typed, fetched, state in (
            ("/s?q=é", "/s?q=%E9", "failed"),
            ("/s?q=λ#top", "/s?q=%EB", "failed"),
            ("/no?q=é", "/no?q=%E9", "refused"),
            ("/u?q=é", "/u?q=%C3%A9", "failed"),
            ("/new?q=é", "/new?q=%C3%A9", "unknown"),
        ):
            found = explain(crawl.path, site.root + typed)
            assert (found.url, found.state) == (site.root + fetched, state)
            assert (found.steps[0].before, found.steps[-1].after) == (site.root + typed, found.key)


def test_a_url_of_a_list_is_allowed_in_list_mode(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        site.answers |= {"/map.txt": Reply(f"{site.root}/m\n".encode(), type="text/plain"), "/m": page()}
        seeds = Seeds(urls=(f"{site.root}/",), sitemaps=(f"{site.root}/map.txt",))
        crawl = Crawl(tmp_path, quick(seeds=seeds, scope=Scope(follow=False)))
        crawl.run()
        assert explain(crawl.path, f"{site.root}/m").allowed


@pytest.mark.parametrize(
    ("url", "sections", "rule", "words"),
    [
        ("http://else.test/", {}, "scope", "the host else.test is not among the seeds' hosts"),
        ("http://else.test/", {"scope": {"hosts": ["a.test"]}}, "scope", "not among those of scope.hosts"),
        ("http://a.test/x", {"scope": {"follow": False}}, "scope", "no links are followed (scope.follow is off)"),
        ("http://a.test/x.png", {}, "extension", "the extension .png is skipped"),
        ("http://a.test/x", {"scope": {"block_hosts": ["a.test"]}}, "host", "the host a.test is blocked"),
        ("http://a.test/x", {"scope": {"include": ["/y"]}}, "include", "no include pattern matches"),
        ("http://127.0.0.9/", {"scope": {"hosts": ["a.test"]}}, "scope", "the host 127.0.0.9 is not among"),
        ("http://a.test/b/b/b/b/b", {}, "path repeats", "a segment of the path occurs more than 3 times"),
        ("http://a.test/long", {"budgets": {"max_url_length": 8}}, "length", "it is longer than 8 characters"),
    ],
)
def test_what_decides_is_said_in_words_and_marked(
    tmp_path: Path, url: str, sections: dict[str, object], rule: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = msgspec.convert({"seeds": {"urls": ["http://a.test/"]}, **sections}, CrawlSettings)
    crawl = Crawl(tmp_path, settings)
    found = explain(crawl.path, url)
    assert (found.allowed, found.decides) == (False, rule)
    assert words in found.why
    marked = [line for line in in_words(crawl, url, capsys).splitlines() if "this decides" in line]
    assert [line.split("  ")[1] for line in marked] == [rule]


def test_robots_txt_is_marked_where_it_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedSite() as site:
        crawl = crawled(tmp_path, site)
        told = in_words(crawl, f"{site.root}/private/x", capsys)
        assert "NO, and this decides: line 3 of robots.txt forbids it: Disallow: /private" in told


def test_an_unreachable_robots_txt_is_explained_with_its_cause(tmp_path: Path) -> None:
    with ScriptedSite({"/robots.txt": Reply(status=503)}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        found = explain(crawl.path, f"{site.root}/")
    assert (found.reason, found.decides) == ("robots: unreachable (status 503)", "robots")
    assert found.why == "its robots.txt cannot be had (status 503), so nothing may be fetched"


def test_a_seeds_redirects_make_their_target_a_seed_to_explain_too(tmp_path: Path) -> None:
    """Seeds are exempt from include patterns, and so is what stands for them."""
    with ScriptedSite({"/": moved("/b"), "/b": moved("/c"), "/c": page("/in/1"), "/in/1": page(title="I")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", scope=Scope(include=("/in/",))))
        crawl.run()
        assert crawl.states() == {"/": "done", "/b": "done", "/c": "done", "/in/1": "done"}
        found = explain(crawl.path, f"{site.root}/c")
    assert (found.allowed, found.state, found.why) == (True, "done", "")
    assert "priority: as it was queued" not in {question.rule for question in found.questions}


def test_robots_txt_is_that_of_the_spelling_which_is_fetched(tmp_path: Path) -> None:
    """Two origins of one host, and two spellings of one page, have rules of their own."""
    with ScriptedSite() as site:
        site.answers |= {
            "www.a.test/robots.txt": Reply(b"User-agent: *\nDisallow: /p?b=", type="text/plain"),
            "/": page("/p?b=1&a=1"),
        }
        seeds = (f"{site.at('a.test')}/only-here", f"{site.at('www.a.test')}/")
        names = fetch(resolve={"a.test": "127.0.0.1", "www.a.test": "127.0.0.1"})
        crawl = Crawl(tmp_path, quick(*seeds, fetch=names, normalise=Normalise(ignore_www=True)))
        crawl.run()
        assert crawl.states()["/p?b=1&a=1"] == "blocked"
        for spelling in ("p?b=1&a=1", "p?a=1&b=1"):
            found = explain(crawl.path, f"{site.at('a.test')}/{spelling}")
            assert (found.allowed, found.reason) == (False, "robots: Disallow: /p?b=")


def test_what_is_not_followed_for_the_kind_of_its_links_is_told(tmp_path: Path) -> None:
    markup = '<a rel=nofollow href="/n">n</a><img src="/i">'
    with ScriptedSite({"/": markup}) as site:
        pages = Pages(resources=True)
        crawl = Crawl(tmp_path, quick(f"{site.root}/", pages=pages))
        crawl.run()
        nofollow, shown = explain(crawl.path, f"{site.root}/n"), explain(crawl.path, f"{site.root}/i")
        assert (nofollow.allowed, nofollow.reason, nofollow.decides) == (False, "robots: nofollow", "links")
        assert nofollow.why == "all links to it ask not to be followed, and politeness.nofollow is on"
        assert (shown.allowed, shown.reason, shown.decides) == (False, "scope: resource", "links")
        assert "not requested" in shown.why
        crawl.set(quick(f"{site.root}/", pages=pages, politeness=politeness(nofollow=False)))
        assert explain(crawl.path, f"{site.root}/n").allowed
