"""Everything about one URL, for the panel beside the tables and for "Explain URL"."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from core.store.names import UrlState
from core.store.query import row, rows, value
from core.store.read.expressions import address, in_links
from core.store.read.look import look
from core.store.rows import CaptureRow, LinkRow, UrlDetails, UrlStep

if TYPE_CHECKING:
    import apsw

LONGEST_CHAIN = 100
_CAPTURES = """SELECT at, run, status, outcome, bytes, seconds, links, known_links, new_urls, coalesce(led_to, '')
    FROM capture WHERE url_id = ? ORDER BY id DESC LIMIT 20"""
_DETAILS = f"""
    SELECT u.id, o.base || u.path, coalesce(key_form(o.base || u.path), ''), h.name, u.state, coalesce(u.reason, ''),
        u.depth, u.priority, u.seed, u.tries, u.first_seen, u.due, u.lastmod, p.status, coalesce(p.outcome, ''),
        coalesce(p.content_type, ''), coalesce(p.encoding, ''), coalesce(p.bytes, 0), coalesce(p.body_bytes, 0),
        coalesce(p.seconds, 0.0), coalesce(p.title, ''), coalesce(p.canonical, ''),
        coalesce({address("p.alias_of")}, ''), coalesce(p.redirect_to, ''),
        coalesce({address("p.duplicate_of")}, ''), coalesce(lower(hex(p.content_hash)), ''),
        coalesce(p.soft_block, 0), coalesce(p.needs_javascript, 0), coalesce(p.etag, ''),
        coalesce(p.last_modified, ''), p.last_fetched, p.last_changed, coalesce(p.error, '')
    FROM url u JOIN origin o ON o.id = u.origin_id JOIN host h ON h.id = u.host_id LEFT JOIN page p ON p.url_id = u.id
    WHERE u.id = ?"""
_FIELDS = tuple(field.name for field in fields(UrlDetails))[:-4]  # the four behind them have queries of their own
_STEP = """
    SELECT u.id, o.base || u.path, u.depth, u.found_on FROM url u JOIN origin o ON o.id = u.origin_id WHERE u.id = ?"""
_IN_LINKS = """
    SELECT u.id, o.base || u.path, l.text, l.rel, l.kind, u.state, p.status
    FROM link l JOIN url u ON u.id = l.source JOIN origin o ON o.id = u.origin_id LEFT JOIN page p ON p.url_id = u.id
    WHERE l.target IN (SELECT ?1 UNION ALL SELECT id FROM url WHERE same_as = ?1)
    GROUP BY l.source ORDER BY l.source LIMIT ?2"""
_OUT_LINKS = """
    SELECT u.id, coalesce(o.base || u.path, r.url, ''), l.text, l.rel, l.kind, u.state, p.status
    FROM link l LEFT JOIN url u ON u.id = l.target LEFT JOIN origin o ON o.id = u.origin_id
        LEFT JOIN page p ON p.url_id = l.target LEFT JOIN refused r ON r.id = -l.target
    WHERE l.source = ? ORDER BY l.target LIMIT ?"""


def read_details(connection: apsw.Connection, number: int) -> UrlDetails | None:
    """The URL of that id, or None. The connection must have the functions of functions.py."""
    with look(connection):
        found = row(connection, _DETAILS, (number,))
        return _details(connection, number, found) if found else None


def read_in_links(connection: apsw.Connection, number: int, limit: int) -> tuple[LinkRow, ...]:
    """The pages that link to this URL or to one that is the same, in the order in which they were found."""
    return tuple(map(_link, rows(connection, _IN_LINKS, (number, limit))))


def read_out_links(connection: apsw.Connection, number: int, limit: int) -> tuple[LinkRow, ...]:
    """The links of this page; a target without an id was refused."""
    return tuple(map(_link, rows(connection, _OUT_LINKS, (number, limit))))


def _details(connection: apsw.Connection, number: int, found: tuple[Any, ...]) -> UrlDetails:
    known = dict(zip(_FIELDS, found, strict=True))
    known["state"] = UrlState(known["state"]).label
    for flag in ("seed", "soft_block", "needs_javascript"):
        known[flag] = bool(known[flag])
    return UrlDetails(
        **known,
        chain=_chain(connection, number),
        captures=tuple(CaptureRow(*capture) for capture in rows(connection, _CAPTURES, (number,))),
        in_links=value(connection, f"SELECT {in_links('?1')}", (number,)),
        out_links=value(connection, "SELECT count(*) FROM link WHERE source = ?", (number,), 0),
    )


def _chain(connection: apsw.Connection, number: int) -> tuple[UrlStep, ...]:
    """From the seed to the page this URL was found on. A ring (two pages that found each other) is cut."""
    finder = value(connection, "SELECT found_on FROM url WHERE id = ?", (number,))
    chain: list[UrlStep] = []
    seen = {number}
    while finder is not None and finder not in seen and len(chain) < LONGEST_CHAIN:
        found = row(connection, _STEP, (finder,))
        if found is None:
            break
        seen.add(finder)
        chain.append(UrlStep(*found[:3]))
        finder = found[3]
    return tuple(reversed(chain))


def _link(found: tuple[int | None, str, str, str, str, int | None, int | None]) -> LinkRow:
    number, url, text, rel, kind, state, status = found
    return LinkRow(number, url, text, rel, kind, "refused" if state is None else UrlState(state).label, status)
