"""Redirects of sitemaps, feeds and archives: each hop is judged first, and what is not followed is told."""

from __future__ import annotations

import datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import pytest

from core.settings import Archive, Authorisation, Feed, Scope, Seeds
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("sitemap", "feed", "archive")
OVER, LASTING = datetime.date(2020, 1, 31), datetime.date(2999, 1, 31)
BODIES = {
    "sitemap": "<urlset><url><loc>{root}/a</loc></url></urlset>",
    "feed": '["{root}/a"]',
    "archive": '{{"url": "{root}/a"}}',
}
ARCHIVE = "/cdx?url=127.0.0.1/*&output=json&fl=url,status,mime&filter=~status:2..&filter=%3Dmime:text/html"


def source(site: ScriptedSite, kind: str) -> tuple[Seeds, str]:
    """A source of that kind and the target it is asked by."""
    if kind == "sitemap":
        return Seeds(sitemaps=(f"{site.root}/source",)), "/source"
    if kind == "feed":
        return Seeds(feeds=(Feed(url=f"{site.root}/source", format="json", path="$"),)), "/source"
    archive = Archive(endpoint=f"{site.root}/cdx", form="common-crawl", query="127.0.0.1")
    return Seeds(archives=(archive,)), f"{ARCHIVE}&page=0&showNumPages=true"


def states(crawl: Crawl) -> list[tuple[str, str]]:
    return crawl.rows("SELECT state, message FROM seed_source ORDER BY id")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("until", [OVER, LASTING])
