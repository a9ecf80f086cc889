"""Why a page that names another as its canonical is no alias of it, as the engine decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.canonical import CONFLICTING, CONTENTS, INVALID, NOBODY, OFF
from core.store.named_pages import SEPARATOR, NamedPages
from core.store.query import value
from core.store.write.refusals import refusal_key
from core.urls import Rules

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings


class CanonicalDoubts:
    """Answers for one connection, under one version of the settings."""

    def __init__(self, connection: apsw.Connection, settings: CrawlSettings) -> None:
        self._connection = connection
        self._believes = settings.normalise.canonical
        self._tenant = settings.tenant
        self._named = NamedPages(connection, settings.tenant, Rules.of(settings.normalise))

    def of(self, address: str, canonical: str | None, alias_of: int | None) -> str:
        """The reason, as `core.policy.canonical` words it, against what the page at this address names.

        Empty where it names nobody or itself, where it is an alias, and where nothing speaks against it.
        """
        if not canonical or canonical == address or alias_of is not None:
            return ""
        if SEPARATOR in canonical:
            return CONFLICTING if self._named.key(canonical.partition(SEPARATOR)[0]) else INVALID
        key, own = self._named.key(canonical), self._named.key(address)
        if key is None:
            return INVALID
        if key == own:
            return ""
        if not self._believes:
            return OFF
        disbelieved = self._named.disbelieved()
        if key.text in disbelieved:
            return CONTENTS
        known = self._named.find(key)
        if known is None:
            sql = "SELECT reason FROM refused WHERE key = ?"
            return str(value(self._connection, sql, (refusal_key(self._tenant, key),), "unknown"))
        itself = self._named.find(own) if own else None
        return self._named.end(itself[0] if itself else NOBODY, known[0], disbelieved).doubt
