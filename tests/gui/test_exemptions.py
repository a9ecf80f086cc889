"""Where a crawl is less careful than by itself, said beside the host and above the views."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.settings import CrawlSettings, Fetch, Politeness, RobotsOverride
from core.store.crawl_file import create
from gui.exemptions import Exemptions
from gui.header import Header
from gui.session import OpenCrawl

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.theme import Theme


def settings(*unchecked: str, override: tuple[str, ...] = (), robots: bool = True) -> CrawlSettings:
    overrides = tuple(RobotsOverride(host=host, reason="our own site") for host in override)
    return CrawlSettings(
        fetch=Fetch(untrusted_tls=unchecked), politeness=Politeness(robots=robots, robots_override=overrides)
    )


@pytest.mark.parametrize(
    ("made", "host", "words"),
    [
        (settings(), "shop.test", ""),
        (settings("shop.test"), "shop.test", "certificate not checked"),
        (settings("SHOP.test:8443"), "shop.test", "certificate not checked"),
        (settings("shop.test"), "other.test", ""),
        (settings(override=("*.shop.test",)), "a.shop.test", "robots.txt not obeyed"),
        (settings(override=("shop.test:8080",)), "shop.test", "robots.txt not obeyed"),
        (settings("a.test", override=("a.test",)), "a.test", "certificate not checked, robots.txt not obeyed"),
        (settings("<b>no host</b>"), "shop.test", ""),
    ],
)
def test_a_host_is_said_to_be_an_exception(made: CrawlSettings, host: str, words: str) -> None:
    assert Exemptions(made).of(host) == words


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (settings(), ""),
        (settings("a.test"), "Certificate not checked: a.test"),
        (settings("a.test", "b.test"), "Certificate not checked: 2 hosts"),
        (settings(override=("a.test",)), "robots.txt not obeyed: a.test"),
        (settings("a.test", robots=False), "Certificate not checked: a.test · robots.txt not asked for"),
    ],
)
def test_the_crawl_says_them_in_short(made: CrawlSettings, words: str) -> None:
    assert Exemptions(made).in_short() == words


def test_the_reasons_are_said_in_full_and_not_without_end() -> None:
    full = Exemptions(settings(*(f"{n}.test" for n in range(40)), override=("a.test",))).in_full()
    assert full.splitlines()[0] == "0.test: certificate not checked"
    assert full.splitlines()[-1] == "… and 29 more"
    assert "a.test: robots.txt not obeyed (our own site)" in Exemptions(settings(override=("a.test",))).in_full()


def test_the_header_shows_them(theme: Theme, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "a.crawl"
    create(path, settings("a.test", override=("a.test",)))
    crawl = OpenCrawl(path)
    qtbot.waitUntil(lambda: crawl.settings is not None, timeout=5000)
    header = Header(theme, ["One"])
    qtbot.addWidget(header)
    header.show()
    header.show_crawl(crawl, "")
    assert header._exempt.isVisible()
    assert header._exempt.text() == "Certificate not checked: a.test · robots.txt not obeyed: a.test"
    assert "our own site" in header._exempt.toolTip()
    crawl.settings = settings()
    header.show_crawl(crawl, "")
    assert not header._exempt.isVisible()
    crawl.close()
    assert crawl.wait_closed()
