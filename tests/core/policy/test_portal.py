"""What looks like a login or a portal, and what is only a page that moved."""

from __future__ import annotations

import pytest

from core.policy.portal import MANY, RECENT, common_portal, portal
from core.urls import Url, parse


def url(text: str) -> Url:
    found = parse(text)
    assert isinstance(found, Url)
    return found


@pytest.mark.parametrize(
    ("page", "target", "status", "place"),
    [
        ("http://a.test/p/1", "http://a.test/login", 302, "http://a.test/login"),
        ("http://a.test/p/1", "http://a.test/login?next=%2Fp%2F1", 301, "http://a.test/login"),
        ("http://a.test/p/1", "http://a.test/user/sign-in", 303, "http://a.test/user/sign-in"),
        ("http://a.test/p/1", "https://sso.b.test/", 302, "https://sso.b.test/"),
        ("http://a.test/p/1", "http://a.test/hello?back=/p/1", 302, "http://a.test/hello"),
        ("http://a.test/p/1", "http://hotel.test/welcome", 302, "http://hotel.test/welcome"),
        ("http://a.test/p/1", "http://10.0.0.1/", 307, "http://10.0.0.1/"),
        ("http://a.test/p/1", "http://a.test/", 302, ""),
        ("http://a.test/p/1", "http://a.test/gone", 302, ""),
        ("http://a.test/p/1", "http://new.test/", 301, ""),
        ("http://a.test/p/1", "http://www.a.test/p/1", 302, ""),
        ("http://a.test/p/1", "http://a.test/catalogue", 302, ""),
        ("http://a.test/p/1", "http://a.test/author/cassandra", 302, ""),
        ("http://a.test/login", "http://a.test/login?again", 302, ""),
    ],
)
def test_one_redirect(page: str, target: str, status: int, place: str) -> None:
    assert portal(url(page), url(target), status) == place


def test_many_that_lead_to_one_page_and_no_fewer_than_half() -> None:
    assert common_portal(["x"] * MANY) == "x"
    assert common_portal(["x"] * (MANY - 1)) == ""
    assert common_portal([""] * (RECENT - MANY) + ["x"] * MANY) == "x"
    assert common_portal([""] * (MANY + 1) + ["x"] * MANY) == ""
    assert common_portal([f"x{number}" for number in range(RECENT)]) == ""
    assert common_portal([]) == ""
