"""The set of known URLs: exact, one look-up a link, none for a link that was seen a moment ago.

Keys are 64-bit hashes within a host. A hit is compared: two URLs whose hashes collide are both kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import rows, value
from core.urls import Rules, Url, key_form, url_key

if TYPE_CHECKING:
    import apsw

    from core.store.results import FoundLink
    from core.store.write.hosts import Host, Hosts, Origin

REMEMBERED = 30_000
DEPTH_BITS = 16
DEPTH = (1 << DEPTH_BITS) - 1

FIND = "SELECT id, depth, path, origin_id FROM url WHERE host_id = ? AND key = ? AND same_as IS NULL"
LAST = "SELECT coalesce(max(collision), -1) + 1 FROM url WHERE host_id = ? AND key = ?"
INSERT = """INSERT INTO url(host_id, origin_id, key, collision, path, state, front, priority, depth, found_on,
            source_id, seed, tries, reclaims, due, reason, first_seen, lastmod)
            VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, 0, 0, NULL, NULL, ?, ?)"""


class KnownUrls:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts) -> None:
        self._connection = connection
        self._hosts = hosts
        self._recent: dict[str, int] = {}
        self._older: dict[str, int] = {}
        self._rules: Rules

    def use(self, rules: Rules) -> None:
        self._rules = rules
        self.forget_recent()

    def recall(self, text: str) -> int | None:
        """Id and depth of a URL seen a moment ago, packed as `id << DEPTH_BITS | depth`; None proves nothing."""
        packed = self._recent.get(text)
        return packed if packed is not None else self._older.get(text)

    def remember(self, text: str, number: int, depth: int) -> None:
        if len(self._recent) >= REMEMBERED:
            self._older, self._recent = self._recent, {}
        self._recent[text] = number << DEPTH_BITS | min(depth, DEPTH)

    def forget_recent(self) -> None:
        self._recent.clear()
        self._older.clear()

    def find(self, host: Host, fetch: Url, key: Url) -> tuple[int, int] | None:
        """Id and depth of a known URL. A hash hit is compared: the last word is the spelling's."""
        for number, depth, path, number_of_origin in rows(self._connection, FIND, (host.id, url_key(key))):
            origin = self._hosts.origin_by_id(number_of_origin)
            if path == fetch.target and origin.base == fetch.origin:
                return number, depth
            if key_form(origin.url(path), self._rules) == key:
                return number, depth
        return None

    def add(
        self,
        found: FoundLink,
        origin: Origin,
        place: tuple[int, int],
        way: tuple[int, int | None, int | None],
        *,
        typed: bool,
        at: float,
        lastmod: float | None,
    ) -> int:
        """A new URL, pending. `place` is front and priority, `way` depth, page and source it was found by."""
        key = url_key(found.key)
        collision = value(self._connection, LAST, (origin.host, key))
        identity = (origin.host, origin.id, key, collision, found.fetch.target)
        self._connection.execute(INSERT, (*identity, *place, *way, int(typed), at, lastmod))
        number: int = self._connection.last_insert_rowid()
        return number

    def was_typed(self, number: int) -> None:
        """The analyst wrote this URL too."""
        self._connection.execute("UPDATE url SET seed = 1 WHERE id = ? AND seed = 0", (number,))

    def found_nearer(self, number: int, page: int) -> None:
        """Without a link graph only `found_on` tells whose depth a URL's own depends on."""
        self._connection.execute("UPDATE url SET found_on = ? WHERE id = ?", (page, number))

    def respell(self, number: int, host: Host, url: Url) -> None:
        """A redirect led to another spelling of the same key: that one is fetched from now on."""
        origin = self._hosts.origin(host, url)
        self._connection.execute("UPDATE url SET origin_id = ?, path = ? WHERE id = ?", (origin.id, url.target, number))
