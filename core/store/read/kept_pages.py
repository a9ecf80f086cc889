"""Pages whose responses are kept: found piece by piece, read one by one, for rules that are tried on them.

Like a Reader it never changes the crawl file and keeps no cursor open, so an engine goes on unhindered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.settings import CrawlSettings, decode
from core.store.crawl_file import connect
from core.store.faults import translated
from core.store.query import rows, value
from core.store.responses import Responses

if TYPE_CHECKING:
    from pathlib import Path

    import apsw

    from core.store.results import Response

# Of this tenant, the URLs found last first; copies and merged spellings are read like any other page. CROSS JOIN keeps
# the order of the tables: beginning with the host every piece would sort the whole crawl.
PIECE = """SELECT p.url_id, o.base || u.path, p.last_fetched, p.status, p.content_type, p.body_bytes, p.response
    FROM page p CROSS JOIN url u ON u.id = p.url_id CROSS JOIN origin o ON o.id = u.origin_id
    CROSS JOIN host h ON h.id = u.host_id
    WHERE p.url_id < ? AND h.tenant = ? AND p.response IS NOT NULL AND p.status BETWEEN 200 AND 299
    ORDER BY p.url_id DESC LIMIT ?"""
_TOTAL = "SELECT count(*) FROM page WHERE response IS NOT NULL AND status BETWEEN 200 AND 299"
_KEYS = "SELECT natural_key FROM record WHERE url_id = ? AND type = ? AND tenant = ? ORDER BY first_seen, id LIMIT 20"
BEYOND = 2**62  # any id


@dataclass(frozen=True, slots=True)
class KeptPage:
    """One page with the answer that is kept of it. `at` is Unix time, `size` the bytes of the body."""

    id: int
    url: str
    at: float
    status: int
    content_type: str
    size: int
    response: bytes


class KeptPages:
    """Raises the FileError that fits when the file cannot be opened. Close it in the thread that made it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = connect(path)
        self._connection: apsw.Connection = self._database.connection()
        self._responses = Responses(path)
        with translated(path):
            newest = value(self._connection, "SELECT json FROM setting ORDER BY version DESC LIMIT 1")
        self._tenant = (decode(newest) if newest else CrawlSettings()).tenant

    def total(self) -> int:
        """How many pages have a kept response."""
        with translated(self._path):
            return int(value(self._connection, _TOTAL, default=0))

    def piece(self, before: int = BEYOND, limit: int = 500) -> list[KeptPage]:
        """The next pages with a smaller id than that, the newest first; none at the end."""
        with translated(self._path):
            return [KeptPage(*found) for found in rows(self._connection, PIECE, (before, self._tenant, limit))]

    def response(self, page: KeptPage) -> Response | None:
        """What was answered; None where it is kept no more."""
        return self._responses.read(page.response)

    def record_keys(self, page: int, type_: str) -> tuple[str, ...]:
        """The natural keys that a page's records of a type have now, or had: a page of one record has one for ever."""
        with translated(self._path):
            return tuple(key for (key,) in rows(self._connection, _KEYS, (page, type_, self._tenant)))

    def close(self) -> None:
        """Let go of both files."""
        self._responses.close()
        self._database.close()
