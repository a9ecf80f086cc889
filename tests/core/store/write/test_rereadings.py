"""Refusals beyond the cap on rows are counted by page, and come back when the rules let them in: nothing is lost."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from core.store.responses import responses_path
from core.store.results import FoundLink, PageReadAgain, Response, SourceEntry, SourceResult
from core.store.write import rereadings, sweeps
from core.store.write.writer import Writer
from tests.death import Death, Killed
from tests.small_crawl import PACE, SITE, SmallCrawl, settings_of, write_settings

if TYPE_CHECKING:
    from core.settings import CrawlSettings
    from core.store.results import PageResult, Work

CAP = 2
PAGES = [f"/p{number}" for number in range(6)]
LINKS = {
    "/": PAGES,
    **{page: ["/bad/shared", *(f"/bad{page}/{number}" for number in range(3)), f"/good{page}"] for page in PAGES},
}
BAD = sorted({link for links in LINKS.values() for link in links if link.startswith("/bad")})


def strict(**more: Any) -> CrawlSettings:
    return settings_of(scope={"exclude": ["/bad"]}, **more)


def response_of(work: Work) -> Response:
    return Response(hashlib.sha256(work.url.text.encode()).digest()[:16], b"{}", b"body")


class Beyond(SmallCrawl):
    """A crawl with more refusals than rows for them; `keeps`: its responses are kept."""

    keeps = True

    def __init__(
        self, path: Path, settings: CrawlSettings | None = None, *, keeps: bool = True, cap: int = CAP
    ) -> None:
        self.keeps = keeps
        super().__init__(path, settings or strict(), cap)

    def page(self, work: Work, *links: str | FoundLink, body: str = "", **more: Any) -> PageResult:
        kept = {"response": response_of(work)} if self.keeps else {}
        return super().page(work, *links, body=body, **{"answer": {"etag": '"1"'}, **kept, **more})

    def counted(self) -> int:
        """Refusals without a row."""
        return int(self.one("SELECT coalesce(sum(count), 0) FROM refusal_count"))

    def marked(self) -> list[int]:
        return [number for (number,) in self.ask("SELECT DISTINCT found_on FROM refusal_count WHERE again = 1")]

    def waiting(self) -> list[str]:
        """Pages whose links come with their next answer."""
        sql = "SELECT DISTINCT path FROM refusal_count JOIN url ON url.id = refusal_count.found_on WHERE again = 2"
        return [path for (path,) in self.ask(sql)]

    def known(self) -> dict[str, tuple[str, int]]:
        """State and depth of every URL."""
        depths = dict(self.ask("SELECT path, depth FROM url"))
        return {path: (state, depths[path]) for path, state in self.states().items()}


def begun(path: Path, **more: Any) -> Beyond:
    crawl = Beyond(path, **more)
    crawl.crawl(LINKS)
    crawl.assert_sound()
    return crawl


def test_refusals_without_a_row_are_counted_by_their_page(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl")
    assert crawl.one("SELECT count(*) FROM refused") == CAP
    assert crawl.counter("refused.pattern") == CAP + crawl.counted()
    found = dict(crawl.ask("SELECT path, count FROM refusal_count JOIN url ON url.id = refusal_count.found_on"))
    assert found == {"/p0": 2, **dict.fromkeys(PAGES[1:], 3)}  # /bad/shared and /bad/p0/0 have a row


def test_page_fetched_again_is_counted_anew_and_not_twice(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl")
    before = crawl.counter("refused.pattern")
    crawl.finish()
    crawl.open(recrawl="all")
    crawl.crawl({**LINKS, PAGES[5]: []})
    crawl.assert_sound()
    assert crawl.counter("refused.pattern") == before - 3


@pytest.mark.parametrize("keeps", [True, False])
def test_pattern_removed_brings_back_what_was_only_counted(tmp_path: Path, keeps: bool) -> None:
    crawl = begun(tmp_path / "a.crawl", keeps=keeps)
    crawl.change(settings_of())
    requested = crawl.crawl(LINKS)
    again = [] if keeps else PAGES  # with a kept response nothing is asked twice
    assert sorted(requested) == sorted([*BAD, *again])
    assert (crawl.counter("refused.pattern"), crawl.counted()) == (0, 0)
    assert crawl.one("SELECT count(*) FROM link WHERE target IN (SELECT id FROM url WHERE path = '/bad/shared')") == 6
    crawl.assert_sound()


def test_page_is_asked_for_without_a_condition_so_that_no_304_hides_its_links(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl", keeps=False)
    crawl.change(settings_of())
    turn = crawl.turn()
    while not (asked := [work for work in turn.work if work.url.target in PAGES]):
        turn = crawl.turn(*(crawl.page(work) for work in turn.work))
    assert {work.conditional for work in asked} == {False}


def test_other_settings_make_nothing_due(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl", keeps=False)
    crawl.change(strict(name="other", budgets={"max_depth": 9, "max_url_length": 100}))
    assert crawl.crawl(LINKS) == []
    assert crawl.marked() == []


def test_what_is_refused_again_is_counted_by_its_new_reason(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl")
    whole = crawl.counter("refused.pattern")
    crawl.change(settings_of(scope={"skip_extensions": []}, budgets={"max_url_length": len(SITE) + 4}))
    assert crawl.crawl(LINKS) == []
    crawl.assert_sound()
    assert crawl.counter("refused.pattern") == 0
    assert crawl.counter("refused.length") == CAP + crawl.counted() == whole
    crawl.change(settings_of())
    assert set(crawl.crawl(LINKS)) == {*BAD}


def test_rows_that_became_free_are_used_again(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl")
    crawl.change(settings_of(scope={"exclude": ["/bad/p"]}))
    assert crawl.crawl(LINKS) == ["/bad/shared"]
    assert crawl.one("SELECT count(*) FROM refused") == CAP
    assert crawl.counter("refused.pattern") == len(BAD) - 1 == CAP + crawl.counted()
    crawl.assert_sound()


def test_a_few_pages_are_in_hand_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rereadings, "IN_HAND", 2)
    crawl = begun(tmp_path / "a.crawl")
    crawl.change(settings_of())
    turn, most = crawl.turn(), 0
    while not turn.stored:
        turn = crawl.turn()
    first = turn.stored
    assert len(first) == 2
    assert crawl.turn().stored == ()
    turn = crawl.turn(crawl.read_again(first[0], *LINKS[first[0].url.target]))
    assert len(turn.stored) == 1
    most = max(most, len(turn.stored))
    assert not turn.idle


def test_page_that_a_pattern_takes_out_keeps_its_answer_and_is_asked_once_it_may_be(tmp_path: Path) -> None:
    site = {"/": ["/p"], "/p": ["/bad"]}
    crawl = Beyond(tmp_path / "a.crawl", keeps=False, cap=0)
    crawl.crawl(site)
    crawl.change(settings_of(scope={"exclude": ["/p"]}))
    assert crawl.crawl(site) == []
    assert crawl.states() == {"/": "done", "/p": "done"}
    crawl.change(settings_of())
    assert crawl.crawl(site) == ["/p", "/bad"]
    crawl.assert_sound()


def test_thrown_away_or_damaged_responses_make_their_pages_due(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl")
    crawl.kill()
    for path in tmp_path.glob(f"{responses_path(crawl.path).name}*"):
        path.unlink()
    crawl.open()
    crawl.change(settings_of())
    assert sorted(crawl.crawl(LINKS)) == sorted([*BAD, *PAGES])
    crawl.assert_sound()


def test_response_that_cannot_be_read_makes_its_page_due(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl")
    crawl.change(settings_of())
    turn = crawl.turn()
    while not turn.stored:
        turn = crawl.turn()
    damaged = {page.url.target for page in turn.stored}
    turn = crawl.turn(*(PageReadAgain(page, None) for page in turn.stored))
    requested = [work.url.target for work in turn.work]
    requested += crawl.crawl(LINKS, turn.work)
    assert damaged
    assert damaged <= {*requested}
    assert {*BAD} <= crawl.states().keys()
    assert crawl.counted() == 0
    crawl.assert_sound()


def test_page_fetched_while_it_is_parsed_again_keeps_what_the_fetch_brought(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl")
    crawl.change(settings_of())
    turn = crawl.turn()
    while not turn.stored:
        turn = crawl.turn()
    late = [crawl.read_again(page, "/bad/late") for page in turn.stored]
    crawl.reopen()
    crawl.crawl(LINKS)
    crawl.turn(*late)
    crawl.assert_sound()
    assert "/bad/late" not in crawl.states()


def test_304_that_was_under_way_is_not_the_answer_that_is_waited_for(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl", keeps=False)
    crawl.finish()
    crawl.now += 1
    crawl.open(recrawl="all")
    in_flight = crawl.turn().work
    assert {*PAGES} <= {
        work.url.target for work in in_flight if work.conditional or not work.url.target.startswith("/p")
    }
    crawl.change(settings_of())
    for _ in range(5):
        crawl.turn()
    crawl.turn(*(crawl.not_modified(work) for work in in_flight))
    assert {*PAGES} <= {*crawl.crawl(LINKS)}
    assert {*BAD} <= crawl.states().keys()
    crawl.assert_sound()


def test_pages_that_come_nearer_are_read_again_for_what_was_too_deep(tmp_path: Path) -> None:
    links = {"/": ["/1"], "/1": ["/2"], "/2": ["/3", "/4"], "/3": ["/d3", "/d"], "/4": ["/d4", "/d"], "/s": ["/2"]}
    crawl = Beyond(tmp_path / "a.crawl", settings_of(budgets={"max_depth": 3}), cap=1)
    crawl.crawl(links)
    assert crawl.counted() == crawl.counter("refused.depth") - 1 == 3
    crawl.writer.seed([("/s", crawl.link("/s"), "")], [], crawl.at)
    assert sorted(crawl.crawl(links)) == ["/d", "/d3", "/d4", "/s"]
    assert crawl.counter("refused.depth") == 0
    crawl.assert_sound()


def test_seeds_that_were_only_counted_come_back(tmp_path: Path) -> None:
    seeds = [f"{SITE}/", *(f"{SITE}/bad/{number}" for number in range(5))]
    crawl = Beyond(tmp_path / "a.crawl", strict(seeds={"urls": seeds}))
    assert crawl.counter("refused.pattern") == 5
    crawl.crawl({})
    crawl.assert_sound()
    crawl.change(settings_of(seeds={"urls": seeds}))
    assert sorted(crawl.crawl({})) == [f"/bad/{number}" for number in range(5)]
    crawl.assert_sound()
    assert crawl.counter("refused.pattern") == 0
    sql = "SELECT text, base || path FROM seed JOIN url ON url.id = url_id JOIN origin ON origin.id = origin_id"
    assert crawl.ask(sql) == [(text, text) for text in seeds]


@pytest.mark.parametrize("change", ["pattern removed", "limit raised", "room at the end"])
def test_seed_that_was_refused_at_first_leads_to_its_url_once_it_is_in(tmp_path: Path, change: str) -> None:
    seeds = [f"{SITE}/", f"{SITE}/s", f"{SITE}/s#again"]
    first = {
        "pattern removed": settings_of(seeds={"urls": seeds}, scope={"exclude": ["/s"]}),
        "limit raised": settings_of(seeds={"urls": seeds}, budgets={"max_pages": 1}),
        "room at the end": settings_of(seeds={"urls": seeds}, budgets={"max_pages": 1}, politeness={"robots": True}),
    }[change]
    crawl = SmallCrawl(tmp_path / "a.crawl", first)
    assert crawl.one("SELECT count(*) FROM seed WHERE url_id IS NULL") == 2
    if change == "room at the end":
        (robots,) = crawl.turn().work
        crawl.turn(crawl.robots(robots, "User-agent: *\nDisallow: /$"))
        assert crawl.writer.readmit_limited(crawl.at) == 1
        assert crawl.writer.readmit_limited(crawl.at) == 0
    else:
        crawl.change(settings_of(seeds={"urls": seeds}))
    crawl.crawl({})
    assert crawl.one("SELECT count(*) FROM seed WHERE url_id IS NULL") == 0
    assert crawl.one("SELECT count(DISTINCT url_id) FROM seed") == 2
    crawl.assert_sound()


def test_seed_line_taken_out_of_the_settings_is_no_seed_any_more(tmp_path: Path) -> None:
    crawl = Beyond(tmp_path / "a.crawl", strict(seeds={"urls": [f"{SITE}/", f"{SITE}/bad/1", f"{SITE}/bad/2"]}), cap=0)
    crawl.crawl({})
    crawl.change(settings_of(seeds={"urls": [f"{SITE}/", f"{SITE}/bad/1"]}))
    assert crawl.crawl({}) == ["/bad/1"]
    crawl.assert_sound()


def read_source(crawl: SmallCrawl, targets: list[str]) -> int:
    """Answer every request; the sitemap names these: how often it was asked."""
    asked = 0
    turn = crawl.turn()
    while turn.work or not turn.idle:
        results: list[Any] = []
        for work in turn.work:
            if work.purpose == "sitemap":
                asked += 1
                links = [crawl.link(target) for target in targets]
                entries = tuple(SourceEntry(link.fetch, link.key) for link in links)
                results.append(SourceResult(work, crawl.failure(work, 200).answer, PACE, entries))
            else:
                results.append(crawl.page(work))
        turn = crawl.turn(*results)
    return asked


def test_sitemap_whose_urls_were_only_counted_is_read_again(tmp_path: Path) -> None:
    crawl = Beyond(tmp_path / "a.crawl")
    crawl.writer.seed([], [crawl.link("/map.xml", kind="sitemap")], crawl.at)
    assert read_source(crawl, BAD) == 1
    assert crawl.counter("refused.pattern") == len(BAD)
    crawl.assert_sound()
    crawl.change(strict(name="other"))
    assert read_source(crawl, BAD) == 0
    crawl.change(settings_of())
    assert read_source(crawl, BAD) == 1
    assert {*BAD} <= crawl.states().keys()
    assert crawl.counter("refused.pattern") == 0
    crawl.assert_sound()


def test_only_counted_urls_of_a_limit_are_left_at_the_end(tmp_path: Path) -> None:
    crawl = Beyond(tmp_path / "a.crawl", settings_of(budgets={"max_pages": 3}, scope={"exclude": ["/x"]}), cap=2)
    crawl.crawl({"/": ["/x1", "/x2", *PAGES]})
    assert crawl.reasons() == {"/x1": "pattern: /x", "/x2": "pattern: /x"}
    assert crawl.writer.leftovers() == "total-limit: 4 URLs left"
    crawl.change(settings_of(budgets={"max_pages": 5}, scope={"exclude": ["/x"]}))
    assert len(crawl.crawl({"/": ["/x1", "/x2", *PAGES]})) == 2
    assert crawl.writer.leftovers() == "total-limit: 2 URLs left"
    crawl.assert_sound()


def test_apply_marks_and_the_next_run_reads(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl")
    crawl.finish()
    write_settings(crawl.path, settings_of(), crawl.at)
    writer = Writer(crawl.path, CAP)
    writer.apply(crawl.now, crawl.at)
    writer.close()
    assert len(crawl.marked()) == len(PAGES)
    writer = Writer(crawl.path, CAP)
    assert writer.has_work(crawl.at)
    writer.close()
    crawl.open()
    assert {*crawl.crawl(LINKS)} == {*BAD}
    crawl.assert_sound()


def test_change_taken_back_before_it_was_carried_out_loses_nothing(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl")
    crawl.kill()
    write_settings(crawl.path, settings_of(), crawl.at)
    write_settings(crawl.path, strict(), crawl.at)
    crawl.open()
    assert crawl.crawl(LINKS) == []
    assert crawl.counter("refused.pattern") == CAP + crawl.counted()
    crawl.assert_sound()
    crawl.change(settings_of())
    assert {*crawl.crawl(LINKS)} == {*BAD}


def test_another_tenants_pages_and_refusals_are_left_alone(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl")
    before = crawl.ask("SELECT * FROM refused")
    crawl.finish()
    other = settings_of(tenant="other", seeds={"urls": [f"{SITE}/other"]})
    write_settings(crawl.path, other, crawl.at)
    crawl.open()
    assert crawl.crawl(LINKS) == ["/other"]
    assert crawl.ask("SELECT * FROM refused") == before
    crawl.finish()
    write_settings(crawl.path, settings_of(), crawl.at)
    crawl.open()
    assert {*crawl.crawl(LINKS)} == {*BAD}
    crawl.assert_sound()


@pytest.mark.parametrize("keeps", [True, False])
def test_killed_between_any_two_statements_everything_comes_back_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keeps: bool
) -> None:
    monkeypatch.setattr(sweeps, "PIECE", 3)
    monkeypatch.setattr(rereadings, "IN_HAND", 2)
    monkeypatch.setattr(rereadings, "PIECE", 2)
    links = {"/": ["/bad/1", "/p0", "/p1"], "/p0": ["/bad/1", "/bad/2"], "/p1": ["/bad/3", "/bad/2"]}
    settings = strict(politeness={"concurrency": 2})
    number, killed = 0, True
    while killed:
        crawl = Beyond(tmp_path / f"{number}.crawl", settings, keeps=keeps, cap=1)
        crawl.crawl(links)
        write_settings(crawl.path, settings_of(), crawl.at)
        crawl.writer._connection.exec_trace = Death(number)
        try:
            asked = crawl.writer.ask()
            assert asked.settings is not None
            crawl.writer.use(asked.settings, crawl.now, crawl.at)
            crawl.crawl(links)
            killed = False
        except Killed:
            crawl.reopen()
            crawl.assert_sound()
            crawl.crawl(links)
        crawl.assert_sound()
        assert crawl.counted() == 0
        assert crawl.counter("refused.pattern") == 0
        assert {path: state for path, state in crawl.states().items() if state != "done"} == {}
        assert {"/bad/1", "/bad/2", "/bad/3"} <= crawl.states().keys()
        repeated = crawl.ask(
            "SELECT path, count(*) FROM capture JOIN url ON url.id = url_id GROUP BY 1 HAVING count(*) > 1"
        )
        assert {path for path, _ in repeated} <= (set() if keeps else {"/", "/p0", "/p1"})
        assert all(times == 2 for _, times in repeated)
        crawl.kill()
        crawl.path.unlink()
        number += 5
    assert number > 100


NAMES = [f"/{branch}{number}" for branch in "ab" for number in range(5)]
SITES = st.dictionaries(st.sampled_from(["/", *NAMES]), st.lists(st.sampled_from(NAMES), max_size=4), min_size=3)
RULES = st.builds(
    lambda depth, exclude, follow: {"budgets": {"max_depth": depth}, "scope": {"exclude": exclude, "follow": follow}},
    st.integers(1, 4),
    st.lists(st.sampled_from(["/a", "/b", "/a1", "/b2$"]), max_size=2),
    st.sampled_from([True, True, True, False]),
)


EVERYTHING = {"budgets": {"max_depth": 0}}
ONLY_PAGE_IS_EXCLUDED = (
    {"/": ["/a0"], "/a0": ["/a0", "/b1"]},
    [
        {"budgets": {"max_depth": 1}, "scope": {"exclude": [], "follow": True}},
        {"budgets": {"max_depth": 4}, "scope": {"exclude": ["/a"], "follow": True}},
    ],
)
EXCLUDED_IN_BETWEEN = (
    {"/": ["/a0"], "/a0": ["/a0", "/a0", "/a0", "/b1"]},
    [
        {"budgets": {"max_depth": 1}, "scope": {"exclude": [], "follow": True}},
        {"budgets": {"max_depth": 1}, "scope": {"exclude": ["/b", "/b"], "follow": True}},
        {"budgets": {"max_depth": 1}, "scope": {"exclude": [], "follow": True}},
        {"budgets": {"max_depth": 4}, "scope": {"exclude": ["/a"], "follow": True}},
    ],
)


def is_out(path: str, change: dict[str, Any]) -> bool:
    """Whether these settings do not let a page, found by a link, be asked for."""
    scope = change["scope"]
    matches = (path == text[:-1] if text.endswith("$") else path.startswith(text) for text in scope["exclude"])
    return any(matches) or not (scope["follow"] or path == "/")


@examples(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@example(*EXCLUDED_IN_BETWEEN, 0, False, False)  # cap, keeps, killed
@example(*ONLY_PAGE_IS_EXCLUDED, 0, False, True)
@given(SITES, st.lists(RULES, min_size=2, max_size=4), st.integers(0, 3), st.booleans(), st.booleans())
def test_whatever_the_cap_the_same_urls_are_known_in_the_end(
    site: dict[str, list[str]], changes: list[dict[str, Any]], cap: int, keeps: bool, killed: bool
) -> None:
    """A page that may not be asked for, and of which nothing is kept, waits: its links come once it may be."""
    with tempfile.TemporaryDirectory() as folder:
        known = []
        waiting: list[str] = []
        for rows in (cap, 1000):
            crawl = Beyond(Path(folder) / f"{rows}.crawl", settings_of(**changes[0]), keeps=keeps, cap=rows)
            crawl.crawl(site)
            for change in changes[1:]:
                crawl.change(settings_of(**change))
                crawl.turn()
                if killed:
                    crawl.reopen()
                crawl.crawl(site)
                crawl.assert_sound()
                assert crawl.marked() == []
                waiting += crawl.waiting()
                assert all(is_out(path, change) for path in crawl.waiting())
            known.append(crawl.known())
            crawl.change(settings_of(**EVERYTHING))
            crawl.crawl(site)
            crawl.assert_sound()
            assert crawl.waiting() == []
            known.append(crawl.known())
            crawl.kill()
        assert known[1] == known[3]
        assert waiting or known[0] == known[2]
        assert not (keeps and waiting)
