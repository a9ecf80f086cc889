"""What a crawl file knows about the case of one URL: whether it is known, what counts against it, its robots.txt."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.store.names import UrlState
from core.store.query import row, rows, value
from core.store.read.canonicals import CanonicalDoubts
from core.store.read.expressions import address
from core.store.read.look import look_into
from core.store.seed_chains import way_of_refusal, way_of_url
from core.store.write.hosts import ADMITTED
from core.store.write.limits import path_key
from core.store.write.refusals import refusal_key
from core.urls import key_form, parse, url_key
from core.urls.rules import Rules
from core.urls.url import Url

if TYPE_CHECKING:
    from pathlib import Path

    import apsw

    from core.settings import CrawlSettings

_KNOWN = f"""SELECT o.base || u.path, u.state, coalesce(u.reason, ''), u.depth, u.priority, u.due,
    coalesce(f.base || p.path, ''), u.first_seen - u.lastmod,
    coalesce(page.canonical, ''), coalesce({address("page.alias_of")}, ''), coalesce(came.encoding, ''),
    page.alias_of, u.id FROM url u JOIN origin o ON o.id = u.origin_id JOIN host h ON h.id = u.host_id
    LEFT JOIN url p ON p.id = u.found_on LEFT JOIN origin f ON f.id = p.origin_id
    LEFT JOIN page came ON came.url_id = u.found_on LEFT JOIN page ON page.url_id = u.id
    WHERE h.tenant = ? AND h.name = ? AND u.key = ? AND u.same_as IS NULL ORDER BY u.collision"""
_REFUSED = """SELECT r.id, r.reason, r.depth, r.seed, r.found_on, coalesce(f.base || p.path, ''),
    coalesce(came.encoding, '') FROM refused r
    LEFT JOIN url p ON p.id = r.found_on LEFT JOIN origin f ON f.id = p.origin_id
    LEFT JOIN page came ON came.url_id = r.found_on WHERE r.key = ?"""
_ROBOTS = """SELECT o.robots_state, v.body FROM origin o JOIN host h ON h.id = o.host_id
    LEFT JOIN robots_version v ON v.id = o.robots_version
    WHERE h.tenant = ? AND h.name = ? AND o.base = ?"""


@dataclass(frozen=True, slots=True)
class Standing:
    """`state` is a URL's own, `refused`, or `unknown`. `depth` is None where nobody has found the URL yet.

    `via` is the way it was found, as the judge is told; `lastmod_age` the seconds since its lastmod as it was queued;
    `canonical` what its page names, `alias_of` the page it is believed to be an alias of,
    `canonical_doubt` why it is none. `charset` is that of the page it was found on, empty where there is none.
    `url` is the spelling that is fetched; it stands for so many others that later rules made the same.
    `robots_state` is rules, allow, disallow, or unknown (not asked for yet); `robots_body` belongs to rules.
    """

    state: str
    reason: str = ""
    depth: int | None = None
    priority: int | None = None
    seed: bool = False
    found_on: str = ""
    next_due: float | None = None
    host_known: int = 0
    total_known: int = 0
    pattern_counts: tuple[int, ...] = ()
    parameter_sets: int = 0
    extra_hosts: frozenset[str] = frozenset()
    via: str = "link"
    lastmod_age: float | None = None
    canonical: str = ""
    alias_of: str = ""
    canonical_doubt: str = ""
    charset: str = ""
    url: str = ""
    stands_for: int = 0
    robots_state: str = "unknown"
    robots_body: bytes = b""


def read_standing(path: Path, settings: CrawlSettings, fetch: Url, key: Url) -> Standing:
    """The standing of the URL with this key form, in one read transaction; `fetch` is how it would be asked for."""
    with look_into(path) as connection:
        return _read(connection, settings, fetch, key)


def _read(connection: apsw.Connection, settings: CrawlSettings, fetch: Url, key: Url) -> Standing:
    tenant = settings.tenant
    host = row(connection, f"SELECT id, {ADMITTED} FROM host WHERE tenant = ? AND name = ?", (tenant, key.host))
    number, host_known = host or (0, 0)
    sets = "SELECT count FROM path_count WHERE host_id = ? AND path = ?"
    counted = "SELECT value FROM counter WHERE name = ? AND run = 0"
    place = _place(connection, settings, key)
    asked = parse(place.url or fetch.text)
    origin = asked.origin if isinstance(asked, Url) else fetch.origin
    robots_state, robots_body = row(connection, _ROBOTS, (tenant, key.host, origin)) or ("unknown", b"")
    return replace(
        place,
        host_known=host_known,
        total_known=value(connection, f"SELECT sum({ADMITTED}) FROM host WHERE tenant = ?", (tenant,), 0),
        pattern_counts=tuple(
            value(connection, counted, (f"pattern.{item.pattern}",), 0) for item in settings.budgets.patterns
        ),
        parameter_sets=value(connection, sets, (number, path_key(key)), 0) if "?" in key.target else 0,
        extra_hosts=frozenset(
            json.loads(value(connection, "SELECT value FROM meta WHERE name = 'extra_hosts'", (), "[]"))
        ),
        robots_state=robots_state,
        robots_body=bytes(robots_body or b""),
    )


def _place(connection: apsw.Connection, settings: CrawlSettings, key: Url) -> Standing:
    """What the URL's own row says, or its refusal's."""
    rules = Rules.of(settings.normalise)
    for url, state, reason, depth, priority, due, found_on, age, *named, number in rows(
        connection, _KNOWN, (settings.tenant, key.host, url_key(key))
    ):
        fetch = parse(url)
        if isinstance(fetch, Url) and key_form(fetch, rules) == key:  # a hash hit is compared
            via, seed = way_of_url(connection, number)
            return Standing(
                *(UrlState(state).label, reason, depth, priority, seed, found_on, due),
                via=via,
                lastmod_age=None if age is None else max(0.0, age),
                canonical=named[0],
                alias_of=named[1],
                canonical_doubt=CanonicalDoubts(connection, settings).of(url, named[0], named[3]),
                charset=named[2],
                url=url,
                stands_for=value(connection, "SELECT count(*) FROM url WHERE same_as = ?", (number,)),
            )
    refused = row(connection, _REFUSED, (refusal_key(settings.tenant, key),))
    if refused:
        number, reason, depth, typed, page, found_on, charset = refused
        via, seed = way_of_refusal(connection, number, page, typed=bool(typed))
        return Standing("refused", reason, depth, seed=seed, found_on=found_on, via=via, charset=charset)
    return Standing("unknown")
