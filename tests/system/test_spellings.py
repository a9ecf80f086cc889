"""A site whose every link is spelled in another way is crawled to one page each, as one whose links are plain."""

from __future__ import annotations

import html
import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Spelling = Callable[["Link"], str]

PATHS = (
    "/",
    "/index.html",
    "/a/one.html",
    "/a/two~three.html",
    "/a/b/caf\u00e9.html",
    "/a/b/\u65e5\u672c.html",
    "/a/b/with space.html",
    "/A/One.html",
    "/c/search?b=2&a=1",
    "/c/search?a=1&c=3",
    "/c/",
)


@dataclass(frozen=True, slots=True)
class Link:
    """The site's origin, the folder of the page that links, and the path that is meant."""

    origin: str
    folder: str
    path: str


SPELLINGS: tuple[Spelling, ...] = (
    lambda link: link.origin + quote(link.path, safe="/?&=~"),
    lambda link: link.origin.replace("http://docs", "HTTP://DOCS") + link.path,
    lambda link: link.origin.replace("http:", "") + link.path,
    lambda link: link.origin.replace("http:", "/") + link.path,
    lambda link: link.origin.replace("//", "//user:word@") + link.path,
    lambda link: ":0".join(link.origin.rsplit(":", 1)) + link.path,
    lambda link: (link.origin + link.path.partition("?")[0]).replace("/", "\\") + _query(link.path),
    lambda link: "/x/.." + link.path,
    lambda link: "/x/y/%2e%2E/.%2e" + link.path,
    lambda link: "/." + link.path,
    lambda link: _relative(link.folder, link.path),
    lambda link: link.path.replace("~", "%7e").replace("o", "%6F"),
    lambda link: quote(link.path, safe="/?&=~").lower() if link.path.lower() == link.path else link.path,
    lambda link: link.path + "#top",
    lambda link: link.path + ("&" if "?" in link.path else "?"),
    lambda link: _with(link.path, "utm_source=x&utm_medium=y", first=False),
    lambda link: _with(link.path, "gclid=1&&utm_campaign=z", first=True) + "#a",
    lambda link: f"\n\t {link.path} \r\n",
    lambda link: link.path[:2] + "\n" + link.path[2:],
)


def _query(path: str) -> str:
    return "?" + path.partition("?")[2] if "?" in path else ""


def _relative(folder: str, path: str) -> str:
    place = path.partition("?")[0]
    found = posixpath.relpath(place, folder) + ("/" if place.endswith("/") else "")
    return f"./{found}{_query(path)}"


def _with(path: str, tracking: str, *, first: bool) -> str:
    """Tracking parameters around the path's own, which come in another order."""
    place, _, query = path.partition("?")
    own = "&".join(reversed(query.split("&"))) if query else ""
    return f"{place}?" + "&".join(part for part in ((tracking, own) if first else (own, tracking)) if part)


def page(links: list[str], title: str) -> bytes:
    anchors = "".join(f'<a href="{html.escape(link)}">x</a>' for link in links)
    return f'<!DOCTYPE html><meta charset="utf-8"><title>{title}</title>{anchors}'.encode()


def crawled(folder: Path, name: str, spellings: tuple[Spelling, ...]) -> tuple[set[str], int, int]:
    """What was asked for, with parameters in order; how many requests that took; how many URLs are known."""

    def answer(asked: Asked) -> Reply:
        path = unquote(asked.target)
        here = posixpath.dirname(path.partition("?")[0])
        turn = PATHS.index(path) if path in PATHS else 0
        written = [
            spellings[(turn + number * (1 + turn % 3)) % len(spellings)](Link(site.at("docs.test"), here, target))
            for number, target in enumerate(PATHS * 2)
        ]
        return Reply(page(written, path))

    with ScriptedSite() as site:
        site.answers = _Everywhere(answer)
        settings = quick(
            site.at("docs.test"),
            fetch=fetch(resolve={"docs.test": "127.0.0.1"}),
            politeness=politeness(robots=False, adaptive=False),
        )
        crawl = Crawl(folder, settings, name)
        assert crawl.run().exit_status == 0
        targets = [unquote(target) for target in site.targets()]
    place_and_query = ((target.partition("?")[0], target.partition("?")[2]) for target in targets)
    asked = {f"{place}?{'&'.join(sorted(query.strip('&').split('&')))}" for place, query in place_and_query}
    return asked, len(targets), len(crawl.urls())


class _Everywhere(dict[str, object]):
    """One answer for every target."""

    def __init__(self, answer: Callable[[Asked], Reply]) -> None:
        super().__init__()
        self._answer = answer

    def get(self, *_key: object) -> object:
        return self._answer


def test_however_links_are_spelled_each_page_is_one(tmp_path: Path) -> None:
    plain, requests, known = crawled(tmp_path, "plain.crawl", SPELLINGS[:1])
    assert (requests, known) == (len(PATHS), len(PATHS))
    for start in range(0, len(SPELLINGS), 5):
        turned = SPELLINGS[start:] + SPELLINGS[:start]
        assert crawled(tmp_path, f"{start}.crawl", turned) == (plain, requests, known)
