"""Sitemaps that a robots.txt names which was read before the analyst asked for them (`auto`): the ledger has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import value
from core.store.results import FoundLink
from core.urls import Rules, Url, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from core.settings import CrawlSettings
    from core.store.write.hosts import Hosts
    from core.store.write.robots import RobotsTable

NOTED = "sitemaps_noted"  # in meta while `auto` is in force: from then on every robots.txt that comes is looked into


def named_before(
    connection: apsw.Connection, hosts: Hosts, robots: RobotsTable, settings: CrawlSettings
) -> tuple[FoundLink, ...]:
    """Those of every robots.txt that is known, once when `auto` comes into force; later nothing."""
    if "auto" not in settings.seeds.sitemaps:
        connection.execute("DELETE FROM meta WHERE name = ?", (NOTED,))
        return ()
    if value(connection, "SELECT value FROM meta WHERE name = ?", (NOTED,)) is not None:
        return ()
    connection.execute("INSERT INTO meta(name, value) VALUES (?, '1')", (NOTED,))
    return tuple(_named(hosts, robots, Rules.of(settings.normalise)))


def _named(hosts: Hosts, robots: RobotsTable, rules: Rules) -> Iterator[FoundLink]:
    for origin in hosts.origins():
        if origin.robots_state != "rules" or not hosts.by_id(origin.host).ours:
            continue
        place = origin.url("/robots.txt")
        for written in robots.rules(origin).sitemaps:
            url = parse(written, place)
            if isinstance(url, Url):
                yield FoundLink(url, key_form(url, rules), kind="sitemap")
