"""What the file knows of a page that another names as its canonical: asked by the engine and by Explain alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.canonical import CONTENTS, NOBODY, Named, follow
from core.store.names import UrlState
from core.store.query import row, rows
from core.urls import Rejected, key_form, parse, url_key

if TYPE_CHECKING:
    from collections.abc import Collection

    import apsw

    from core.policy.canonical import End
    from core.urls import Rules, Url

SEPARATOR = " "  # between several canonicals of one page: no URL has a space
LIMIT_OF_CONTENTS = "canonical"  # the kind of the alarm of a canonical that pages of too many contents name

_LEADS_TO = """
CASE p.outcome WHEN 'redirect' THEN (SELECT coalesce(t.same_as, t.id) FROM link JOIN url t ON t.id = link.target
    WHERE link.source = p.url_id AND link.kind = 'redirect') END"""
_NAMED = f"""
SELECT o.base || u.path, u.state, coalesce(u.reason, ''), p.outcome, p.status, p.content_type, p.soft_block,
    p.useful OR p.duplicate_of IS NOT NULL OR p.alias_of IS NOT NULL,
    EXISTS (SELECT 1 FROM capture c WHERE c.url_id = u.id AND c.useful), p.canonical, {_LEADS_TO}
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

    def end(self, start: int, first: int, disbelieved: Collection[str]) -> End:
        """Where the chain ends from the page `start`, or NOBODY, which names `first`.

        `disbelieved` are the key forms of those of which nobody believes that they are canonicals.
        """
        return follow(start, first, lambda number: self._of(number, disbelieved))

    def is_end(self, number: int, disbelieved: Collection[str]) -> bool:
        """Whether this is the page that those which name it stand for."""
        return self.end(NOBODY, number, disbelieved).target == number

    def behind(self, number: int, disbelieved: Collection[str]) -> int | None:
        """Where the chain ends from what this page names or redirects to."""
        following = self._of(number, disbelieved).next
        return None if following is None else self.end(NOBODY, following, disbelieved).target

    def redirect(self, number: int) -> int | None:
        """The known page that this one redirects to."""
        found = row(self._connection, f"SELECT {_LEADS_TO} FROM page p WHERE p.url_id = ?", (number,))
        return found[0] if found else None

    def _of(self, number: int, disbelieved: Collection[str]) -> Named:
        found = row(self._connection, _NAMED, (number,))
        address, state, reason, outcome, status, content_type, soft_block, is_page, was_page, canonical, target = found
        barred = reason if UrlState(state) in {UrlState.BLOCKED, UrlState.EXCLUDED} else ""
        if disbelieved and (key := self.key(address)) and key.text in disbelieved:
            barred = CONTENTS
        return Named(
            barred=barred,
            outcome=outcome or "",
            status=status,
            content_type=content_type or "",
            soft_block=bool(soft_block),
            is_page=bool(is_page),
            was_page=bool(was_page),
            next=self._named_by(address, canonical) if is_page else target,
        )

    def _named_by(self, address: str, canonical: str | None) -> int | None:
        """The id of the known page that this one names."""
        if canonical is None or canonical == address:
            return None
        key = self.key(canonical)
        if key is None or key == self.key(address):
            return None
        known = self.find(key)
        return known[0] if known else None
