"""A second look at the canonicals that fetched pages name, without a request: after other settings, and where a page
that was no canonical has become one.

It goes over the pages in pieces, each within a transaction. That one is wanted, and how far it came, stands in the
file, so that a kill neither loses nor repeats it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.query import rows, value

if TYPE_CHECKING:
    import apsw

NAME = "canonicals_from"  # in meta: the id of the last page that was looked at
PIECE = 2000  # ids a transaction

NAMING = """
SELECT page.url_id, page.canonical, url.depth, content_hash, alias_of
FROM page JOIN url ON url.id = page.url_id JOIN origin ON origin.id = origin_id JOIN host ON host.id = url.host_id
WHERE page.url_id > ?1 AND page.url_id <= ?1 + ?2 AND tenant = ?3 AND url.same_as IS NULL
AND page.canonical <> base || path AND (useful OR duplicate_of IS NOT NULL OR alias_of IS NOT NULL)
AND (alias_of IS NULL OR (SELECT same_as FROM url named WHERE named.id = alias_of) IS NOT NULL)
ORDER BY page.url_id"""


@dataclass(frozen=True, slots=True)
class Naming:
    """A page that names another. `alias_of` is a page that has become the same as another, None for no alias."""

    id: int
    canonical: str
    depth: int
    content: bytes | None
    alias_of: int | None


class SecondLook:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._after: int | None = None
        self._wanted = False

    def load(self) -> None:
        """Go on where the file says, with one that is wanted too."""
        stored = value(self._connection, "SELECT value FROM meta WHERE name = ?", (NAME,))
        self._after, self._wanted = None if stored is None else int(stored), False

    def want(self) -> None:
        """From the beginning, when it is started next."""
        if not self._wanted:
            self._wanted = True
            self._store(0)

    def start(self) -> bool:
        """Begin one that is wanted; whether there was one."""
        if not self._wanted:
            return False
        self._after, self._wanted = 0, False
        return True

    def cancel(self) -> None:
        """None is wanted any more."""
        if self._wanted or self._after is not None:
            self._after, self._wanted = None, False
            self._connection.execute("DELETE FROM meta WHERE name = ?", (NAME,))

    @property
    def goes_on(self) -> bool:
        return self._after is not None

    def next(self) -> list[Naming]:
        """The next pages that name another and are no alias, and those whose canonical became another's spelling."""
        if self._after is None:
            return []
        found = [Naming(*fields) for fields in rows(self._connection, NAMING, (self._after, PIECE, self._tenant))]
        self._after += PIECE
        last = value(self._connection, "SELECT max(url_id) FROM page", default=0)
        if self._after >= last:
            self._after = None
        if not self._wanted:
            self._note()
        return found

    def _note(self) -> None:
        if self._after is not None:
            self._store(self._after)
        else:
            self._connection.execute("DELETE FROM meta WHERE name = ?", (NAME,))

    def _store(self, after: int) -> None:
        self._connection.execute("INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)", (NAME, str(after)))
