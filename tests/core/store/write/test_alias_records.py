"""Records of an alias: they have the identity of its canonical page, and their own when it is none."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.identity import record_id
from core.settings import RecordType
from core.store.results import FoundRecord
from tests.core.store.write.naming_pages import (
    ALIASES,
    KEYLESS,
    RECORDS,
    by_key,
    by_url,
    in_turn,
    naming,
    started,
)
from tests.small_crawl import SITE, record


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
