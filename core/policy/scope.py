"""Which hosts a crawl may visit, compared as parsed names, and which addresses are private.

`http://target.test@evil.example/` and `target.test.evil.example` are outside `target.test` because only the parsed
host counts. A private or local address is allowed only where exactly that host (and port, if given) was written by the
analyst; whether a name resolves to a private address is the connection's check, with the same lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.urls import Url, parse
from core.urls.addresses import literal, restriction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.settings import CrawlSettings


class HostSet:
    """Hosts written as `host`, `host:port` or `*.host` (every name below it); raises nothing, skips what is no host."""

    __slots__ = ("_below", "_exact", "_subdomains", "_www")

    def __init__(self, written: Iterable[str], *, subdomains: bool = False, ignore_www: bool = False) -> None:
        self._subdomains = subdomains
        self._www = ignore_www
        plain: set[str] = set()
        below: set[str] = set()
        for text in written:
            (below if text.startswith("*.") else plain).add(self._known_as(parsed_host(text.removeprefix("*."))))
        self._exact = frozenset(plain - {""})
        self._below = frozenset(below - {""})

    def __contains__(self, url: object) -> bool:
        return isinstance(url, Url) and self.holds(url.host, url.port)

    def joined_by(self, host: str) -> HostSet:
        """The same with one more parsed host: without looking at the others again, of which there may be many."""
        joined = HostSet((), subdomains=self._subdomains, ignore_www=self._www)
        joined._exact = self._exact | {self._known_as(host)}
        joined._below = self._below
        return joined

    def holds(self, host: str, port: int) -> bool:
        """Whether the parsed host is meant at this port."""
        host = self._known_as(host)
        if self._listed(self._exact, host, port):
            return True
        return bool(self._below or self._subdomains) and not _is_address(host) and self._is_below(host, port)

    def _is_below(self, host: str, port: int) -> bool:
        parents = self._below | self._exact if self._subdomains else self._below
        _, dot, parent = host.partition(".")
        while dot:
            if self._listed(parents, parent, port):
                return True
            _, dot, parent = parent.partition(".")
        return False

    @staticmethod
    def _listed(hosts: frozenset[str], host: str, port: int) -> bool:
        return host in hosts or f"{host}:{port}" in hosts

    def _known_as(self, host: str) -> str:
        return host.removeprefix("www.") if self._www else host


def parsed_host(written: str) -> str:
    """`host` or `host:port` as parsed; empty where it is no host."""
    if not written or any(mark in written for mark in "/?#@\\") or written != written.strip():
        return ""
    url = parse(f"http://{written}/")
    if not isinstance(url, Url):
        return ""
    return f"{url.host}:{url.port}" if has_port(written) else url.host


def has_port(written: str) -> bool:
    """Whether a host is written with its port."""
    return written.rpartition(":")[2].isdigit() and not written.endswith("]")


def written_seeds(settings: CrawlSettings) -> tuple[Url, ...]:
    """Every address in the seeds that the analyst wrote: pages, sitemaps, feeds and archive endpoints."""
    seeds = settings.seeds
    texts = (*seeds.urls, *seeds.sitemaps, *(feed.url for feed in seeds.feeds), *(a.endpoint for a in seeds.archives))
    parsed = (parse(text) for text in texts)
    return tuple(url for url in parsed if isinstance(url, Url))


def scope_hosts(settings: CrawlSettings) -> frozenset[str]:
    """The hosts a crawl covers before any redirect widens it: `scope.hosts`, or else those of the seeds."""
    if settings.scope.hosts:
        return frozenset(settings.scope.hosts)
    seeds = settings.seeds
    texts = (*seeds.urls, *seeds.sitemaps, *(feed.url for feed in seeds.feeds))
    hosts = {url.host for url in (parse(text) for text in texts) if isinstance(url, Url)}
    return frozenset(hosts | ({queried_host(archive.query) for archive in seeds.archives} - {""}))


def queried_host(query: str) -> str:
    """The host that an archive's query asks for, as `shop.example/a/*` and `*.shop.example` do; empty for none."""
    place = query.strip().partition("://")[2] or query.strip()
    return parsed_host(place.removeprefix("*.").partition("/")[0])


def listed_hosts(settings: CrawlSettings) -> frozenset[str]:
    """Hosts whose private addresses are allowed: host:port of every written seed, and hosts as `scope.hosts` and the
    queries to archives write them.
    """
    seeds = {f"{url.host}:{url.port}" for url in written_seeds(settings)}
    seeds |= {queried_host(item.query) for item in settings.seeds.archives if not item.query.startswith("*.")} - {""}
    scoped = {parsed_host(text.removeprefix("*.")) for text in settings.scope.hosts if not text.startswith("*.")}
    return frozenset(seeds | (scoped - {""}))


def is_private(host: str) -> bool:
    """Whether a parsed host is, by itself, a private or local place: an address not meant for all, or `localhost`."""
    if host == "localhost" or host.endswith((".localhost", ".localhost.")) or host == "localhost.":
        return True
    address = literal(host) if _is_address(host) else None
    return address is not None and restriction(address) is not None


def _is_address(host: str) -> bool:
    return host.startswith("[") or host[-1:].isdigit()
