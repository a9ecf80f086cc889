"""What a crawl held at the end of a run: the content of each page that was there, the fingerprint of each record.

A page is there from its first good answer on, until it is gone (table `absence`) or redirects; an answer that failed
changes nothing of what it held. A record is there from its first sighting on, until it is gone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.query import rows, value
from core.store.read.functions import key_form_of
from core.store.read.look import look_into
from core.urls import Rules

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from pathlib import Path

    import apsw

    from core.settings import Normalise

_PAGES = """WITH seen AS (SELECT url_id, max(id) AS last FROM capture WHERE run <= ?1 AND outcome IN
        ('ok', 'not_modified', 'redirect') AND status < 400 GROUP BY url_id)
    SELECT u.id, o.base || u.path, coalesce((SELECT b.body_hash FROM capture b WHERE b.url_id = u.id AND b.run <= ?1
        AND b.body_hash IS NOT NULL ORDER BY b.id DESC LIMIT 1), x'')
    FROM seen JOIN capture c ON c.id = seen.last JOIN url u ON u.id = seen.url_id JOIN origin o ON o.id = u.origin_id
    WHERE (c.status BETWEEN 200 AND 299 OR c.status = 304) AND NOT EXISTS (SELECT 1 FROM absence a
        WHERE a.url_id = u.id AND a.run <= ?1 AND (a.back_run IS NULL OR a.back_run > ?1))
    ORDER BY u.same_as IS NULL"""  # of one key the last counts
# A type without history has no versions: of it only the last run's change is known.
_RECORDS = """SELECT r.id, coalesce(
        (SELECT v.fingerprint FROM record_version v WHERE v.record_id = r.id AND v.run <= ?1
            ORDER BY v.version DESC LIMIT 1),
        CASE WHEN r.run > ?1 THEN r.before END, r.fingerprint)
    FROM record r WHERE r.first_seen < ?2 AND NOT EXISTS (SELECT 1 FROM absence a
        WHERE a.record_id = r.id AND a.run <= ?1 AND (a.back_run IS NULL OR a.back_run > ?1))"""
_NAMED = """SELECT r.id, r.type, r.natural_key FROM record r"""


@dataclass(frozen=True, slots=True)
class Contents:
    """`pages` by a hash of their key form, `records` by their id: each to a hash of its content."""

    pages: Mapping[bytes, bytes]
    records: Mapping[str, str]


def last_run(path: Path) -> int:
    """The number of the newest run; 0 before the first."""
    with look_into(path) as connection:
        number: int = value(connection, "SELECT max(number) FROM run", (), 0)
    return number


def read_contents(path: Path, normalise: Normalise, run: int) -> Contents:
    """What the file held when that run was over, or now where it is the newest; nothing at all for run 0."""
    with look_into(path) as connection:
        return _read(connection, normalise, run)


def read_addresses(path: Path, normalise: Normalise, run: int, wanted: Container[bytes]) -> dict[bytes, str]:
    """The addresses of pages that were there, of those that are wanted by the hashes of their key forms."""
    with look_into(path) as connection:
        key_text = key_form_of(Rules.of(normalise))
        found = ((_digest(key_text(url) or url), str(url)) for _, url, _ in connection.execute(_PAGES, (run,)))
        return {digest: url for digest, url in found if digest in wanted}


def read_names(path: Path, wanted: Container[str]) -> dict[str, tuple[str, str]]:
    """Type and natural key of records, of those that are wanted by their ids."""
    with look_into(path) as connection:
        return {record: (kind, key) for record, kind, key in connection.execute(_NAMED) if record in wanted}


def _read(connection: apsw.Connection, normalise: Normalise, run: int) -> Contents:
    following = value(connection, "SELECT started FROM run WHERE number = ?", (run + 1,), float("inf"))
    until = following if run else float("-inf")
    key_text = key_form_of(Rules.of(normalise))
    pages = {_digest(key_text(url) or url): bytes(content) for _, url, content in rows(connection, _PAGES, (run,))}
    return Contents(pages, dict(rows(connection, _RECORDS, (run, until))))


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