def test_a_redirect_leads_to_no_host_whose_authorisation_is_over(
    tmp_path: Path, kind: str, until: datetime.date
) -> None:
    with ScriptedSite({"/a": page()}) as site:
        other = f"localhost:{site.port}"
        seeds, target = source(site, kind)
        body = BODIES[kind].format(root=site.root).encode()
        site.answers |= {target: moved(f"http://{other}/moved"), "/moved": body}
        scope = Scope(hosts=(other,), authorised=(Authorisation(host=other, by="contract 7", until=until),))
        crawl = Crawl(tmp_path, quick(seeds=seeds, scope=scope))
        crawl.run()
        asked = site.targets("localhost")
    if until == LASTING:
        assert asked[0] == "/moved"
        assert states(crawl)[0] == ("done", "It redirects to localhost.")
        assert states(crawl)[1][0] == "done"
        return
    assert asked == []
    message = "Its redirect was not followed: nothing may be asked of localhost (authorisation: until 2020-01-31)."
    assert states(crawl) == [("failed", message)]
    assert message.rstrip(".") in crawl.log(kind)[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_redirect_leads_to_no_private_address_that_nobody_wrote(tmp_path: Path, kind: str) -> None:
    with ScriptedSite() as site:
        seeds, target = source(site, kind)
        site.answers |= {target: moved(f"{site.at('localhost')}/moved"), "/moved": BODIES[kind].format(root=site.root)}
        crawl = Crawl(tmp_path, quick(seeds=seeds))
        crawl.run()
        assert site.targets("localhost") == []
    ((state, message),) = states(crawl)
    assert state == "failed"
    assert "private" in message


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_asked_of_a_blocked_host(tmp_path: Path, kind: str) -> None:
    with ScriptedSite() as site:
        other = f"localhost:{site.port}"
        seeds, target = source(site, kind)
        site.answers |= {target: moved(f"http://{other}/moved"), "/moved": BODIES[kind].format(root=site.root)}
        crawl = Crawl(tmp_path, quick(seeds=seeds, scope=Scope(hosts=(other,), block_hosts=("localhost",))))
        assert crawl.run().exit_status == 0
        assert site.targets("localhost") == []
    assert states(crawl) == [
        ("failed", "Its redirect was not followed: nothing may be asked of localhost (block-host).")
    ]


def test_parts_and_pages_on_a_blocked_host_are_told_until_it_is_blocked_no_more(tmp_path: Path) -> None:
    with ScriptedSite({"/a": page()}) as site:
        other = f"localhost:{site.port}"
        site.answers |= {
            "/i.xml": f"<sitemapindex><sitemap><loc>http://{other}/p.xml</loc></sitemap></sitemapindex>",
            "/p.xml": BODIES["sitemap"].format(root=site.root),
        }
        hosts = (other, f"127.0.0.1:{site.port}")
        seeds = Seeds(sitemaps=(f"{site.root}/i.xml",))
        crawl = Crawl(tmp_path, quick(seeds=seeds, scope=Scope(hosts=hosts, block_hosts=("localhost",))))
        assert crawl.run().exit_status == 0
        assert site.targets("localhost") == []
        assert crawl.status().requests == len(site.asked)
        assert states(crawl)[1] == ("failed", "Nothing may be asked of localhost (block-host).")
        crawl.set(quick(seeds=seeds, scope=Scope(hosts=hosts)))
        assert crawl.run().exit_status == 0
        assert site.targets("localhost") == ["/p.xml"]
    assert crawl.states() == {"/a": "done"}


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://shop.test/s.xml", "javascript:alert(1)", "http://"])
def test_a_redirect_that_is_no_address_of_the_web_is_told(tmp_path: Path, location: str) -> None:
    with ScriptedSite({"/s.xml": moved(location)}) as site:
        crawl = Crawl(tmp_path, quick(seeds=Seeds(sitemaps=(f"{site.root}/s.xml",))))
        crawl.run()
        assert site.targets() == ["/s.xml"]
    ((state, message),) = states(crawl)
    assert state == "failed"
    assert message.startswith("Its redirect was not followed: ")


def test_redirects_in_a_circle_end(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        site.answers |= {"/s.xml": moved("/t.xml"), "/t.xml": moved("/s.xml")}
        crawl = Crawl(tmp_path, quick(seeds=Seeds(sitemaps=(f"{site.root}/s.xml",))))
        crawl.run()
        assert len(site.asked) == 6
    assert states(crawl) == [("failed", "It redirects more than 5 times.")]
    assert crawl.status().requests == 6


def test_a_source_that_failed_for_its_redirect_is_read_when_the_authorisation_is_extended(tmp_path: Path) -> None:
    with ScriptedSite({"/a": page()}) as site:
        other = f"localhost:{site.port}"
        hosts = (other, f"127.0.0.1:{site.port}")
        seeds, _ = source(site, "feed")
        site.answers |= {"/source": moved(f"http://{other}/moved"), "/moved": f'["{site.root}/a"]'}
        over, lasting = (
            quick(
                seeds=seeds,
                scope=Scope(hosts=hosts, authorised=(Authorisation(host=other, by="contract 7", until=until),)),
            )
            for until in (OVER, LASTING)
        )
        crawl = Crawl(tmp_path, over)
        crawl.run()
        crawl.set(lasting)
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/a": "done"}


def test_sources_are_read_whatever_robots_txt_says_of_their_path(tmp_path: Path) -> None:
    """They are named to be read, by the analyst or by that very robots.txt; the pages they name are judged by it."""
    with ScriptedSite() as site:
        site.answers |= {
            "/robots.txt": Reply(f"User-agent: *\nDisallow: /\nSitemap: {site.root}/s.xml".encode(), type="text/plain"),
            "/s.xml": BODIES["sitemap"].format(root=site.root),
        }
        seeds = Seeds(sitemaps=("auto",))
        crawl = Crawl(tmp_path, quick(seeds=seeds, scope=Scope(hosts=(f"127.0.0.1:{site.port}",))))
        crawl.run()
        assert site.targets() == ["/robots.txt", "/s.xml"]
    assert crawl.states() == {"/a": "blocked"}


def test_a_part_on_a_host_whose_authorisation_is_over_is_left_and_ends_the_run_early(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        other = f"localhost:{site.port}"
        site.answers |= {
            "/i.xml": f"<sitemapindex><sitemap><loc>http://{other}/p.xml</loc></sitemap></sitemapindex>",
            "/feed": f'<rss><channel><link rel="next" href="http://{other}/feed"/></channel></rss>',
        }
        seeds = Seeds(sitemaps=(f"{site.root}/i.xml",), feeds=(Feed(url=f"{site.root}/feed", format="rss"),))
        scope = Scope(hosts=(other,), authorised=(Authorisation(host=other, by="contract 7", until=OVER),))
        crawl = Crawl(tmp_path, quick(seeds=seeds, scope=scope))
        ending = crawl.run()
        assert site.targets("localhost") == []
    assert ending.exit_status == 3
    assert ending.reason.startswith("authorisation: 2 sources of seeds left unread")


@pytest.mark.parametrize("kind", KINDS)
def test_a_redirect_is_asked_in_its_turn(tmp_path: Path, kind: str) -> None:
    with ScriptedSite({"/a": page()}) as site:
        seeds, target = source(site, kind)
        site.answers |= {target: moved("/moved"), "/moved": BODIES[kind].format(root=site.root)}
        crawl = Crawl(tmp_path, quick(seeds=seeds, politeness=politeness(delay=0.2, robots=False), fetch=fetch()))
        crawl.run()
        first, second = site.asked[:2]
    assert (first.target, second.target) == (target, "/moved")
    assert second.at - first.at > 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_a_redirect_to_another_host_waits_for_that_host_s_turn(tmp_path: Path, kind: str) -> None:
    with ScriptedSite({f"/p/{number}": page(title=str(number)) for number in range(4)}) as site:
        other = f"localhost:{site.port}"
        seeds, target = source(site, kind)
        site.answers |= {target: moved(f"http://{other}/moved"), "/moved": BODIES[kind].format(root=site.root)}
        pages = tuple(f"http://{other}/p/{number}" for number in range(4))
        seeds = msgspec.structs.replace(seeds, urls=pages)
        paces = politeness(delay=0.2, per_host=1, robots=False)
        Crawl(tmp_path, quick(seeds=seeds, politeness=paces)).run()
        times = [asked.at for asked in site.asked if asked.host == other]
    assert len(times) == 5
    assert min(after - before for before, after in pairwise(times)) > 0.1


def test_redirects_between_two_hosts_without_end_come_to_one(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        hosts = (f"127.0.0.1:{site.port}", f"localhost:{site.port}")
        for number in range(30):
            site.answers[f"/{number}"] = moved(f"http://{hosts[(number + 1) % 2]}/{number + 1}")
        crawl = Crawl(tmp_path, quick(seeds=Seeds(sitemaps=(f"{site.root}/0",)), scope=Scope(hosts=hosts)))
        assert crawl.run().exit_status == 0
        assert len(site.asked) < 12
    assert states(crawl)[-1][1].endswith("Left out, because the source goes on too long: 1 further part.")


def test_a_feed_that_moved_to_another_host_is_read_by_its_settings_there(tmp_path: Path) -> None:
    with ScriptedSite({"/a": page(title="a"), "/b": page(title="b")}) as site:
        other = f"localhost:{site.port}"
        site.answers |= {
            "/source": moved(f"http://{other}/moved"),
            "/moved": f'{{"items": ["{site.root}/a"], "next_url": "/moved?p=2"}}',
            "/moved?p=2": f'{{"items": ["{site.root}/b"]}}',
        }
        feed = Feed(url=f"{site.root}/source", format="json", path="$.items")
        hosts = (other, f"127.0.0.1:{site.port}")
        crawl = Crawl(tmp_path, quick(seeds=Seeds(feeds=(feed,)), scope=Scope(hosts=hosts)))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/a": "done", "/b": "done"}
