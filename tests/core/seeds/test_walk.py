"""Which sitemaps are read, and how often: SMP-19 and SMP-21."""

from __future__ import annotations

from core.policy import Robots
from core.seeds.base import Found
from core.seeds.robots import sitemaps_named
from core.seeds.sitemap import Sitemap
from core.seeds.walk import DEEPEST, SitemapWalk


def walked(index: dict[str, list[str]], *roots: str) -> tuple[list[str], SitemapWalk]:
    walk = SitemapWalk(roots)
    order: list[str] = []
    while (step := walk.next()) is not None:
        address, level = step
        order.append(address)
        walk.took(address, level, Sitemap("index", children=tuple(Found(child) for child in index.get(address, []))))
    return order, walk


def test_index_loops_end_and_every_sitemap_is_read_once() -> None:
    order, walk = walked({"a": ["a", "b"], "b": ["a", "c"]}, "a")
    assert order == ["a", "b", "c"]
    assert len(walk.warnings) == 2


def test_index_files_are_followed_three_levels_deep() -> None:
    order, walk = walked({str(n): [str(n + 1)] for n in range(50)}, "0")
    assert order == [str(n) for n in range(DEEPEST + 1)]
    assert "index files deep" in str(walk.warnings[0])


def test_sitemap_lines_are_resolved_and_come_once() -> None:
    body = (
        " sitemap:/s1.xml  \nSITEMAP: http://example.test/s1.xml\nSitemap: ftp://x\nUser-agent: other\nSitemap: /s2.xml"
    )
    found, warnings = sitemaps_named(Robots.parse(body, "x").sitemaps, "http://example.test/robots.txt")
    assert [item.url_text for item in found] == ["http://example.test/s1.xml", "http://example.test/s2.xml"]
    assert len(warnings) == 1
