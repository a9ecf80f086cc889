"""One record is one row, and its outcome does not hang on the order its pages came in."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.small_crawl import SITE, SmallCrawl, record

if TYPE_CHECKING:
    from core.store.results import FoundRecord, PageResult, Work

PAGES = ("/a", "/b", "/c")
ROW = "SELECT data, version, action, url.path FROM record JOIN url ON url.id = record.url_id"


def started(path: Path, *pages: str) -> tuple[SmallCrawl, dict[str, Work]]:
    crawl = SmallCrawl(path)
    (root,) = crawl.turn().work
    works = crawl.turn(crawl.page(root, *pages)).work
    return crawl, {work.url.target: work for work in works}


def again(crawl: SmallCrawl) -> dict[str, Work]:
    """The same pages, leased in a run of their own."""
    crawl.finish()
    crawl.now += 100.0
    crawl.open(recrawl="all")
    return {work.url.target: work for work in crawl.turn().work}


def shows(crawl: SmallCrawl, work: Work, *records: FoundRecord, canonical: bool = False, etag: str = "") -> PageResult:
    parsed = {"records": records, "canonical": work.url.text if canonical else None}
    return crawl.page(work, parsed=parsed, answer={"etag": etag or None}, body=repr(records))


def test_insert_repeat_and_change_are_one_id_one_row_and_the_last_etag(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    ids = set()
    for number, (data, action) in enumerate([('{"n":1}', "created"), ('{"n":1}', "unchanged"), ('{"n":2}', "updated")]):
        crawl.turn(shows(crawl, works["/a"], record("1", data), etag=f'"{number}"'))
        assert crawl.ask("SELECT count(*), action, etag, data FROM record") == [(1, action, f'"{number}"', data)]
        ids.add(crawl.one("SELECT id FROM record"))
        assert crawl.counter(action, crawl.begun.run) == 1
        crawl.assert_sound()
        works = again(crawl)
    assert len(ids) == 1


def test_unchanged_moves_last_seen_and_not_last_changed(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    crawl.turn(shows(crawl, works["/a"], record("1", "{}")))
    works = again(crawl)
    crawl.turn(shows(crawl, works["/a"], record("1", "{}")))
    assert crawl.one("SELECT last_seen - first_seen >= 100 AND last_changed = first_seen FROM record") == 1
    assert crawl.one("SELECT count(*) FROM record_version") == 1


def test_history_keeps_every_version_with_the_time_it_was_valid(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    for number in range(3):
        crawl.turn(shows(crawl, works["/a"], record("1", f'{{"n":{number}}}')))
        works = again(crawl)
    versions = crawl.ask("SELECT version, data, valid_from, valid_to FROM record_version ORDER BY version")
    assert [(version, data) for version, data, *_ in versions] == [(1, '{"n":0}'), (2, '{"n":1}'), (3, '{"n":2}')]
    assert [end for *_, end in versions] == [versions[1][2], versions[2][2], None]


def test_missing_key_is_a_listed_conflict_and_no_record(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    crawl.turn(shows(crawl, works["/a"], record(None, '{"a":1}'), record(None, '{"a":2}'), record("1", "{}")))
    assert (
        crawl.ask("SELECT natural_key, record_id, reason FROM conflict") == [(None, None, "the key sku is missing")] * 2
    )
    assert crawl.counter("records") == 1
    crawl.assert_sound()


def test_two_rows_of_a_page_with_one_key_are_one_record_and_a_conflict(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    crawl.turn(shows(crawl, works["/a"], record("1", '{"n":1}'), record("1", '{"n":2}'), record("1", '{"n":1}')))
    assert crawl.ask(ROW) == [('{"n":1}', 1, "created", "/a")]
    assert crawl.ask("SELECT data FROM conflict") == [('{"n":2}',)]
    crawl.assert_sound()


def test_page_that_answers_304_shows_its_records_unchanged(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    crawl.turn(crawl.page(works["/a"], "/", parsed={"records": (record("1", "{}"),)}, answer={"etag": '"1"'}))
    works = again(crawl)
    assert works["/a"].etag == '"1"'
    crawl.turn(crawl.not_modified(works["/a"], etag='"2"'))
    assert crawl.ask("SELECT data, action, etag, last_seen > last_changed FROM record") == [
        ("{}", "unchanged", '"2"', 1)
    ]
    crawl.assert_sound()


Saying = tuple[str, bool, str]  # path, whether it is canonical, what it says
SAYINGS = st.lists(
    st.tuples(st.sampled_from(PAGES), st.booleans(), st.sampled_from(['{"n":1}', '{"n":2}', '{"n":3}'])),
    min_size=2,
    max_size=3,
    unique_by=lambda saying: saying[0],
)


def outcome(sayings: list[Saying], first_run: list[Saying]) -> tuple[object, ...]:
    """The record and the conflicts of a run in which pages said this, in this order, after another run or none."""
    with tempfile.TemporaryDirectory() as folder:
        crawl, works = started(Path(folder) / "a.crawl", *PAGES)
        for number, run in enumerate([first_run, sayings]):
            if number and first_run:
                works = again(crawl)
            for path, canonical, data in run:
                crawl.turn(shows(crawl, works[path], record("1", data), canonical=canonical))
        crawl.assert_sound()
        versions = crawl.ask("SELECT version, data FROM record_version ORDER BY version")
        conflicts = crawl.ask("SELECT DISTINCT data FROM conflict WHERE run = ? ORDER BY 1", crawl.begun.run)
        found = (crawl.ask(ROW), versions, conflicts)
        crawl.kill()
    return found


@settings(max_examples=8, deadline=None)
@given(sayings=SAYINGS)
def test_outcome_is_the_same_in_every_order(sayings: list[Saying]) -> None:
    outcomes = [outcome(list(order), []) for order in itertools.permutations(sayings)]
    assert all(found == outcomes[0] for found in outcomes), outcomes


@settings(max_examples=8, deadline=None)
@given(sayings=SAYINGS, first_run=SAYINGS)
def test_outcome_of_a_later_run_is_the_same_in_every_order(sayings: list[Saying], first_run: list[Saying]) -> None:
    canonical = {path for path, is_canonical, _ in sayings if is_canonical}  # a page's own word, in both runs
    said = {path for path, *_ in sayings}
    same_pages = [(path, path in canonical, data) for path, _, data in first_run if path in said]
    outcomes = [outcome(list(order), same_pages) for order in itertools.permutations(sayings)]
    assert all(found[0] == outcomes[0][0] and found[1] == outcomes[0][1] for found in outcomes), outcomes


def test_precedence_is_canonical_then_depth_then_address(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", *PAGES)
    crawl.turn(shows(crawl, works["/c"], record("1", '{"n":3}'), canonical=True))
    crawl.turn(shows(crawl, works["/b"], record("1", '{"n":2}')))
    crawl.turn(shows(crawl, works["/a"], record("1", '{"n":1}')))
    assert crawl.ask(ROW) == [('{"n":3}', 1, "created", "/c")]
    losers = crawl.ask("SELECT path, data, conflict.reason FROM conflict JOIN url ON url.id = url_id ORDER BY 1")
    assert losers == [
        ("/a", '{"n":1}', "another page has precedence"),
        ("/b", '{"n":2}', "another page has precedence"),
    ]
    assert crawl.counter("updated") == 0


def test_page_that_lost_takes_over_when_the_holder_no_longer_shows_the_record(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b")
    crawl.turn(shows(crawl, works["/a"], record("1", '{"n":1}')), shows(crawl, works["/b"], record("1", '{"n":2}')))
    works = again(crawl)
    crawl.turn(shows(crawl, works["/a"]))
    crawl.turn(shows(crawl, works["/b"], record("1", '{"n":2}')))
    assert crawl.ask(ROW) == [('{"n":2}', 2, "updated", "/b")]
    crawl.assert_sound()


def test_unique_constraint_is_the_last_guard_between_two_connections(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    crawl.turn(shows(crawl, works["/a"], record("1", "{}")))
    columns = [name for (name,) in crawl.ask("SELECT name FROM pragma_table_info('record') WHERE name <> 'id'")]
    copy = f"INSERT INTO record(id, {', '.join(columns)}) SELECT 'another', {', '.join(columns)} FROM record"  # noqa: S608 - names of the schema
    with pytest.raises(apsw.ConstraintError):
        crawl.ask(copy)
    assert crawl.one("SELECT count(*) FROM record") == 1


def test_id_does_not_hang_on_when_or_where_a_record_was_seen(tmp_path: Path) -> None:
    ids = set()
    for name, paths in (("a", ("/a", "/b")), ("b", ("/b", "/a"))):
        crawl, works = started(tmp_path / f"{name}.crawl", *paths)
        crawl.turn(shows(crawl, works[paths[0]], record("1", "{}")))
        ids.add(crawl.one("SELECT id FROM record"))
    assert len(ids) == 1
    assert SITE.removeprefix("http://") == crawl.one("SELECT source FROM record")
