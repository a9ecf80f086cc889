"""Generated spaces and soft blocks: alarms that name what repeats itself, once, whatever dies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from core.policy.patterns import compile_pattern
from core.store.write.generated import MANY
from core.store.write.soft_blocks import RECENT, SEVERAL
from core.urls import parse
from tests.small_crawl import SITE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path


def fetched(crawl: SmallCrawl, *paths: str, parsed: dict[str, Any] | None = None, **more: Any) -> None:
    """These pages, found on the seed's page, in one turn after the other."""
    (root,) = crawl.turn().work or crawl.turn().work
    waiting = list(crawl.turn(crawl.page(root, *paths)).work)
    while waiting:
        waiting += crawl.turn(crawl.page(waiting.pop(0), parsed=dict(parsed or {}), **more)).work


def alarms(crawl: SmallCrawl) -> list[tuple[str, str, str]]:
    return [tuple(found) for found in crawl.ask("SELECT kind, pattern, host FROM alarm ORDER BY id")]


def days(count: int, first: int = 0) -> list[str]:
    return [f"/calendar/{day // 30}/{day % 30}" for day in range(first, first + count)]


def test_hundred_urls_with_one_content_are_an_alarm_with_their_pattern(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    fetched(crawl, *days(MANY), body="nothing on this day")
    assert alarms(crawl) == [("generated", "/calendar/", "shop.test")]
    (message,) = crawl.ask("SELECT message FROM alarm")[0]
    assert "/calendar/0/0" in message
    assert "another content" not in message
    assert crawl.ask("SELECT level, message FROM log WHERE kind = 'generated'") == [("warning", message)]
    pattern = compile_pattern("/calendar/")
    assert all(pattern.matches(parse(f"{SITE}{path}")) for path in days(MANY))  # type: ignore[arg-type] # URLs they are
    crawl.assert_sound()


def test_ninety_nine_are_none(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    fetched(crawl, *days(MANY - 1), body="nothing on this day")
    assert alarms(crawl) == []


def test_one_pattern_is_told_once_whatever_content_and_kills_come(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    fetched(crawl, *days(MANY), body="nothing on this day")
    crawl.reopen()
    assert not crawl.turn().work
    crawl.finish()
    crawl.open(recrawl="all")
    waiting = list(crawl.turn().work)
    while waiting:
        work = waiting.pop(0)
        links = days(50, MANY) if work.url.target == "/" else []
        waiting += crawl.turn(crawl.page(work, *links, body="" if links else "closed")).work
    assert alarms(crawl) == [("generated", "/calendar/", "shop.test")]


def test_alarm_says_what_else_its_pattern_would_take_out(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    waiting = list(crawl.turn(crawl.page(root, "/calendar/today", *days(MANY))).work)
    while waiting:
        work = waiting.pop(0)
        body = "a concert" if work.url.target.endswith("today") else "nothing"
        waiting += crawl.turn(crawl.page(work, body=body)).work
    (message,) = crawl.ask("SELECT message FROM alarm")[0]
    assert "at least 1 useful page of another content" in message


def test_urls_all_over_a_site_are_told_without_a_pattern(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets={"max_path_repeats": 0}))
    fetched(crawl, *(f"/{number:x}{'/x' * (number % 3)}" for number in range(100, 100 + MANY)), body="not found")
    assert alarms(crawl) == [("generated", "", "shop.test")]


def test_half_of_them_in_one_folder_are_a_pattern(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    others = [f"/{number:x}" for number in range(100, 130)]
    fetched(crawl, *days(MANY - 30), *others, body="not found")
    assert alarms(crawl) == [("generated", "/calendar/", "shop.test")]


def test_copies_that_failed_a_check_are_no_generated_space(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    blocked = {"checked": True, "soft_block": True, "content_hash": None, "detail": "The page contains “denied”."}
    fetched(crawl, *days(MANY), parsed=blocked)
    assert [kind for kind, *_ in alarms(crawl)] == ["soft-block"]


@pytest.mark.parametrize(("failed", "expected"), [(SEVERAL - 1, 0), (SEVERAL, 1), (SEVERAL + 3, 1)])
def test_several_soft_blocks_of_a_host_are_one_alarm(tmp_path: Path, failed: int, expected: int) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    blocked = {"checked": True, "soft_block": True, "content_hash": None, "detail": "The page contains “denied”."}
    fetched(crawl, *(f"/p/{number}" for number in range(failed)), parsed=blocked)
    assert len(alarms(crawl)) == expected
    reasons = crawl.ask("SELECT reason, count(*) FROM url WHERE path LIKE '/p/%' GROUP BY 1")
    assert reasons == [("soft-block", failed)]
    assert crawl.ask("SELECT error FROM page WHERE soft_block LIMIT 1") == [("The page contains “denied”.",)]
    crawl.assert_sound()


def test_soft_block_alarm_is_not_raised_twice_and_is_cleared_when_pages_pass(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    blocked = {"checked": True, "soft_block": True, "content_hash": None}
    fetched(crawl, *(f"/p/{number}" for number in range(RECENT)), parsed=blocked)
    crawl.finish()
    for said, cleared in ((blocked, 0), ({"checked": True}, 1)):
        crawl.open(recrawl="all")
        waiting = list(crawl.turn().work)
        while waiting:
            waiting += crawl.turn(crawl.page(waiting.pop(0), parsed=dict(said))).work
        crawl.finish()
        assert crawl.ask("SELECT count(*), count(cleared) FROM alarm") == [(1, cleared)]


def test_page_that_fails_a_check_keeps_what_it_said_before(tmp_path: Path) -> None:
    """A block page is no change of the page: its body, links and title go into no history, its 304 is not asked for."""
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    turn = crawl.turn(crawl.page(root, "/a", answer={"etag": '"1"'}))
    crawl.turn(*(crawl.page(work) for work in turn.work))
    crawl.finish()
    before = crawl.ask("SELECT content_hash, last_changed FROM page WHERE url_id = 1")
    crawl.open(recrawl="all")
    works = {work.url.target: work for work in crawl.turn().work}
    assert works["/"].etag == '"1"'
    blocked = {"checked": True, "soft_block": True, "content_hash": None, "links": ()}
    crawl.turn(crawl.page(works["/"], parsed=blocked, answer={"etag": '"block"'}), crawl.page(works["/a"]))
    crawl.finish()
    assert crawl.ask("SELECT content_hash, last_changed FROM page WHERE url_id = 1") == before
    assert crawl.one("SELECT count(*) FROM page_version") == 0
    assert crawl.one("SELECT count(*) FROM link WHERE source = 1") == 1
    assert crawl.states()["/"] == "failed"
    crawl.open(recrawl="all")
    works = {work.url.target: work for work in crawl.turn().work}
    assert works["/"].etag is None
    crawl.turn(crawl.page(works["/"], "/a"), crawl.page(works["/a"]))
    assert crawl.states()["/"] == "done"
    crawl.finish()
    crawl.assert_sound()


def test_body_that_was_not_put_to_the_checks_of_now_is_asked_for_whole(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    turn = crawl.turn(crawl.page(root, "/a", answer={"etag": '"1"'}))
    for work in turn.work:
        crawl.turn(crawl.page(work, "/", answer={"etag": '"2"'}))
    crawl.finish()

    def etags() -> dict[str, str | None]:
        crawl.open(recrawl="all")
        works = crawl.turn().work
        found = {work.url.target: work.etag for work in works}
        crawl.turn(*(crawl.page(work, "/a" if work.depth == 0 else "/", answer={"etag": '"3"'}) for work in works))
        crawl.finish()
        return found

    assert etags() == {"/": '"1"', "/a": '"2"'}
    crawl.open()
    crawl.change(settings_of(pages={"keep_responses": False, "checks": [{"pattern": "/a", "must": "price"}]}))
    crawl.finish()
    assert etags() == {"/": '"3"', "/a": None}
    crawl.now += 1000.0
    assert etags()["/a"] is None
    assert etags() == {"/": '"3"', "/a": '"3"'}
