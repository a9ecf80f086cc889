"""What the file knows of a page that another names as its canonical: asked by the engine and by Explain alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from core.policy.canonical import Named
from core.store.names import UrlState
from core.store.query import row, rows
from core.urls import Rejected, key_form, parse, url_key

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw

    from core.urls import Rules, Url

SEPARATOR = " "  # between several canonicals of one page: no URL has a space
LIMIT_OF_CONTENTS = "canonical"  # the kind of the alarm of a canonical that pages of too many contents name

_NAMED = """
SELECT o.base || u.path, u.state, coalesce(u.reason, ''), p.outcome, p.status, p.content_type, p.soft_block,
    p.useful OR p.duplicate_of IS NOT NULL OR p.alias_of IS NOT NULL,
    EXISTS (SELECT 1 FROM capture c WHERE c.url_id = u.id AND c.useful), p.canonical
FROM url u JOIN origin o ON o.id = u.origin_id LEFT JOIN page p ON p.url_id = u.id WHERE u.id = ?"""
_FIND = """
SELECT u.id, o.base || u.path, u.state FROM host h JOIN url u ON u.host_id = h.id JOIN origin o ON o.id = u.origin_id
WHERE h.tenant = ? AND h.name = ? AND u.key = ? AND u.same_as IS NULL"""
_DISBELIEVED = "SELECT pattern FROM alarm WHERE kind = ?"


class NamedPages:
    """Look-ups on one connection, under one version of the rules."""

    def __init__(self, connection: apsw.Connection, tenant: str, rules: Rules) -> None:
        self._connection = connection
        self._tenant = tenant
        self._rules = rules

    def key(self, text: str | None) -> Url | None:
        """The key form of the one URL that a stored canonical is; None where it is none, or several."""
        if not text or SEPARATOR in text:
            return None
        url = parse(text)
        return None if isinstance(url, Rejected) else key_form(url, self._rules)

    def find(self, key: Url) -> tuple[int, UrlState] | None:
        """Id and state of the known URL with this key. A hash hit is compared."""
        for number, address, state in rows(self._connection, _FIND, (self._tenant, key.host, url_key(key))):
            if self.key(address) == key:
                return number, UrlState(state)
        return None

    def disbelieved(self) -> set[str]:
        """The key forms of those that pages of too many contents name."""
        keys = (self.key(text) for (text,) in rows(self._connection, _DISBELIEVED, (LIMIT_OF_CONTENTS,)))
        return {key.text for key in keys if key is not None}

    def of(self, number: int, by: Url | None, disbelieved: Callable[[Url], bool]) -> Named:
        """What is known of the page of this id; `by` is the key of the page that names it, None for any.

        `disbelieved` says of which key nobody believes that it is a canonical: who names that names nobody.
        """
        found = row(self._connection, _NAMED, (number,))
        address, state, reason, outcome, status, content_type, soft_block, is_page, was_page, canonical = found
        return Named(
            barred=reason if UrlState(state) in {UrlState.BLOCKED, UrlState.EXCLUDED} else "",
            names=self._names(address, canonical, by, disbelieved) if is_page else "",
            outcome=outcome or "",
            status=status,
            content_type=content_type or "",
            soft_block=bool(soft_block),
            is_page=bool(is_page),
            was_page=bool(was_page),
        )

    def _names(
        self, address: str, canonical: str | None, by: Url | None, disbelieved: Callable[[Url], bool]
    ) -> Literal["", "back", "another"]:
        if canonical is None or canonical == address:
            return ""
        key = self.key(canonical)
        if key is None or key == self.key(address) or disbelieved(key):
            return ""
        if key == by:
            return "back"
        known = self.find(key)
        return "" if known is None or known[1] is UrlState.EXCLUDED else "another"
