"""What a page's answer leaves in the file: its state, what a 304 keeps, copies, redirects, due times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from core.policy.due import LESS_OFTEN
from core.store.read.expressions import in_links
from core.store.read.reader import Reader
from core.store.results import Answer, Parsed
from core.store.write.outcomes import outcome_of
from tests.small_crawl import SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.results import Work

HUB = {"etag": '"1"', "last_modified": "Sat, 01 Aug 2026 00:00:00 GMT"}


def crawled(path: Path, *links: str, settings: Any = None, **answer: Any) -> SmallCrawl:
    """A hub with links, both fetched, in a run that has ended."""
    crawl = SmallCrawl(path, settings)
    (root,) = crawl.turn().work
    turn = crawl.turn(crawl.page(root, *links, answer=answer))
    crawl.turn(*(crawl.page(work) for work in turn.work))
    crawl.finish()
    crawl.now += 100.0
    return crawl


def works_again(crawl: SmallCrawl) -> dict[str, Work]:
    crawl.open(recrawl="all")
    return {work.url.target: work for work in crawl.turn().work}


def test_unchanged_hub_keeps_what_is_known_and_its_links_are_crawled(tmp_path: Path) -> None:  # HTTP-10
    crawl = crawled(tmp_path / "a.crawl", "/a", "/b", **HUB)
    before = crawl.ask("SELECT title, content_hash, last_changed, etag, last_modified FROM page ORDER BY url_id")
    works = works_again(crawl)
    assert (works["/"].etag, works["/"].last_modified) == (HUB["etag"], HUB["last_modified"])
    assert works.keys() == {"/", "/a", "/b"}
    crawl.turn(crawl.not_modified(works["/"]))
    after = crawl.ask("SELECT title, content_hash, last_changed, etag, last_modified FROM page ORDER BY url_id")
    assert after == before
    assert crawl.one("SELECT count(*) FROM link") == 2
    assert crawl.one("SELECT outcome FROM page WHERE url_id = 1") == "not_modified"
    assert crawl.one("SELECT last_fetched > last_changed + 90 FROM page WHERE url_id = 1") == 1
    crawl.assert_sound()


def test_etag_of_a_304_is_the_one_sent_next(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl", "/a", **HUB)
    works = works_again(crawl)
    crawl.turn(crawl.not_modified(works["/"], etag='"2"'), crawl.page(works["/a"]))
    crawl.finish()
    assert works_again(crawl)["/"].etag == '"2"'


def test_condition_is_sent_only_where_links_or_body_are_kept(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl", "/a", settings=settings_of(pages={"link_graph": False}), **HUB)
    assert works_again(crawl)["/"].etag is None


def test_in_links_are_unknown_where_no_link_graph_is_kept(tmp_path: Path) -> None:
    """Not 0, which would say that nothing links there."""
    crawl = crawled(tmp_path / "a.crawl", "/a", settings=settings_of(pages={"link_graph": False}), **HUB)
    assert crawl.ask(" ".join(("SELECT DISTINCT", in_links("u.id"), "FROM url u"))) == [(None,)]
    reader = Reader(crawl.path)
    details = reader.url_details(2)
    reader.close()
    assert details is not None
    assert details.in_links is None


def test_304_that_nobody_asked_for_is_an_error(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    crawl.turn(crawl.not_modified(root))
    assert crawl.states() == {"/": "failed"}
    assert crawl.one("SELECT outcome FROM page") == "error:protocol"
    crawl.assert_sound()


def test_failure_between_two_equal_answers_is_no_change(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl")
    changed = crawl.one("SELECT last_changed FROM page")
    for _ in range(2):
        works = works_again(crawl)
        crawl.turn(crawl.failure(works["/"], 500))
        crawl.finish()
    works = works_again(crawl)
    assert works["/"].etag is None
    crawl.turn(crawl.page(works["/"]))
    assert crawl.one("SELECT last_changed FROM page") == changed
    assert crawl.one("SELECT count(*) FROM page_version") == 0


def test_changed_body_keeps_the_state_before_as_a_version(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl")
    works = works_again(crawl)
    crawl.turn(crawl.page(works["/"], body="new"))
    assert crawl.ask("SELECT version, valid_from < valid_to FROM page_version") == [(1, 1)]
    assert crawl.one("SELECT last_changed = last_fetched FROM page") == 1


def test_copy_points_to_the_first_page_and_its_links_are_not_followed(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    first, second = crawl.turn(crawl.page(root, "/a", "/b")).work
    crawl.turn(crawl.page(first, "/from-a", body="same"), crawl.page(second, "/from-b", body="same"))
    assert crawl.ask("SELECT url_id, duplicate_of, useful FROM page ORDER BY 1")[1:] == [(2, None, 1), (3, 2, 0)]
    assert "/from-a" in crawl.states()
    assert "/from-b" not in crawl.states()
    assert (crawl.counter("bodies"), crawl.counter("duplicate_bodies"), crawl.counter("useful")) == (3, 1, 2)
    crawl.assert_sound()


def test_links_of_copies_are_followed_by_choice(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(pages={"follow_duplicates": True}))
    (root,) = crawl.turn().work
    first, second = crawl.turn(crawl.page(root, "/a", "/b")).work
    crawl.turn(crawl.page(first, body="same"), crawl.page(second, "/from-b", body="same"))
    assert "/from-b" in crawl.states()


def test_oldest_copy_is_the_first_page_once_the_first_has_another_body(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    works = crawl.turn(crawl.page(root, "/a", "/b", "/c")).work
    crawl.turn(*(crawl.page(work, body="same") for work in works))
    crawl.finish()
    crawl.now += 100.0
    again = works_again(crawl)
    crawl.turn(crawl.page(again["/a"], body="other"))
    assert crawl.ask("SELECT url_id, duplicate_of FROM page ORDER BY 1")[1:] == [(2, None), (3, None), (4, 3)]


def test_links_of_a_copy_are_read_when_its_first_page_has_another_body(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    works = crawl.turn(crawl.page(root, "/a", "/b", "/c")).work
    crawl.turn(*(crawl.page(work, f"/from{work.url.target}", body="same") for work in works))
    crawl.crawl({})
    assert {"/from/b", "/from/c"}.isdisjoint(crawl.states())
    crawl.finish()
    crawl.now += 100.0
    again = works_again(crawl)
    crawl.turn(crawl.page(again["/a"], body="other"))
    crawl.reopen()
    asked = crawl.crawl({"/b": ["/from/b"], "/c": ["/from/c"]})  # nothing is kept: it is asked for, whole
    assert "/b" in asked
    assert "/from/b" in crawl.states()
    crawl.assert_sound()


def test_links_of_known_copies_are_read_once_they_are_to_be_followed(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    works = crawl.turn(crawl.page(root, "/a", "/b")).work
    crawl.turn(*(crawl.page(work, f"/from{work.url.target}", body="same") for work in works))
    crawl.crawl({})
    assert "/from/b" not in crawl.states()
    crawl.change(settings_of(pages={"keep_responses": False, "follow_duplicates": True}))
    asked = crawl.crawl({"/b": ["/from/b"]})
    assert asked[:1] == ["/b"]
    assert "/from/b" in crawl.states()
    crawl.assert_sound()


def test_retry_waits_for_its_time_and_counts_as_one_page(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    turn = crawl.turn(crawl.failure(root, 503, retry_in=30.0))
    assert (turn.work, turn.idle, crawl.states()) == ((), False, {"/": "waiting"})
    assert turn.until == pytest.approx(crawl.now + 30.0, abs=0.1)
    (again,) = crawl.turn(after=31.0).work
    assert again.tries == 1
    crawl.turn(crawl.page(again))
    assert (crawl.counter("pages"), crawl.counter("requests")) == (1, 2)
    crawl.assert_sound()


def test_redirect_is_done_and_its_target_is_a_page_of_the_same_depth(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    (target,) = crawl.turn(crawl.redirect(root, "/target")).work
    assert (target.url.target, target.depth) == ("/target", 0)
    assert crawl.states() == {"/": "done", "/target": "leased"}
    assert crawl.ask("SELECT kind FROM link") == [("redirect",)]


def test_redirects_in_a_circle_end_with_a_clear_outcome(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    one, two = crawl.turn(crawl.page(root, "/one", "/two")).work
    turn = crawl.turn(crawl.redirect(one, "/two"), crawl.redirect(two, "/one"))
    assert turn.idle
    assert crawl.states() == {"/": "done", "/one": "done", "/two": "failed"}
    assert "circle" in crawl.one("SELECT error FROM page WHERE outcome = 'error:redirect'")
    crawl.assert_sound()


def test_chain_of_more_than_ten_redirects_ends(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    works = crawl.turn().work
    for number in range(30):
        works = crawl.turn(*(crawl.redirect(work, f"/{number}") for work in works)).work
    assert works == ()
    assert crawl.one("SELECT count(*) FROM url") == 11
    assert "10 redirects" in crawl.one("SELECT error FROM page WHERE outcome = 'error:redirect'")


def test_seed_redirect_widens_the_scope_once_and_says_so(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    (target,) = crawl.turn(crawl.redirect(root, "https://www.shop.test/")).work
    crawl.turn(crawl.page(target, "https://www.shop.test/a", "https://other.test/"))
    assert crawl.states() == {"/": "done", "/a": "leased"}
    assert crawl.reasons() == {"https://other.test/": "scope"}
    assert "www.shop.test" in crawl.one("SELECT message FROM log WHERE kind = 'seed'")
    crawl.reopen()
    (again,) = crawl.turn().work
    crawl.turn(crawl.page(again, "https://www.shop.test/b"))
    assert "/b" in crawl.states()


def test_due_pages_are_taken_up_by_the_next_run_and_others_are_not(tmp_path: Path) -> None:
    settings = settings_of(recrawl={"first": 3600, "shortest": 3600, "longest": 100_000})
    crawl = crawled(tmp_path / "a.crawl", "/a", settings=settings)
    assert not crawl.writer.__class__(crawl.path).has_work(crawl.at)
    crawl.now += 3600.0
    crawl.open(recrawl="due")
    works = {work.url.target: work for work in crawl.turn().work}
    assert works.keys() == {"/", "/a"}
    crawl.turn(crawl.page(works["/"], "/a", body="changed"), crawl.page(works["/a"]))
    crawl.finish()
    intervals = crawl.ask("SELECT interval FROM page ORDER BY url_id")
    assert intervals == [(3600.0,), (3600.0 * LESS_OFTEN,)]
    crawl.now += 3700.0
    crawl.open(recrawl="due")
    assert [work.url.target for work in crawl.turn().work] == ["/"]


def test_page_that_was_there_and_answers_404_is_gone(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl")
    works = works_again(crawl)
    crawl.turn(crawl.failure(works["/"], 404))
    assert crawl.states() == {"/": "gone"}
    crawl.assert_sound()


@pytest.mark.parametrize(
    ("answer", "accepted", "state", "reason"),
    [
        (Answer(0, 200, "ok"), True, "done", None),
        (Answer(0, 304, "not_modified"), False, "done", None),
        (Answer(0, 301, "redirect"), False, "done", None),
        (Answer(0, 200, "ok", "application/pdf"), False, "done", "content-type: application/pdf"),
        (Answer(0, 404, "ok"), False, "failed", "status: 404"),
        (Answer(0, 503, "ok"), False, "failed", "status: 503"),
        (Answer(0, None, "error:timeout"), False, "failed", "error: timeout"),
        (Answer(0, 200, "error:too_large"), True, "failed", "error: too_large"),
        (Answer(0, 200, "truncated"), True, "failed", "error: truncated"),
        (Answer(0, None, "error:blocked"), False, "blocked", "private"),
        (Answer(0, 999, "ok"), False, "failed", "status: 999"),
    ],
)
def test_state_and_reason_of_a_final_answer(answer: Answer, accepted: bool, state: str, reason: str | None) -> None:
    found, why = outcome_of(answer, accepted, None, False)
    assert (found.label, why) == (state, reason)


def test_failed_check_is_a_soft_block() -> None:
    found, why = outcome_of(Answer(0, 200, "ok"), True, Parsed(soft_block=True), False)
    assert (found.label, why) == ("failed", "soft-block")
