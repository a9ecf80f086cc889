"""A crawl of an odd site that is killed again and again comes to the same end as one that is not.

The site has copies, aliases, redirects, dead links, spellings and forbidden parts, but nothing that depends on which
page is asked first (no sitemaps, which race with the pages): so whatever differs was lost or doubled by a kill.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import apsw

from core.demo import SiteOptions, SiteThread
from tests.system.children import command
from tests.system.soak import engine_deaths
from tests.system.soak.life import Life
from tests.system.soak.sound import assert_sound
from tests.system.soak.test_soak import LONG, SEED, told

if TYPE_CHECKING:
    from pathlib import Path

ODD = SiteOptions(
    listings=6,
    per_listing=14,
    latency_ms=5,
    dup_rate=0.1,
    neardup_rate=0.05,
    dead_rate=0.1,
    redirect_rate=0.15,
    redirect_kinds=("permanent", "temporary", "chain", "loop"),
    alias_rate=0.2,
    tracking_rate=0.2,
    spelling_rate=0.2,
    nofollow_rate=0.1,
    noindex_rate=0.1,
    private_rate=0.1,
)
LIVES = 12 if LONG else 1
KILLS = 6 if LONG else 2  # in each

PICTURE = {
    "urls": "SELECT origin.base || url.path, url.state, url.reason, url.depth, page.status, page.outcome, "
    "page.redirect_to, page.canonical, page.useful, page.content_hash, alias.path, url.tries FROM url "
    "JOIN origin ON origin.id = url.origin_id LEFT JOIN page ON page.url_id = url.id "
    "LEFT JOIN url alias ON alias.id = page.alias_of ORDER BY 1",
    "copies": "SELECT content_hash, count(*), count(duplicate_of) FROM page GROUP BY 1 HAVING count(*) > 1 ORDER BY 1",
    "refused": "SELECT url, reason, depth FROM refused ORDER BY 1",
    "links": "SELECT source.path, coalesce(target.path, refused.url), link.kind, link.rel, link.text FROM link "
    "JOIN url source ON source.id = source LEFT JOIN url target ON target.id = link.target "
    "LEFT JOIN refused ON refused.id = -link.target ORDER BY 1, 2",
    "records": "SELECT record.id, natural_key, fingerprint, version, action, url.path FROM record "
    "JOIN url ON url.id = url_id ORDER BY 1",
    "counters": "SELECT name, value FROM counter WHERE run = 0 AND name IN "
    "('pages', 'records', 'links', 'new_urls', 'useful', 'conflicts', 'created') ORDER BY 1",
    "captures": "SELECT url.path, count(*) FROM capture JOIN url ON url.id = url_id GROUP BY 1 ORDER BY 1",
}


def picture(path: Path) -> dict[str, list[Any]]:
    """What a crawl is in the end, without times and without what depends on the order of its requests."""
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        return {name: connection.execute(sql).fetchall() for name, sql in PICTURE.items()}


def test_a_killed_crawl_comes_to_the_same_end(tmp_path: Path) -> None:
    with SiteThread(ODD) as site:
        whole = Life(made(tmp_path / "whole"), site, SEED, sitemaps=False)
        assert command(*whole.goes_on)[0] == 0
        expected = picture(whole.path)
        assert len(expected["urls"]) > 100
        for seed in range(SEED, SEED + LIVES):
            life = Life(made(tmp_path / str(seed)), site, seed, sitemaps=False)
            with told(life):
                for _ in range(KILLS):
                    life.chance.choice(engine_deaths.DEATHS)(life)
                assert command(*life.goes_on)[0] == 0
                assert_sound(life.path)
                found = picture(life.path)
                for name, rows in expected.items():
                    assert found[name] == rows, name


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder
