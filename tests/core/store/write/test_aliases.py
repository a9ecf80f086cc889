"""rel=canonical in the file: who is an alias of whom, what of it counts, and how it is undone."""

from __future__ import annotations

import itertools
import json
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.identity import fingerprint, record_id
from core.settings import RecordType
from core.store.results import Answer, FoundRecord
from core.store.wishes import Wishes
from core.store.write import aliases, disbelief, second_look
from core.store.write.writer import Writer
from tests.death import Death, Killed
from tests.small_crawl import SITE, SmallCrawl, record, settings_of, write_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from core.store.results import PageResult, Work

KEYLESS = {"name": "product", "match": "/", "fields": {"sku": {"css": ".sku"}}}
ALIASES = "SELECT a.path, b.path FROM page JOIN url a ON a.id = url_id JOIN url b ON b.id = alias_of ORDER BY 1"


def started(path: Path, *pages: str, **sections: Any) -> tuple[SmallCrawl, dict[str, Work]]:
    """A root with links, leased all at once."""
    crawl = SmallCrawl(path, settings_of(politeness={"per_host": 99, "concurrency": 99}, **sections))
    (root,) = crawl.turn().work
    return crawl, {work.url.target: work for work in crawl.turn(crawl.page(root, *pages)).work}


def naming(crawl: SmallCrawl, work: Work, canonical: str, *records: FoundRecord, **more: Any) -> PageResult:
    text = canonical if ":" in canonical else SITE + canonical
    return crawl.page(work, parsed={"canonical": text, "records": records}, **more)


def by_url(path: str, data: str) -> FoundRecord:
    """What a page shows of a type without a key, as the extractor brings it."""
    key = SITE + path
    made = fingerprint({}, {}) if data == "{}" else data
    return FoundRecord(
        *("product", key, record_id("default", "shop.test", "product", key), "shop.test", data, made),
        by_url=True,
        by_host=True,
    )


def in_turn(crawl: SmallCrawl, results: Iterable[PageResult]) -> dict[str, Work]:
    """Store results one by one; what was leased meanwhile."""
    leased = [work for result in results for work in crawl.turn(result).work]
    return {work.url.target: work for work in leased}


