"""What a crawl held at the end of a run: the content of each page that was there, the fingerprint of each record."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.query import rows, value
from core.store.read.functions import key_form_of
from core.store.read.look import look_into
from core.urls import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import apsw

    from core.settings import Normalise

_PAGES = """WITH seen AS (SELECT url_id, max(id) AS last FROM capture WHERE run <= ?1 AND led_to IS NULL
    GROUP BY url_id)
    SELECT u.id, o.base || u.path, coalesce((SELECT b.body_hash FROM capture b WHERE b.url_id = u.id AND b.run <= ?1
        AND b.body_hash IS NOT NULL ORDER BY b.id DESC LIMIT 1), x'')
    FROM seen JOIN capture c ON c.id = seen.last JOIN url u ON u.id = seen.url_id JOIN origin o ON o.id = u.origin_id
    WHERE c.status BETWEEN 200 AND 299 OR c.status = 304 ORDER BY u.same_as IS NULL"""  # of one key the last counts
# A type without history has no versions: of it only the last run's change is known.
_RECORDS = """SELECT r.id, coalesce(
        (SELECT v.fingerprint FROM record_version v WHERE v.record_id = r.id AND v.run <= ?1
            ORDER BY v.version DESC LIMIT 1),
        CASE WHEN r.run > ?1 THEN r.before END, r.fingerprint)
    FROM record r WHERE r.first_seen < ?2 AND (r.gone IS NULL OR r.gone >= ?2)"""


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


def _read(connection: apsw.Connection, normalise: Normalise, run: int) -> Contents:
    following = value(connection, "SELECT started FROM run WHERE number = ?", (run + 1,), float("inf"))
    until = following if run else float("-inf")
    key_text = key_form_of(Rules.of(normalise))
    pages = {_digest(key_text(url) or url): bytes(content) for _, url, content in rows(connection, _PAGES, (run,))}
    return Contents(pages, dict(rows(connection, _RECORDS, (run, until))))


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
