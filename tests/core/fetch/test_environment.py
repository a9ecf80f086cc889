"""Nothing of the environment changes where a request goes or what it says: no proxy, no netrc, no certificates."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.fetch.preview import fetch_once
from core.fetch.secrets import Secrets
from core.settings import CrawlSettings
from tests.core.fetch.raw_server import LOOPBACK, Site, client, html, request, says

if TYPE_CHECKING:
    from pathlib import Path

PROXIES = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")


@pytest.fixture
def loaded_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in PROXIES:
        monkeypatch.setenv(name, "http://me:secret@127.0.0.1:9")
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\ndefault login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".netrc").write_text(netrc.read_text())


@pytest.mark.usefixtures("loaded_environment")
@pytest.mark.parametrize("preview", [False, True], ids=["crawl", "preview"])
def test_no_proxy_and_no_password_of_the_environment_is_used(preview: bool) -> None:
    async def run() -> tuple[str, str]:
        async with Site(says(html())) as site:
            if preview:
                fetched = await fetch_once(site.url(), CrawlSettings(), LOOPBACK, Secrets({}, lambda _: None))
            else:
                async with client() as ours:
                    fetched = await ours.fetch(request(site.url()))
            return fetched.outcome, site.heads[0].lower()

    outcome, head = asyncio.run(run())
    assert outcome == "ok"
    assert head.startswith("get / http/1.1")
    assert "authorization" not in head
