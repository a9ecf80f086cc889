"""What was there and is no longer: gone with its date, back without a loss, not believed when it is much at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.store.read.audit import audit
from core.store.read.reader import Reader
from core.store.results import FoundRecord
from core.store.wishes import Wishes
from core.store.write import absences, reckoning
from core.store.write.reached import Reached
from tests.small_crawl import NOON, SmallCrawl, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.store.results import PageResult, Result, Work

Site = dict[str, list[str]]  # what is not in it answers 404
MANY = [f"/p{number}" for number in range(30)]
WITH_RECORDS = [{"name": "thing", "match": "/*", "key": "name", "fields": {"name": {"css": "h1"}}}]
MOST_PIECES = 500


def found(name: str) -> FoundRecord:
    return FoundRecord("thing", name, f"id-{name}", "shop.test", json.dumps({"name": name}), f"print-{name}")


class Watched(SmallCrawl):
    """A crawl of a site that changes from run to run; `shown` are the records of each page."""

    shown: dict[str, list[str]]

    def answer(self, work: Work, site: Site) -> PageResult:
        path = work.url.target
        if path not in site:
            return self.failure(work, 404)
        records = tuple(found(name) for name in self.shown.get(path, []))
        return self.page(work, *site[path], parsed={"records": records})

    def drive(self, site: Site) -> None:
        """Until nothing is left, as the engine does, but without an end."""
        while True:
            results: list[Result] = []
            for _ in range(MOST_PIECES):
                turn = self.turn(*results)
                results = [self.answer(work, site) for work in turn.work]
                if turn.idle and not results:
                    break
            else:
                raise AssertionError("not idle")
            if not self.writer.reckon(self.now, self.at):
                return

    def run(self, site: Site, recrawl: str = "all", later: float = 86_400.0) -> None:
        if recrawl:
            self.now += later
            self.open(recrawl=recrawl)
        self.drive(site)
        self.finish()

    def confirm(self) -> None:
        wishes = Wishes(self.path)
        wishes.confirm()
        wishes.close()

    def alarms(self) -> list[str]:
        return [alarm.kind for alarm in Reader(self.path).alarms()]

    def of(self, state: str) -> list[str]:
        return sorted(path for path, word in self.states().items() if word == state)

    def absences(self) -> list[Any]:
        return self.ask("SELECT coalesce(path, record_id), run, back_run FROM absence LEFT JOIN url ON url.id = url_id")


def watched(path: Path, site: Site, shown: dict[str, list[str]] | None = None, **sections: Any) -> Watched:
    crawl = Watched(path, settings_of(**{"records": WITH_RECORDS, **sections}))
    crawl.shown = shown or {}
    crawl.run(site, recrawl="")
    return crawl


def check(crawl: SmallCrawl) -> None:
    certificate = audit(crawl.path)
    assert certificate.ok, certificate
    gone = crawl.ask("SELECT id FROM url WHERE state = 8 ORDER BY id")
    assert crawl.ask("SELECT url_id FROM absence WHERE url_id AND back IS NULL ORDER BY url_id") == gone
    gone = crawl.ask("SELECT id FROM record WHERE gone IS NOT NULL ORDER BY id")
    assert crawl.ask("SELECT record_id FROM absence WHERE url_id IS NULL AND back IS NULL ORDER BY 1") == gone


def test_a_page_that_answers_404_is_gone_with_its_records_and_back_without_a_loss(tmp_path: Path) -> None:
    site: Site = {"/": ["/a", "/b"], "/a": [], "/b": []}
    crawl = watched(tmp_path / "a.crawl", site, {"/a": ["one"], "/b": ["two"]})
    crawl.run({"/": ["/a", "/b"], "/b": []})
    assert crawl.of("gone") == ["/a"]
    assert crawl.ask("SELECT gone IS NOT NULL FROM record ORDER BY id") == [(1,), (0,)]
    assert crawl.absences() == [("/a", 2, None), ("id-one", 2, None)]
    assert crawl.one("SELECT gone = at AND at > 1.8e9 FROM record, absence WHERE record_id = record.id") == 1
    crawl.run({"/": ["/a", "/b"], "/b": []})
    assert crawl.absences() == [("/a", 2, None), ("id-one", 2, None)]
    crawl.run(site)
    assert crawl.of("gone") == []
    assert crawl.absences() == [("/a", 2, 4), ("id-one", 2, 4)]
    assert crawl.ask("SELECT id, gone, version FROM record ORDER BY id") == [("id-one", None, 1), ("id-two", None, 1)]
    check(crawl)


def test_a_page_that_is_gone_is_asked_again_when_it_is_due(tmp_path: Path) -> None:
    crawl = watched(tmp_path / "a.crawl", {"/": ["/a"], "/a": []}, recrawl={"first": 1000, "shortest": 1000})
    crawl.run({"/": ["/a"]})
    assert crawl.of("gone") == ["/a"]
    crawl.run({"/": ["/a"], "/a": []}, recrawl="due")
    assert crawl.of("gone") == []


def test_a_bad_hour_brings_nothing_back_and_takes_nothing_away(tmp_path: Path) -> None:
    site: Site = {"/": ["/a", "/b"], "/a": ["/b"], "/b": []}
    crawl = watched(tmp_path / "a.crawl", site, {"/a": ["one"]})
    links = crawl.ask("SELECT * FROM link ORDER BY 1, 2")
    crawl.now += 86_400.0
    crawl.open(recrawl="all")
    works = crawl.turn().work
    crawl.turn(*(crawl.failure(work, 503) for work in works))
    crawl.drive(site)
    crawl.finish()
    assert crawl.of("failed") == ["/", "/a", "/b"]
    assert crawl.ask("SELECT * FROM link ORDER BY 1, 2") == links
    assert crawl.ask("SELECT sum(misses) FROM page UNION ALL SELECT sum(misses) FROM record") == [(0,), (0,)]
    crawl.run({"/": ["/a"]})
    assert crawl.of("gone") == ["/a", "/b"]
    crawl.now += 86_400.0
    crawl.open(recrawl="all")
    works = crawl.turn().work
    crawl.turn(*(crawl.failure(work, 500) for work in works))
    assert crawl.of("gone") == ["/a", "/b"]
    check(crawl)


def test_what_nothing_leads_to_any_more_is_gone_after_three_complete_crawls_and_back_with_a_link(
    tmp_path: Path,
) -> None:
    site: Site = {"/": ["/a"], "/a": ["/b"], "/b": ["/a"]}
    crawl = watched(tmp_path / "a.crawl", site, {"/b": ["one"]})
    island: Site = {**site, "/": []}  # /a and /b lead to one another
    for misses in (1, 2):
        crawl.run(island)
        assert crawl.ask("SELECT misses FROM page ORDER BY url_id") == [(0,), (misses,), (misses,)]
        assert crawl.of("gone") == []
    crawl.run(island)
    assert crawl.of("gone") == ["/a", "/b"]
    assert crawl.ask("SELECT DISTINCT reason FROM url WHERE state = 8") == [("not found",)]
    assert crawl.absences() == [("/a", 4, None), ("/b", 4, None), ("id-one", 4, None)]
    crawl.run(island)
    assert crawl.of("gone") == ["/a", "/b"]
    crawl.run(site)
    assert crawl.of("gone") == []
    assert [back for *_, back in crawl.absences()] == [6, 6, 6]
    assert crawl.one("SELECT gone FROM record") is None
    check(crawl)


def test_a_way_that_is_found_again_ends_the_count(tmp_path: Path) -> None:
    site: Site = {"/": ["/a"], "/a": []}
    crawl = watched(tmp_path / "a.crawl", site, recrawl={"gone_after": 2})
    without: Site = {"/": [], "/a": []}
    for present in (without, site, without, site):
        crawl.run(present)
        assert crawl.of("gone") == []


def test_nothing_is_missed_without_a_link_graph(tmp_path: Path) -> None:
    crawl = watched(tmp_path / "a.crawl", {"/": ["/a"], "/a": []}, pages={"link_graph": False})
    for _ in range(4):
        crawl.run({"/": [], "/a": []})
    assert crawl.of("gone") == []


def test_a_run_over_what_is_due_says_nothing_of_the_rest(tmp_path: Path) -> None:
    """It is complete when every page was looked at since the last run that was."""
    crawl = watched(tmp_path / "a.crawl", {"/": ["/a"], "/a": []}, recrawl={"gone_after": 1, "first": 1000})
    crawl.ask("UPDATE url SET due = 1e12 WHERE path = '/a'")
    crawl.run({"/": [], "/a": []}, recrawl="due")
    assert crawl.of("gone") == []
    crawl.ask("UPDATE url SET due = 1e12 WHERE path = '/'")
    crawl.ask("UPDATE url SET due = 1 WHERE path = '/a'")
    crawl.run({"/": [], "/a": []}, recrawl="due")
    assert crawl.of("gone") == ["/a"]


def test_a_record_that_its_page_shows_no_longer_is_gone_after_as_many_runs_though_the_page_is_unchanged(
    tmp_path: Path,
) -> None:
    site: Site = {"/": []}
    crawl = watched(tmp_path / "a.crawl", site, {"/": ["one", "two"]})
    crawl.shown = {"/": ["two"]}
    crawl.run(site)
    for misses in (1, 2):
        assert crawl.ask("SELECT misses, gone FROM record ORDER BY id") == [(misses, None), (0, None)]
        crawl.now += 86_400.0
        crawl.open(recrawl="all")
        (work,) = crawl.turn().work
        crawl.turn(crawl.not_modified(work)) if work.conditional else crawl.turn(crawl.answer(work, site))
        crawl.drive(site)
        crawl.finish()
    assert crawl.ask("SELECT gone IS NULL FROM record ORDER BY id") == [(0,), (1,)]
    assert crawl.absences() == [("id-one", 4, None)]
    crawl.shown = {"/": ["one"]}
    crawl.run(site)
    assert crawl.absences() == [("id-one", 4, 5)]
    check(crawl)


def test_many_pages_that_vanish_at_once_are_not_believed_until_it_is_confirmed(tmp_path: Path) -> None:
    site: Site = {"/": MANY, **{path: [] for path in MANY}}
    crawl = watched(tmp_path / "a.crawl", site, {path: [path] for path in MANY})
    crawl.run({"/": MANY})
    assert (crawl.of("gone"), len(crawl.of("failed"))) == ([], 30)
    assert crawl.alarms() == ["vanished"]
    assert crawl.one("SELECT count(*) FROM record WHERE gone IS NOT NULL") == 0
    assert all(back == 2 for *_, back in crawl.absences())
    check(crawl)
    crawl.run({"/": MANY})
    assert crawl.of("gone") == []
    assert crawl.alarms() == ["vanished"]
    crawl.confirm()
    crawl.open(recrawl="due")
    crawl.drive({"/": MANY})
    crawl.finish()
    assert (len(crawl.of("gone")), crawl.alarms()) == (30, [])
    assert crawl.one("SELECT count(*) FROM record WHERE gone IS NOT NULL") == 30
    check(crawl)


def test_what_was_not_believed_is_over_when_the_pages_answer_again(tmp_path: Path) -> None:
    site: Site = {"/": MANY, **{path: [] for path in MANY}}
    crawl = watched(tmp_path / "a.crawl", site)
    crawl.run({"/": MANY})
    assert crawl.alarms() == ["vanished"]
    crawl.run(site)
    assert (crawl.alarms(), crawl.of("gone"), crawl.of("failed")) == ([], [], [])
    check(crawl)


def test_links_that_vanish_at_once_and_records_too_are_not_believed_either(tmp_path: Path) -> None:
    site: Site = {"/": MANY, **{path: [] for path in MANY}}
    crawl = watched(tmp_path / "a.crawl", site, {path: [path] for path in MANY}, recrawl={"gone_after": 1})
    crawl.shown = {}
    crawl.run({**site, "/": []})
    assert crawl.of("gone") == []
    assert crawl.one("SELECT count(*) FROM record WHERE gone IS NOT NULL") == 0
    assert sorted(crawl.alarms()) == ["vanished"] * len(crawl.alarms())
    assert crawl.alarms()
    crawl.confirm()
    crawl.writer = crawl.writer.__class__(crawl.path)
    crawl.writer.apply(crawl.now, crawl.at)
    crawl.writer.close()
    assert len(crawl.of("gone")) == 30
    assert crawl.one("SELECT count(*) FROM record WHERE gone IS NOT NULL") == 30
    assert crawl.alarms() == []
    check(crawl)


@given(kills=st.lists(st.integers(0, 30), max_size=6), confirmed=st.booleans())
@settings(max_examples=12, deadline=None)
def test_kills_change_nothing_of_what_is_gone_in_the_end(
    tmp_path_factory: pytest.TempPathFactory, kills: list[int], confirmed: bool
) -> None:
    folder = tmp_path_factory.mktemp("kills")
    few, site = MANY[:5], {"/": MANY, **{path: [] for path in MANY}}
    after: Site = {"/": MANY[5:]} if confirmed else {"/": MANY[5:], **{path: [] for path in MANY}}

    def outcome(name: str, kill: Callable[[SmallCrawl], None]) -> tuple[object, ...]:
        crawl = watched(folder / name, site, {path: [path] for path in MANY}, recrawl={"gone_after": 1})
        crawl.now += 86_400.0
        crawl.open(recrawl="all")
        kill(crawl)
        crawl.drive(after)
        crawl.finish()
        check(crawl)
        states = sorted(crawl.states().items())
        return states, crawl.ask("SELECT id, misses, gone IS NULL FROM record ORDER BY id"), crawl.alarms()

    def kill_often(crawl: SmallCrawl) -> None:
        assert isinstance(crawl, Watched)
        results: list[Result] = []
        for steps in kills:
            for _ in range(steps % 7):
                turn = crawl.turn(*results[: steps or None])
                results = [crawl.answer(work, after) for work in turn.work]
            crawl.reopen()
            results = []

    assert outcome("killed.crawl", kill_often) == outcome("quiet.crawl", lambda _: None)
    assert few


def test_only_what_a_source_still_names_is_found_by_it(tmp_path: Path) -> None:
    crawl = watched(tmp_path / "a.crawl", {"/": ["/a", "/b", "/c"], "/a": [], "/b": [], "/c": []})
    crawl.ask("DELETE FROM link")
    crawl.ask(
        "INSERT INTO seed_source(id, kind, address, parent_id, host_id, origin_id, listed, fetched) VALUES "
        "(1, 'sitemap', 'i', NULL, 1, 1, 1, 20.0), (2, 'sitemap', 'x', 1, 1, 1, 0, 21.0), "
        "(3, 'sitemap', 'y', 1, 1, 1, 0, 11.0)"  # the index did not name the third when it was read last
    )
    crawl.ask(
        "INSERT INTO mention SELECT CASE path WHEN '/a' THEN 2 ELSE 3 END, id FROM url WHERE path IN ('/a', '/b')"
    )
    crawl.open()
    reached = Reached(crawl.writer._connection, crawl.writer._aliases._named)
    ids = dict(crawl.ask("SELECT path, id FROM url"))
    assert {path for path in ids if ids[path] in reached} == {"/", "/a"}
    assert NOON


@pytest.mark.parametrize("few", [True, False])
def test_a_kill_between_the_pieces_of_a_reckoning_counts_nothing_twice(
    few: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two pages lose their way, or all thirty; two records are shown no longer, with two runs to go."""
    monkeypatch.setattr(reckoning, "PIECE", 3)
    monkeypatch.setattr(absences, "PIECE", 3)
    site: Site = {"/": MANY, **{path: [] for path in MANY}}
    after: Site = {**site, "/": MANY[2:] if few else []}

    def outcome(name: str, pieces: int) -> tuple[Any, ...]:
        crawl = watched(tmp_path / name, site, {path: [path] for path in MANY}, recrawl={"gone_after": 1})
        crawl.shown = {path: [path] for path in MANY[:-2]}
        crawl.now += 86_400.0
        crawl.open(recrawl="all")
        results: list[Result] = []
        while not (turn := crawl.turn(*results)).idle:
            results = [crawl.answer(work, after) for work in turn.work]
        looks = iter(range(10_000))
        crawl.writer.reckon(crawl.now, crawl.at, lambda: next(looks) >= pieces)
        crawl.reopen()
        crawl.drive(after)
        crawl.finish()
        check(crawl)
        misses = crawl.ask("SELECT misses, gone IS NULL FROM record ORDER BY id")
        return crawl.of("gone"), misses, crawl.ask("SELECT misses FROM page ORDER BY url_id"), crawl.alarms()

    quiet = outcome("quiet.crawl", 10_000)
    assert (len(quiet[0]), quiet[3]) == ((2, []) if few else (0, ["vanished"]))
    for pieces in (1, 2, 4, 6, 9, 13, 20):
        assert outcome(f"{pieces}.crawl", pieces) == quiet
