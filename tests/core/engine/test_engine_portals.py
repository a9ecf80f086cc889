"""A host whose pages lead to a login is held, with an alarm, and comes back whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import core.store.write.portals
from core.settings import Cookie
from core.store.wishes import Wishes
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings

TWO = {"a.test": "127.0.0.1", "b.test": "127.0.0.1"}
PAGES = 60


class Door:
    """Lets nobody in without the cookie, until `open`."""

    def __init__(self) -> None:
        self.open = False

    def __call__(self, asked: Asked) -> Reply:
        if self.open or "in=1" in asked.headers.get("cookie", ""):
            return Reply(page(title=asked.target))
        return Reply(status=302, headers=(("Location", f"/login?next={asked.target}"),))


@pytest.fixture
def door() -> Door:
    return Door()


def crawl_of(folder: Path, site: ScriptedSite, door: Door, **changes: Any) -> Crawl:
    """a.test has a door before its pages, b.test has none."""
    site.answers["/"] = lambda asked: page(*(f"/p/{n}" for n in range(PAGES)), title=asked.host)
    site.answers["/login"] = page(title="Log in")
    for number in range(PAGES):
        site.answers[f"b.test/p/{number}"] = page(title=f"B {number}")
        site.answers[f"a.test/p/{number}"] = door
        site.answers[f"/login?next=/p/{number}"] = page(title="Log in")
    return Crawl(folder, settings_of(site, **changes))


def settings_of(site: ScriptedSite, **changes: Any) -> CrawlSettings:
    seeds = (f"{site.at('a.test')}/", f"{site.at('b.test')}/")
    return quick(*seeds, fetch=fetch(resolve=TWO, **changes), politeness=politeness(per_host=1, robots=False))


def states_of(crawl: Crawl, host: str) -> dict[str, int]:
    sql = (
        "SELECT url_state_name.name, count(*) FROM url JOIN url_state_name ON url_state_name.id = url.state "
        "JOIN host ON host.id = host_id WHERE host.name = ? AND path LIKE '/p/%' GROUP BY 1"
    )
    return dict(crawl.rows(sql, host))


def test_it_is_held_with_an_alarm_while_others_go_on(tmp_path: Path, door: Door) -> None:
    with ScriptedSite() as site:
        crawl = crawl_of(tmp_path, site, door)
        ending = crawl.run()
        login = f"{site.at('a.test')}/login"
        asked = [target for target in site.targets("a.test") if target.startswith("/p/")]
    assert 10 <= len(asked) <= 22
    left = PAGES - len(asked)
    assert ending.exit_status == 3
    assert ending.reason.startswith("hold: ")
    assert ending.reason.endswith(f"left at a.test, whose pages lead to {login}")
    assert states_of(crawl, "a.test") == {"done": len(asked), "held": left}
    assert states_of(crawl, "b.test") == {"done": PAGES}
    (alarm,) = crawl.status().alarms
    assert (alarm.kind, alarm.host, alarm.pattern) == ("login", "a.test", login)
    assert f"led to {login}" in alarm.message
    assert crawl.log("login") == [alarm.message]
    assert crawl.rows("SELECT state FROM host ORDER BY name") == [("held",), ("",)]


def test_the_next_start_asks_again_also_for_what_led_to_the_login(tmp_path: Path, door: Door) -> None:
    with ScriptedSite() as site:
        crawl = crawl_of(tmp_path, site, door)
        crawl.run()
        crawl.set(settings_of(site, cookies=(Cookie(origin=site.at("a.test"), name="in", value="1"),)))
        assert crawl.run().exit_status == 0
    assert states_of(crawl, "a.test") == {"done": PAGES}
    assert crawl.rows("SELECT count(*) FROM page WHERE redirect_to IS NOT NULL") == [(0,)]
    assert crawl.status().alarms == ()
    assert crawl.rows("SELECT DISTINCT state FROM host") == [("",)]


def slow_b(site: ScriptedSite) -> None:
    """b.test keeps the run open for a while."""
    for number in range(PAGES):
        site.answers[f"b.test/p/{number}"] = Reply(page(title=f"B {number}"), hold=0.05)


def test_a_probe_that_is_let_in_ends_the_hold(tmp_path: Path, door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.store.write.portals, "PROBE_EVERY", 0.2)
    with ScriptedSite() as site:
        crawl = crawl_of(tmp_path, site, door)
        slow_b(site)

        def let_in() -> None:
            crawl.wait_until(lambda: "held" in states_of(crawl, "a.test"))
            door.open = True

        assert crawl.run(let_in).exit_status == 0
    assert states_of(crawl, "a.test") == {"done": PAGES}
    assert crawl.log("login")[-1] == "a.test answers for itself again: it is no longer on hold."


def test_the_analyst_may_end_it(tmp_path: Path, door: Door) -> None:
    with ScriptedSite() as site:
        crawl = crawl_of(tmp_path, site, door)
        slow_b(site)

        def release() -> None:
            crawl.wait_until(lambda: "held" in states_of(crawl, "a.test"))
            door.open = True
            wishes = Wishes(crawl.path)
            wishes.release()
            wishes.close()

        assert crawl.run(release).exit_status == 0
    assert states_of(crawl, "a.test") == {"done": PAGES}


def test_old_pages_that_lead_to_a_new_one_are_no_portal(tmp_path: Path, door: Door) -> None:
    with ScriptedSite() as site:
        crawl = crawl_of(tmp_path, site, door)
        for number in range(PAGES):
            site.answers[f"a.test/p/{number}"] = Reply(status=302, headers=(("Location", "/news"),))
        site.answers["/news"] = page(title="News")
        assert crawl.run().exit_status == 0
    assert crawl.status().alarms == ()
