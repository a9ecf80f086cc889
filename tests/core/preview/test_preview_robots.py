"""A robots.txt asked for on its own: what came, and how it is to be read."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from core.errors import BadUrl
from core.fetch.secrets import Secrets
from core.policy.robots import RobotsAnswer
from core.preview.robots import FetchedRobots, fetch_robots
from core.settings import Authorisation, CrawlSettings, Scope
from tests.core.engine.scripted_site import Reply, ScriptedSite, moved

SECRETS = Secrets({}, lambda _: None)


def fetched(address: str, seconds: float = 20.0) -> FetchedRobots:
    return asyncio.run(fetch_robots(address, CrawlSettings(), SECRETS, seconds))


def test_the_origin_of_any_url_is_asked_and_redirects_are_followed() -> None:
    with ScriptedSite() as site:
        site.answers |= {"/robots.txt": moved("/r"), "/r": Reply(b"\xef\xbb\xbfUser-agent: *", type="text/plain")}
        found = fetched(f"{site.root}/deep/page?x=1")
    assert (found.access, found.text, found.status) == (RobotsAnswer.RULES, "User-agent: *", 200)
    assert (found.origin, found.address) == (site.root, f"{site.root}/r")


@pytest.mark.parametrize(("status", "access"), [(404, RobotsAnswer.ALLOW), (503, RobotsAnswer.DISALLOW)])
def test_an_answer_without_rules_has_a_meaning_and_no_text(status: int, access: RobotsAnswer) -> None:
    with ScriptedSite() as site:
        site.answers["/robots.txt"] = Reply(b"<p>sorry", status=status)
        found = fetched(site.root)
    assert (found.access, found.status, found.text) == (access, status, "")


def test_a_site_that_is_not_there_forbids_all_and_says_why() -> None:
    with ScriptedSite() as site:
        gone = site.root
    found = fetched(gone)
    assert (found.access, found.status) == (RobotsAnswer.DISALLOW, None)
    assert found.problem


def test_what_is_no_url_is_told() -> None:
    with pytest.raises(BadUrl, match="did you mean"):
        fetched("shop.test")


def test_nothing_is_asked_of_a_host_whose_authorisation_is_over() -> None:
    authorised = (Authorisation(host="127.0.0.1", by="contract 7", until=date(2020, 1, 31)),)
    with ScriptedSite({"/robots.txt": "User-agent: *"}) as site:
        found = asyncio.run(fetch_robots(site.root, CrawlSettings(scope=Scope(authorised=authorised)), SECRETS))
        assert site.asked == []
    assert found.problem == "Nothing may be asked of 127.0.0.1 (authorisation: until 2020-01-31)."
