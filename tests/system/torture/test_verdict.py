"""The verdict sees a careless crawler: otherwise it would prove nothing of a careful one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.system.torture.credential_faults import TOKEN, USER
from tests.system.torture.site import Site
from tests.system.torture.verdict import failures, global_failures, unvisited

if TYPE_CHECKING:
    from pathlib import Path


def test_every_carelessness_is_seen(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        note = site.log.note
        for _ in range(5):
            note("a", "GET", "/fault/hang", {})
        for number in range(501):
            note("a", "GET", f"/trap/cal/2026/{number}", {})
        note("a", "POST", "/danger/post", {})
        note("a", "GET", "/secret/by-redirect", {"authorization": f"Basic {USER}"})
        note("a", "GET", "/fault/407-unsolicited", {"proxy-authorization": "x"})
        note("a", "GET", "/trap/long/" + "u" * 9000, {})
        note("b", "GET", "/catch/cookie", {"cookie": "sid=1", "referer": "http://127.0.0.1/?token=TOPSECRET"})
        note("a2", "GET", "/", {"authorization": TOKEN})
        note("internal", "GET", "/v3", {})
        note("rob-500", "GET", "/page", {})
        assert set(failures(site)) == {
            *("hang", "trap-cal", "logout-links", "redirect-disallowed", "userinfo-link", "407-unsolicited"),
            *("url-1mb", "redirect-1mb", "ssrf-variants", "robots-500"),
        }
        told = " ".join(global_failures(site))
        assert "authorization went to a2" in told
        assert "cookie went to b" in told
        assert "Referer" in told
        for word in ("private service", "robots.txt forbids", "methods: ['POST']", "never asked for"):
            assert word in told
        assert {"set-cookie", "slow-ok", "robots-html"} <= unvisited(site)
        assert "hang" not in unvisited(site)


def test_nothing_asked_is_nothing_fallen_for(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        assert failures(site) == {}
