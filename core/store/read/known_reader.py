"""Every known URL of a crawl, piece by piece, and which of some URLs it knows: for counts and previews, off to a side.

Like a Reader it never changes the file and keeps no cursor open between two pieces, so an engine goes on unhindered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import CrawlSettings, decode
from core.store.crawl_file import connect
from core.store.faults import translated
from core.store.query import row, rows, value
from core.urls import Rules, Url, key_form, parse, url_key

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import apsw

_TOTAL = "SELECT count(*) FROM url u JOIN host h ON h.id = u.host_id WHERE h.tenant = ?"
# CROSS JOIN keeps the order of the tables: beginning with the host, every piece would read and sort all URLs.
PIECE = """SELECT u.id, o.base || u.path FROM url u CROSS JOIN host h ON h.id = u.host_id
    JOIN origin o ON o.id = u.origin_id WHERE u.id > ? AND h.tenant = ? ORDER BY u.id LIMIT ?"""
_ORIGIN = """SELECT u.seed, coalesce(s.kind, ''), coalesce(s.address, '') FROM url u
    LEFT JOIN seed_source s ON s.id = u.source_id WHERE u.id = ?"""
LATEST = """SELECT o.base || u.path FROM url u CROSS JOIN origin o ON o.id = u.origin_id
    CROSS JOIN host h ON h.id = u.host_id WHERE h.tenant = ? AND ? IN ('', o.base) ORDER BY u.id DESC LIMIT ?"""
_FIND = """SELECT u.id, o.base || u.path FROM host h JOIN url u ON u.host_id = h.id JOIN origin o ON o.id = u.origin_id
    WHERE h.tenant = ? AND h.name = ? AND u.key = ? AND u.same_as IS NULL"""


class KnownReader:
    """Raises the FileError that fits when the file cannot be opened. Close it in the thread that made it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = connect(path)
        self._connection: apsw.Connection = self._database.connection()
        with translated(path):
            newest = "SELECT json FROM setting ORDER BY version DESC LIMIT 1"
            settings = decode(value(self._connection, newest)) if value(self._connection, newest) else CrawlSettings()
        self._tenant = settings.tenant
        self._rules = Rules.of(settings.normalise)

    def total(self) -> int:
        """How many URLs the crawl knows, whatever became of them."""
        with translated(self._path):
            return int(value(self._connection, _TOTAL, (self._tenant,), 0))

    def piece(self, after: int, limit: int) -> list[tuple[int, str]]:
        """Ids and fetch forms of the next URLs behind that id; none at the end."""
        with translated(self._path):
            return rows(self._connection, PIECE, (after, self._tenant, limit))

    def latest(self, origin: str, limit: int) -> list[str]:
        """The fetch forms that were found last, of that origin alone unless it is empty. May read every URL."""
        with translated(self._path):
            return [url for (url,) in rows(self._connection, LATEST, (self._tenant, origin, limit))]

    def find(self, key: Url) -> int | None:
        """The id of the URL with this key form, None where the crawl does not know it."""
        with translated(self._path):
            for number, text in rows(self._connection, _FIND, (self._tenant, key.host, url_key(key))):
                url = parse(text)
                if isinstance(url, Url) and key_form(url, self._rules) == key:  # a hash hit is compared
                    return int(number)
        return None

    def came_by(self, number: int) -> tuple[bool, str, str]:
        """Whether the analyst typed this URL, and kind and address of the seed source that brought it, if one did."""
        with translated(self._path):
            found = row(self._connection, _ORIGIN, (number,)) or (0, "", "")
        return bool(found[0]), str(found[1]), str(found[2])

    def key(self, url: Url) -> Url:
        """The key form of a fetch form under the rules in force."""
        return key_form(url, self._rules)

    def which(self, keys: Iterable[str]) -> set[str]:
        """Those of the key forms that the crawl knows; they may be of other rules than those in force."""
        urls = ((text, parse(text)) for text in keys)
        return {text for text, url in urls if isinstance(url, Url) and self.find(self.key(url)) is not None}

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()
