"""An authorisation that has ended, with a real engine: no request, exit status 3, an alarm."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from core.settings import Authorisation, Scope
from tests.core.engine.crawl import Crawl, fetch, quick
from tests.core.engine.scripted_site import ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path

PAST, FUTURE = date(2001, 1, 31), date(9999, 12, 31)


def allowed(host: str, until: date) -> Scope:
    return Scope(authorised=(Authorisation(host=host, by="contract 17", until=until),))


def test_a_run_that_an_authorisation_ends_says_so_and_goes_on_when_it_is_extended(tmp_path: Path) -> None:
    with ScriptedSite({"/": page("/a"), "/a": page(title="A")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", scope=allowed("127.0.0.1", PAST)))
        ending = crawl.run()
        assert (ending.exit_status, ending.reason) == (3, "authorisation: until 2001-01-31: 1 URL left at 127.0.0.1")
        assert site.asked == []
        status = crawl.status()
        assert (status.state, status.urls["blocked"]) == ("stopped", 1)
        assert [(alarm.kind, alarm.host) for alarm in status.alarms] == [("authorisation", "127.0.0.1")]
        assert crawl.run().exit_status == 3
        assert site.asked == []
        crawl.set(quick(f"{site.root}/", scope=allowed("127.0.0.1", FUTURE)))
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/robots.txt", "/", "/a"]
    assert crawl.status().alarms == ()


def test_robots_txt_that_redirects_to_such_a_host_is_not_followed(tmp_path: Path) -> None:
    """What it would say is not known, so it forbids all."""
    with ScriptedSite({"/": page()}) as site:
        site.answers["/robots.txt"] = moved(f"{site.at('old.test')}/robots.txt")
        names = fetch(resolve={"a.test": "127.0.0.1", "old.test": "127.0.0.1"})
        crawl = Crawl(tmp_path, quick(f"{site.at('a.test')}/", scope=allowed("old.test", PAST), fetch=names))
        assert crawl.run().exit_status == 3
        assert [asked.host.partition(":")[0] for asked in site.asked] == ["a.test"]
        assert crawl.urls()["/"].reason == "robots: unreachable (a host whose authorisation ended)"
