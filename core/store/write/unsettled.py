"""Pages whose aliases are to be looked at once more: what they stand for may be another page now, or none.

Many pages may be aliases of one, so this goes in pieces, each within a transaction. Whose turn it is, and how far it
came, stands in the file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.store.query import rows, value
from core.store.write.second_look import Naming

if TYPE_CHECKING:
    import apsw

NAME = "canonicals_undone"  # in meta: id of the page, content in hexadecimal and id of its last alias, as JSON

ALIASES = """
SELECT page.url_id, page.canonical, url.depth, content_hash, alias_of FROM page JOIN url ON url.id = page.url_id
WHERE alias_of = ?1 AND """
OF_THE_CONTENT = f"{ALIASES} content_hash IS ?2 AND page.url_id > ?3 ORDER BY page.url_id LIMIT ?4"
OF_THE_NEXT = f"{ALIASES} content_hash > ?2 ORDER BY content_hash, page.url_id LIMIT ?3"

Place = tuple[bytes | None, int]  # content and id of an alias, in the order of the index
START: Place = (None, 0)


class Unsettled:
    """Used by the writer's thread inside its transaction, at the end of which `note` is called."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._places: dict[int, Place] = {}
        self._noted = "[]"

    def load(self) -> None:
        """What the file says. Of earlier versions it has ids alone."""
        self._noted = value(self._connection, "SELECT value FROM meta WHERE name = ?", (NAME,), "[]")
        self._places = dict(map(_place, json.loads(self._noted)))

    def __bool__(self) -> bool:
        return bool(self._places)

    def add(self, number: int) -> None:
        """All aliases of this page."""
        self._places[number] = START

    def clear(self) -> None:
        """There are no aliases any more."""
        self._places.clear()

    def next(self, limit: int) -> list[Naming]:
        """The next aliases, of one page or of several."""
        found: list[Naming] = []
        while self._places and len(found) < limit:
            number = min(self._places)
            piece = self._piece(number, self._places[number], limit - len(found))
            found += piece
            if len(found) < limit:
                del self._places[number]
            else:
                self._places[number] = (piece[-1].content, piece[-1].id)
        return found

    def note(self) -> None:
        """Write down what is left."""
        left = [(number, content and content.hex(), after) for number, (content, after) in self._places.items()]
        text = json.dumps(left)
        if text == self._noted:
            return
        self._noted = text
        if left:
            self._connection.execute("INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)", (NAME, text))
        else:
            self._connection.execute("DELETE FROM meta WHERE name = ?", (NAME,))

    def _piece(self, number: int, place: Place, limit: int) -> list[Naming]:
        content, after = place
        found = rows(self._connection, OF_THE_CONTENT, (number, content, after, limit))
        if len(found) < limit:
            found += rows(self._connection, OF_THE_NEXT, (number, content or b"", limit - len(found)))
        return [Naming(*fields) for fields in found]


def _place(stored: int | list[int | str | None]) -> tuple[int, Place]:
    if isinstance(stored, int):
        return stored, START
    number, content, after = stored
    return int(number or 0), (bytes.fromhex(str(content)) if content else None, int(after or 0))