def test_alias_keeps_its_row_and_links_is_not_useful_and_its_canonical_is_queued_as_deep(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    turn = crawl.turn(crawl.page(works["/a"], "/linked", parsed={"canonical": f"{SITE}/b"}))
    assert {(work.url.target, work.depth) for work in turn.work} == {("/b", 1), ("/linked", 2)}
    crawl.turn(*(crawl.page(work) for work in turn.work))
    assert crawl.ask(ALIASES) == [("/a", "/b")]
    assert crawl.ask("SELECT path, useful FROM page JOIN url ON id = url_id ORDER BY 1") == [
        *(("/", 1), ("/a", 0), ("/b", 1), ("/linked", 1))
    ]
    assert (crawl.counter("useful"), crawl.counter("pages"), crawl.counter("new_urls")) == (3, 4, 3)
    crawl.assert_sound()


def test_page_that_names_itself_in_another_spelling_is_no_alias(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a?x=1&b=2", "/b")
    crawl.turn(naming(crawl, works["/a?x=1&b=2"], "/a?b=2&x=1&utm_source=x"), naming(crawl, works["/b"], "/b"))
    assert crawl.ask(ALIASES) == []
    assert crawl.counter("useful") == 3


@pytest.mark.parametrize("canonical", ["http://other.test/a", "javascript:x", "http://[", f"{SITE}/excluded"])
def test_foreign_invalid_and_excluded_canonicals_are_recorded_and_not_followed(tmp_path: Path, canonical: str) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", scope={"exclude": ["/excluded"]})
    assert not crawl.turn(naming(crawl, works["/a"], canonical)).work
    assert crawl.ask("SELECT canonical, alias_of, useful FROM page WHERE url_id = 2") == [(canonical, None, 1)]
    crawl.assert_sound()


def test_page_that_names_two_is_believed_of_neither(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    crawl.turn(crawl.page(works["/a"], parsed={"canonical": f"{SITE}/b {SITE}/c"}))
    assert crawl.ask(ALIASES) == []
    assert crawl.counter("useful") == 2


@pytest.mark.parametrize("order", list(itertools.permutations(["/a", "/b", "/c"])))
def test_all_of_a_chain_are_aliases_of_its_end(tmp_path: Path, order: tuple[str, ...]) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b", "/c")
    names = {"/a": "/b", "/b": "/c", "/c": "/c"}
    in_turn(crawl, [naming(crawl, works[path], names[path]) for path in order])
    assert crawl.ask(ALIASES) == [("/a", "/c"), ("/b", "/c")]
    assert crawl.counter("useful") == 2
    crawl.assert_sound()


@pytest.mark.parametrize("names", [{"/a": "/b", "/b": "/a"}, {"/a": "/b", "/b": "/c", "/c": "/a"}])
@pytest.mark.parametrize("order", [1, -1])
def test_pages_that_name_each_other_are_pages_of_their_own(tmp_path: Path, names: dict[str, str], order: int) -> None:
    crawl, works = started(tmp_path / "a.crawl", *names)
    in_turn(crawl, [naming(crawl, works[path], names[path]) for path in list(names)[::order]])
    assert crawl.ask(ALIASES) == []
    assert crawl.counter("useful") == 1 + len(names)
    crawl.assert_sound()


@pytest.mark.parametrize("order", [1, -1])
def test_page_whose_canonical_redirects_back_to_it_is_useful(tmp_path: Path, order: int) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b")
    in_turn(crawl, [naming(crawl, works["/a"], "/b"), crawl.redirect(works["/b"], "/a")][::order])
    assert crawl.ask(ALIASES) == []
    assert crawl.counter("useful") == 2
    crawl.assert_sound()


@pytest.mark.parametrize("order", [1, -1])
def test_canonical_page_is_no_copy_of_its_own_alias(tmp_path: Path, order: int) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b")
    in_turn(
        crawl, [naming(crawl, works["/a"], "/b", body="same"), naming(crawl, works["/b"], "/b", body="same")][::order]
    )
    assert crawl.ask(
        "SELECT path, useful, duplicate_of IS NULL FROM page JOIN url ON id = url_id WHERE path = '/b'"
    ) == [("/b", 1, 1)]
    assert crawl.counter("useful") == 2
    crawl.assert_sound()


def test_loop_of_two_copies_leaves_one_useful_page(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b")
    in_turn(crawl, [naming(crawl, works[one], other, body="same") for one, other in (("/a", "/b"), ("/b", "/a"))])
    useful = crawl.ask("SELECT path FROM page JOIN url ON id = url_id WHERE useful ORDER BY 1")
    assert useful in ([("/",), ("/a",)], [("/",), ("/b",)])
    crawl.assert_sound()


def test_nothing_is_believed_where_the_settings_say_so(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", normalise={"canonical": False})
    assert not crawl.turn(naming(crawl, works["/a"], "/b")).work
    assert crawl.ask("SELECT canonical, alias_of, useful FROM page WHERE url_id = 2") == [(f"{SITE}/b", None, 1)]


def test_switching_it_off_undoes_the_aliases_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aliases, "PIECE", 2)
    crawl, works = started(tmp_path / "a.crawl", *(f"/{number}" for number in range(5)))
    crawl.turn(*(naming(crawl, work, "/b") for work in works.values()))
    assert (len(crawl.ask(ALIASES)), crawl.counter("useful")) == (5, 1)
    crawl.change(settings_of(normalise={"canonical": False}))
    crawl.turn(granting=False)
    assert len(crawl.ask(ALIASES)) == 3
    crawl.assert_sound()
    crawl.reopen()
    crawl.crawl({})
    assert (crawl.ask(ALIASES), crawl.counter("useful")) == ([], 7)
    crawl.assert_sound()


def test_canonical_of_thirty_contents_is_not_believed_and_earlier_aliases_are_undone(tmp_path: Path) -> None:
    pages = [f"/{number}" for number in range(35)]
    crawl, works = started(tmp_path / "a.crawl", *pages)
    crawl.turn(*(naming(crawl, works[path], "/b") for path in pages[:29]))
    assert (len(crawl.ask(ALIASES)), crawl.counter("useful")) == (29, 1)
    crawl.turn(naming(crawl, works[pages[29]], "/b"))
    assert (crawl.ask(ALIASES), crawl.counter("useful")) == ([], 31)
    assert crawl.counter("useful", crawl.begun.run) == 31
    crawl.turn(*(naming(crawl, works[path], "/b") for path in pages[30:]))
    assert (crawl.ask(ALIASES), crawl.counter("useful")) == ([], 36)
    assert crawl.ask("SELECT kind, pattern, host FROM alarm") == [("canonical", f"{SITE}/b", "shop.test")]
    assert crawl.ask("SELECT level, kind, url FROM log WHERE kind = 'canonical'") == [
        ("warning", "canonical", f"{SITE}/b")
    ]
    crawl.assert_sound()


def test_thirty_pages_of_one_content_are_aliases_all_the_same(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", *(f"/?session={number}" for number in range(40)))
    crawl.turn(*(naming(crawl, work, "/b", body="same") for work in works.values()))
    assert len(crawl.ask(ALIASES)) == 40
    assert crawl.ask("SELECT count(*) FROM alarm") == [(0,)]


def test_distrust_outlives_the_engine_and_many_aliases_are_undone_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aliases, "PIECE", 10)
    pages = [f"/{number}" for number in range(31)]
    crawl, works = started(tmp_path / "a.crawl", *pages)
    crawl.turn(*(naming(crawl, works[path], "/b") for path in pages[:30]), granting=False)
    left = len(crawl.ask(ALIASES))
    assert 0 < left < 29
    crawl.assert_sound()
    crawl.reopen()
    crawl.crawl({})
    assert crawl.ask(ALIASES) == []
    crawl.finish()
    crawl.now += 100.0
    crawl.open(recrawl="all")
    works = {work.url.target: work for work in crawl.turn().work}
    crawl.turn(naming(crawl, works["/3"], "/b"))
    assert crawl.ask(ALIASES) == []
    crawl.assert_sound()


def test_useful_pages_of_an_earlier_run_are_counted_there(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    works = in_turn(crawl, [naming(crawl, works["/a"], "/b", answer={"etag": '"1"'})])
    in_turn(crawl, [crawl.page(works["/b"], "/x")])
    crawl.crawl({})
    crawl.finish()
    crawl.now += 100.0
    crawl.open(recrawl="all")
    works = {work.url.target: work for work in crawl.turn().work}
    assert crawl.counter("useful", 1) == 3
    in_turn(crawl, [naming(crawl, works["/b"], "/a")])
    assert crawl.counter("useful", 1) == 4
    crawl.assert_sound()


def test_page_that_names_nothing_any_more_is_an_alias_no_more(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    works = in_turn(crawl, [naming(crawl, works["/a"], "/b")])
    in_turn(crawl, [crawl.page(works["/b"])])
    crawl.finish()
    crawl.now += 100.0
    crawl.open(recrawl="all")
    works = {work.url.target: work for work in crawl.turn().work}
    crawl.turn(crawl.page(works["/a"], body="other"))
    assert crawl.ask("SELECT alias_of, useful FROM page WHERE url_id = 2") == [(None, 1)]
    crawl.assert_sound()


def test_canonical_page_comes_nearer_with_its_alias(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/far", "/near")
    works |= in_turn(crawl, [crawl.page(works["/far"], "/further")])
    works |= in_turn(crawl, [crawl.page(works["/further"], "/a")])
    in_turn(crawl, [naming(crawl, works["/a"], "/b")])
    assert crawl.ask("SELECT path, depth FROM url WHERE path IN ('/a', '/b') ORDER BY 1") == [("/a", 3), ("/b", 3)]
    in_turn(crawl, [crawl.page(works["/near"], "/a")])
    assert crawl.ask("SELECT path, depth FROM url WHERE path IN ('/a', '/b') ORDER BY 1") == [("/a", 2), ("/b", 2)]


# -- records -----------------------------------------------------------------------------------------------------------

RECORDS = "SELECT natural_key, data, path FROM record JOIN url ON url.id = url_id ORDER BY 1"


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("same_words", [True, False])
def test_record_of_an_alias_has_the_identity_of_its_canonical_whose_own_page_wins(
    tmp_path: Path, order: int, *, same_words: bool
) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b", records=[KEYLESS])
    ours = '{"sku":"b"}'
    other = ours if same_words else '{"sku":"a"}'
    results = [
        naming(crawl, works["/a"], "/b", by_url("/a", other)),
        crawl.page(works["/b"], parsed={"records": (by_url("/b", ours),)}),
    ]
    in_turn(crawl, results[::order])
    assert crawl.ask(RECORDS) == [(f"{SITE}/b", ours, "/b")]
    assert crawl.counter("conflicts") == (not same_words)
    crawl.assert_sound()


def test_records_with_a_key_take_the_source_of_the_canonical_host(tmp_path: Path) -> None:
    kind = {"name": "product", "match": "/", "key": "sku", "fields": {"sku": {"css": ".sku"}}}
    hosts = ["shop.test", "www.shop.test"]
    crawl, works = started(tmp_path / "a.crawl", "/a", records=[kind], scope={"hosts": hosts})
    shown = FoundRecord("product", "1", record("1", "{}").record_id, "shop.test", "{}", "f", by_host=True)
    crawl.turn(naming(crawl, works["/a"], "http://www.shop.test/a", shown))
    assert crawl.ask("SELECT id, source FROM record") == [
        (record_id("default", "www.shop.test", "product", "1"), "www.shop.test")
    ]


def test_undone_aliases_have_each_its_own_record_again(tmp_path: Path) -> None:
    pages = [f"/{number}" for number in range(30)]
    crawl, works = started(tmp_path / "a.crawl", *pages, "/b", records=[KEYLESS])
    said = {path: f'{{"sku":"{path}"}}' for path in pages}
    in_turn(crawl, [naming(crawl, works[path], "/b", by_url(path, said[path])) for path in pages[:29]])
    assert crawl.counter("records") == 1
    assert crawl.counter("conflicts") == 28
    in_turn(crawl, [naming(crawl, works["/29"], "/b", by_url("/29", said["/29"]))])
    assert crawl.ask(RECORDS) == sorted((SITE + path, said[path], path) for path in pages)
    assert crawl.ask("SELECT count(*) FROM record WHERE canonical <> 0") == [(0,)]
    assert (crawl.counter("records"), crawl.counter("conflicts"), crawl.counter("created")) == (30, 0, 30)
    kind = RecordType(name="product", match="/")
    assert {found for (found,) in crawl.ask("SELECT id FROM record")} == {
        record_id("default", "shop.test", kind.name, SITE + path) for path in pages
    }
    crawl.assert_sound()


def test_undone_alias_of_which_no_words_are_kept_is_fetched_once_more_without_a_condition(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b", "/c", records=[KEYLESS])
    in_turn(
        crawl,
        [naming(crawl, works[path], "/b", by_url(path, '{"sku":1}'), answer={"etag": '"1"'}) for path in ("/a", "/c")],
    )
    again = in_turn(crawl, [naming(crawl, works["/b"], "/c", by_url("/b", '{"sku":2}'))])
    assert set(again) == {"/c"}
    assert again["/c"].etag is None
    in_turn(crawl, [naming(crawl, again["/c"], "/b", by_url("/c", '{"sku":1}'))])
    assert f"{SITE}/c" in {key for key, *_ in crawl.ask(RECORDS)}
    crawl.assert_sound()


NAMES = st.sampled_from([None, "/a", "/b", "/c", "/other"])
SAID = {"/a": '{"n":1}', "/b": '{"n":2}', "/c": '{"n":3}'}
KEYED = {"name": "product", "match": "/", "key": "sku", "fields": {"n": {"css": ".n"}}}


@settings(max_examples=15, deadline=None)
@given(names=st.fixed_dictionaries(dict.fromkeys(SAID, NAMES)))
def test_outcome_hangs_on_no_order(names: dict[str, str | None]) -> None:
    outcomes = []
    for order in itertools.permutations(names.items()):
        with tempfile.TemporaryDirectory() as folder:
            crawl, works = started(Path(folder) / "a.crawl", *names, records=[KEYED])
            results = [
                crawl.page(
                    works[path],
                    parsed={"canonical": canonical and SITE + canonical, "records": (by_key(SAID[path]),)},
                )
                for path, canonical in order
            ]
            in_turn(crawl, results)
            crawl.assert_sound()
            record_and_page = crawl.ask("SELECT data, path FROM record JOIN url ON url.id = url_id")
            lost = crawl.ask("SELECT DISTINCT data FROM conflict ORDER BY 1")
            outcomes.append((crawl.ask(ALIASES), crawl.counter("useful"), record_and_page, lost))
            crawl.kill()
    assert all(found == outcomes[0] for found in outcomes), outcomes


def by_key(data: str) -> FoundRecord:
    made = record("1", data)
    return replace(made, fingerprint=fingerprint(json.loads(data), {}), by_host=True)


# -- canonicals that turn out to be none -------------------------------------------------------------------------------

PICTURE = Answer(0.0, 200, "ok", "image/png", 10)
BAD: dict[str, Callable[[SmallCrawl, Work], PageResult]] = {
    "answers 404": lambda crawl, work: crawl.failure(work, 404),
    "answers 410": lambda crawl, work: crawl.failure(work, 410),
    "answers 500": lambda crawl, work: crawl.failure(work, 500),
    "cannot be fetched (timeout)": lambda crawl, work: crawl.failure(work, None),
    "redirects to no page of this crawl": lambda crawl, work: crawl.redirect(work, "http://other.test/"),
    "fails the content checks": lambda crawl, work: crawl.page(work, parsed={"soft_block": True}),
    "is no page that this crawl reads (image/png)": lambda crawl, work: replace(
        crawl.page(work, answer={}), accepted=False, parsed=None, answer=replace(PICTURE, at=crawl.at)
    ),
}


@pytest.mark.parametrize("fault", BAD)
@pytest.mark.parametrize("order", [1, -1])
def test_page_is_its_own_where_what_it_names_turns_out_to_be_no_canonical(
    tmp_path: Path, fault: str, order: int
) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b", records=[KEYLESS])
    shown = by_url("/a", '{"sku":"a"}')
    in_turn(crawl, [naming(crawl, works["/a"], "/b", shown), BAD[fault](crawl, works["/b"])][::order])
    assert crawl.ask("SELECT canonical, alias_of, useful FROM page JOIN url ON id = url_id WHERE path = '/a'") == [
        (f"{SITE}/b", None, 1)
    ]
    assert crawl.ask(RECORDS) == [(f"{SITE}/a", '{"sku":"a"}', "/a")]
    assert crawl.ask("SELECT message FROM log WHERE kind = 'canonical'") == [
        (f"{SITE}/b {fault}: no canonical is believed that names it.",)
    ]
    crawl.assert_sound()


def test_why_is_told_once_however_many_pages_name_it_and_however_often_they_are_fetched(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/b", *(f"/{number}" for number in range(5)))
    crawl.turn(crawl.failure(works.pop("/b"), 404), *(naming(crawl, work, "/b") for work in works.values()))
    again(crawl)
    works = {work.url.target: work for work in crawl.turn().work}
    crawl.turn(crawl.failure(works.pop("/b"), 404), *(naming(crawl, work, "/b") for work in works.values()))
    assert len(crawl.ask("SELECT 1 FROM log WHERE kind = 'canonical'")) == 1


def test_log_does_not_fill_where_every_page_names_another_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disbelief, "MOST_TOLD", 3)
    crawl, works = started(tmp_path / "a.crawl", *(f"/{number}" for number in range(9)))
    missing = in_turn(crawl, [naming(crawl, work, f"/missing{path[1:]}") for path, work in works.items()])
    in_turn(crawl, [crawl.failure(work, 404) for work in missing.values()])
    told = [message for (message,) in crawl.ask("SELECT message FROM log WHERE kind = 'canonical' ORDER BY id")]
    assert len(told) == 4
    assert told[-1].startswith("Further canonicals")


def again(crawl: SmallCrawl) -> None:
    """The run is over; the next one fetches everything."""
    crawl.crawl({})
    crawl.finish()
    crawl.now += 100.0
    crawl.open(recrawl="all")


def test_bad_hour_of_the_canonical_moves_no_record(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b", records=[KEYLESS])
    in_turn(crawl, [naming(crawl, works["/a"], "/b", by_url("/a", "{}")), crawl.page(works["/b"])])
    again(crawl)
    works = {work.url.target: work for work in crawl.turn().work}
    in_turn(crawl, [crawl.failure(works["/b"], 503), naming(crawl, works["/a"], "/b", by_url("/a", "{}"))])
    assert crawl.ask(ALIASES) == [("/a", "/b")]
    assert crawl.ask(RECORDS) == [(f"{SITE}/b", "{}", "/a")]
    again(crawl)
    works = {work.url.target: work for work in crawl.turn().work}
    in_turn(crawl, [crawl.failure(works["/b"], 404), naming(crawl, works["/a"], "/b", by_url("/a", "{}"))])
    assert crawl.ask(ALIASES) == []
    assert crawl.ask(RECORDS) == [(f"{SITE}/a", "{}", "/a")]
    crawl.assert_sound()


@pytest.mark.parametrize("unchanged", [True, False])
def test_canonical_that_is_there_at_last_is_believed_at_the_end_of_the_run(tmp_path: Path, *, unchanged: bool) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b", records=[KEYLESS])
    said = {"canonical": f"{SITE}/b", "records": (by_url("/a", "{}"),)}
    first = crawl.page(works["/a"], "/", parsed=said, answer={"etag": '"1"'})  # its links are kept: it may be unchanged
    in_turn(crawl, [crawl.failure(works["/b"], 404), first])
    again(crawl)
    works = {work.url.target: work for work in crawl.turn().work}
    same = crawl.not_modified(works["/a"]) if unchanged else naming(crawl, works["/a"], "/b", by_url("/a", "{}"))
    in_turn(crawl, [same, crawl.page(works.pop("/b")), crawl.page(works.pop("/"))])
    crawl.crawl({})
    assert crawl.ask(ALIASES) == [("/a", "/b")]
    assert crawl.ask(RECORDS) == [(f"{SITE}/b", "{}", "/a")]
    crawl.assert_sound()


def test_aliases_of_a_missing_page_are_undone_in_pieces_that_outlive_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aliases, "PIECE", 4)
    pages = [f"/{number}" for number in range(20)]
    crawl, works = started(tmp_path / "a.crawl", *pages, "/b")
    crawl.turn(*(naming(crawl, works[path], "/b") for path in pages), granting=False)
    crawl.turn(crawl.failure(works["/b"], 404), granting=False)
    assert 0 < len(crawl.ask(ALIASES)) < 20
    crawl.assert_sound()
    crawl.reopen()
    crawl.crawl({})
    assert (crawl.ask(ALIASES), crawl.counter("useful")) == ([], 21)
    assert crawl.ask("SELECT 1 FROM meta WHERE name LIKE 'canonicals%'") == []
    crawl.assert_sound()


def test_canonical_that_a_pattern_excludes_is_none_until_the_pattern_is_removed(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    crawl.turn(naming(crawl, works["/a"], "/b"), granting=False)
    crawl.change(settings_of(scope={"exclude": ["/b"]}))
    crawl.crawl({})
    assert (crawl.ask(ALIASES), crawl.states()["/b"]) == ([], "excluded")
    assert crawl.ask("SELECT message FROM log WHERE kind = 'canonical'") == [
        (f"{SITE}/b is excluded by /b: no canonical is believed that names it.",)
    ]
    crawl.assert_sound()
    crawl.change(settings_of())
    assert crawl.crawl({}) == ["/b"]
    assert crawl.ask(ALIASES) == [("/a", "/b")]
    crawl.assert_sound()


def test_canonical_that_comes_into_scope_is_queued_and_believed(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    crawl.turn(naming(crawl, works["/a"], "http://www.shop.test/a"))
    crawl.crawl({})
    assert crawl.ask(ALIASES) == []
    crawl.change(settings_of(scope={"hosts": ["shop.test", "www.shop.test"]}))
    assert crawl.crawl({}) == ["/a"]
    assert len(crawl.ask(ALIASES)) == 1
    crawl.assert_sound()


# -- off, and on again -------------------------------------------------------------------------------------------------

ANSWERS = {"/": None, "/a": "/b", "/b": "/b", "/c": "/b", "/d": "/e", "/e": "/d", "/f": "/missing", "/g": "/new"}
BODIES = {"/a": "same", "/b": "same"}


def family(path: Path, *, believed: bool) -> SmallCrawl:
    """A site with aliases, a copy, a ring, and canonicals that are missing or not linked."""
    crawl, works = started(path, *list(ANSWERS)[1:], records=[KEYLESS], normalise={"canonical": believed})
    for page, work in works.items():
        data = f'{{"sku":"{page}"}}'
        named = naming(crawl, work, ANSWERS[page] or page, by_url(page, data), body=BODIES.get(page, ""))
        answer_all(crawl, crawl.turn(named).work)
    return crawl


def answer_all(crawl: SmallCrawl, works: Iterable[Work]) -> None:
    """What is linked by nobody: `/missing` is, the rest is a page."""
    for work in works:
        crawl.turn(crawl.failure(work) if work.url.target == "/missing" else crawl.page(work))


def outcome(crawl: SmallCrawl) -> tuple[Any, ...]:
    useful = crawl.ask("SELECT path FROM page JOIN url ON id = url_id WHERE useful ORDER BY 1")
    conflicts = crawl.ask("SELECT natural_key, data FROM conflict ORDER BY 1, 2")
    return crawl.ask(ALIASES), useful, crawl.counter("useful"), crawl.ask(RECORDS), crawl.counter("records"), conflicts


def run_on(crawl: SmallCrawl) -> list[str]:
    """Until nothing is left, `/missing` missing: what was requested."""
    requested: list[str] = []
    turn = crawl.turn()
    while turn.work or not turn.idle:
        requested += [work.url.target for work in turn.work]
        answers = [crawl.failure(w) if w.url.target == "/missing" else crawl.page(w) for w in turn.work]
        turn = crawl.turn(*answers)
    return requested


def test_switched_on_again_stored_canonicals_count_as_if_they_always_had_and_nothing_is_asked_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_look, "PIECE", 2)
    always = family(tmp_path / "always.crawl", believed=True)
    run_on(always)
    assert always.ask(ALIASES) == [("/a", "/b"), ("/c", "/b"), ("/g", "/new")]
    never = family(tmp_path / "never.crawl", believed=False)
    run_on(never)
    assert never.ask(ALIASES) == []
    plain = outcome(never)
    never.change(settings_of(records=[KEYLESS]))
    assert sorted(run_on(never)) == ["/missing", "/new"]
    told = [message for (message,) in never.ask("SELECT message FROM log WHERE kind = 'canonical' AND url = ''")]
    assert told == ["By the canonicals they name, 4 known pages became aliases without a request."]
    assert outcome(never) == outcome(always)
    never.assert_sound()
    off = settings_of(records=[KEYLESS], normalise={"canonical": False})
    for crawl in (always, never):
        crawl.change(off)
        assert run_on(crawl) == []
        aliases_, _, useful, records, count, conflicts = outcome(crawl)
        assert (aliases_, useful, records, count, conflicts) == ([], plain[2] + 1, plain[3], plain[4], [])
        crawl.assert_sound()
        crawl.change(settings_of(records=[KEYLESS]))
        assert run_on(crawl) == []
    assert outcome(never) == outcome(always)


def test_switched_on_while_nothing_ran_they_count_after_apply(tmp_path: Path) -> None:
    crawl = family(tmp_path / "a.crawl", believed=False)
    run_on(crawl)
    crawl.finish()
    write_settings(crawl.path, settings_of(records=[KEYLESS]), crawl.at)
    writer = Writer(crawl.path)
    writer.apply(crawl.now, crawl.at)
    writer.close()
    assert crawl.ask(ALIASES)[:2] == [("/a", "/b"), ("/c", "/b")]
    crawl.assert_sound()


def test_killed_while_stored_canonicals_are_looked_at_again_the_outcome_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_look, "PIECE", 2)
    whole = family(tmp_path / "whole.crawl", believed=False)
    run_on(whole)
    whole.change(settings_of(records=[KEYLESS]))
    run_on(whole)
    expected = outcome(whole)
    for number in range(0, 150, 6):
        crawl = family(tmp_path / f"{number}.crawl", believed=False)
        run_on(crawl)
        crawl.change(settings_of(records=[KEYLESS]))
        with suppress(Killed):
            crawl.writer._connection.exec_trace = Death(number)
            run_on(crawl)
        crawl.reopen()
        crawl.assert_sound()
        run_on(crawl)
        assert outcome(crawl) == expected
        crawl.assert_sound()
        crawl.kill()


WORDS = st.sampled_from(["plain", "missing", "redirect", "/a", "/b", "/c", "/d"])


@settings(max_examples=25, deadline=None)
@given(said=st.fixed_dictionaries(dict.fromkeys(("/a", "/b", "/c", "/d"), WORDS)), numbers=st.permutations(range(4)))
def test_outcome_with_missing_and_redirecting_pages_hangs_on_no_order(said: dict[str, str], numbers: list[int]) -> None:
    outcomes = []
    for order in (range(4), numbers):
        with tempfile.TemporaryDirectory() as folder:
            crawl, works = started(Path(folder) / "a.crawl", *said, records=[KEYLESS])
            for path in (list(said)[number] for number in order):
                in_turn(crawl, [answer_to(crawl, works[path], said[path])])
            run_on(crawl)
            crawl.assert_sound()
            outcomes.append((crawl.ask(ALIASES), crawl.counter("useful"), crawl.ask(RECORDS)))
            crawl.kill()
    assert outcomes[0] == outcomes[1]


def answer_to(crawl: SmallCrawl, work: Work, said: str) -> PageResult:
    path = work.url.target
    if said == "missing":
        return crawl.failure(work)
    if said == "redirect":
        return crawl.redirect(work, "/")
    named = path if said == "plain" else said
    return naming(crawl, work, named, by_url(path, f'{{"sku":"{path}"}}'))


@pytest.mark.parametrize("first", ["/p/", "/p"])
def test_alias_of_its_own_spelling_under_other_rules_is_a_page_and_an_alias_again_when_they_are_taken_back(
    tmp_path: Path, first: str
) -> None:
    other = {"/p/": "/p", "/p": "/p/"}[first]
    crawl, works = started(tmp_path / "a.crawl", first, other, records=[KEYLESS])
    data = f'{{"sku":"{first}"}}'
    in_turn(crawl, [naming(crawl, works[first], other, by_url(first, data)), crawl.page(works[other])])
    before = outcome(crawl)
    assert before[0] == [(first, other)]
    for rules, expected in (({"trailing_slash": True}, []), ({}, [(first, other)])):
        crawl.finish()
        wishes = Wishes(crawl.path)
        wishes.set_settings(settings_of(records=[KEYLESS], normalise=rules))
        wishes.close()
        writer = Writer(crawl.path)
        writer.apply(crawl.now, crawl.at)
        writer.close()
        assert crawl.ask(ALIASES.replace("ORDER", "WHERE a.same_as IS NULL ORDER")) == expected
        assert crawl.counter("records") == 1
        crawl.open()
        crawl.assert_sound()
    assert outcome(crawl) == before
