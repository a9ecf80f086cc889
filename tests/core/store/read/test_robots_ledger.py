"""robots.txt in the file: asked once an origin, also after a kill; every version kept; URLs judged again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.small_crawl import SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.results import Work

OBEYING = settings_of(politeness={"robots": True})
DAY = 86_400.0
NO = "User-agent: *\nDisallow: /no"


def started(path: Path, text: str = NO, *links: str) -> tuple[SmallCrawl, tuple[Work, ...]]:
    crawl = SmallCrawl(path, OBEYING)
    (robots,) = crawl.turn().work
    assert robots.purpose == "robots"
    (root,) = crawl.turn(crawl.robots(robots, text)).work
    return crawl, crawl.turn(crawl.page(root, *links)).work


def test_no_page_is_asked_for_before_robots_txt(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", OBEYING)
    (robots,) = crawl.turn().work
    assert robots.url.target == "/robots.txt"
    assert crawl.turn().work == ()
    (page,) = crawl.turn(crawl.robots(robots, "")).work
    assert page.purpose == "page"


def test_answer_outlives_a_kill_and_an_unanswered_look_does_not(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", OBEYING)
    crawl.turn()
    crawl.reopen()
    (robots,) = crawl.turn().work
    assert robots.purpose == "robots"
    crawl.turn(crawl.robots(robots, ""), granting=False)
    crawl.reopen()
    (page,) = crawl.turn().work
    assert page.purpose == "page"


def test_blocked_url_keeps_its_rule_and_is_never_requested(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", NO, "/no/1", "/yes")
    assert [work.url.target for work in works] == ["/yes"]
    assert crawl.one("SELECT reason FROM url WHERE path = '/no/1'").startswith("robots: ")
    assert "/no" in crawl.one("SELECT reason FROM url WHERE path = '/no/1'")
    crawl.assert_sound()


def test_new_version_after_a_day_is_kept_beside_the_old_and_judges_again(tmp_path: Path) -> None:
    crawl, (yes,) = started(tmp_path / "a.crawl", NO, "/no/1", "/yes")
    (again,) = crawl.turn(crawl.page(yes, "/later"), after=DAY).work
    assert again.purpose == "robots"
    turn = crawl.turn(crawl.robots(again, "User-agent: *\nDisallow: /later"))
    assert [work.url.target for work in turn.work] == ["/no/1"]
    assert crawl.states()["/later"] == "blocked"
    versions = crawl.ask("SELECT body, first_seen < last_seen FROM robots_version ORDER BY id")
    assert [bytes(body).decode() for body, _ in versions] == [NO, "User-agent: *\nDisallow: /later"]
    crawl.assert_sound()


def test_same_version_again_moves_only_its_time(tmp_path: Path) -> None:
    crawl, (yes,) = started(tmp_path / "a.crawl", NO, "/yes")
    (again,) = crawl.turn(crawl.page(yes, "/later"), after=DAY).work
    crawl.turn(crawl.robots(again, NO))
    assert crawl.ask("SELECT last_seen - first_seen > 80000 FROM robots_version") == [(1,)]


def test_unreachable_robots_txt_blocks_then_a_probe_brings_all_back(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", OBEYING)
    (robots,) = crawl.turn().work
    turn = crawl.turn(crawl.robots(robots, "", access="retry", due=crawl.at + 10))
    assert (turn.work, turn.idle) == ((), False)
    (robots,) = crawl.turn(after=11.0).work
    assert robots.tries == 1
    turn = crawl.turn(crawl.robots(robots, "", access="disallow", due=crawl.at + 300))
    assert (turn.work, turn.idle) == ((), True)
    assert crawl.states() == {"/": "blocked"}
    assert crawl.writer.leftovers().startswith("unreachable: 1 URL left")
    (probe,) = crawl.turn(after=301.0).work
    (page,) = crawl.turn(crawl.robots(probe, "")).work
    assert page.url.target == "/"
    crawl.assert_sound()


def test_failed_probe_does_not_keep_the_run_open(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", OBEYING)
    (robots,) = crawl.turn().work
    crawl.turn(crawl.robots(robots, "", access="disallow", due=crawl.at + 300))
    (probe,) = crawl.turn(after=301.0).work
    turn = crawl.turn(crawl.robots(probe, "", access="retry", due=crawl.at + 5))
    assert turn.idle
    crawl.assert_sound()


def test_next_session_asks_an_unreachable_origin_at_once(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", OBEYING)
    (robots,) = crawl.turn().work
    crawl.turn(crawl.robots(robots, "", access="disallow", due=crawl.at + 300))
    crawl.reopen()
    (robots,) = crawl.turn().work
    assert robots.purpose == "robots"
    (page,) = crawl.turn(crawl.robots(robots, "")).work
    assert page.purpose == "page"
    crawl.assert_sound()


def test_robots_txt_is_per_origin(tmp_path: Path) -> None:
    settings = settings_of(scope={"hosts": ["shop.test", "shop.test:8080"]}, politeness={"robots": True})
    crawl = SmallCrawl(tmp_path / "a.crawl", settings)
    (robots,) = crawl.turn().work
    (root,) = crawl.turn(crawl.robots(robots, "")).work
    (other,) = crawl.turn(crawl.page(root, "http://shop.test:8080/")).work
    assert other.url.text == "http://shop.test:8080/robots.txt"
