"""Canonicals that are not believed, as the analyst is told: in an alarm where pages of too many contents name one.

The alarm's row is where that is remembered. Why a canonical is not believed is told in the log once, and of so many
canonicals that a site whose every page names nonsense does not fill it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.canonical import in_a_clause
from core.store.named_pages import LIMIT_OF_CONTENTS
from core.store.query import rows
from core.store.write.remarks import Remark

if TYPE_CHECKING:
    import apsw

    from core.urls import Url

KIND = LIMIT_OF_CONTENTS  # of the alarm and of the log's line
MOST_TOLD = 200

TOLD = "SELECT url FROM log WHERE kind = ? ORDER BY id LIMIT ?"


class Disbelief:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._told: set[str] = set()
        self._remarks: list[Remark] = []

    def load(self) -> None:
        """What the file says."""
        self._told = {url for (url,) in rows(self._connection, TOLD, (KIND, MOST_TOLD))}

    def tell(self, url: Url, reason: str) -> None:
        """Why nobody is an alias of this page."""
        message = f"{url.text} {in_a_clause(reason)}: no canonical is believed that names it."
        self._remark(Remark("info", KIND, message, url.host, url.text))

    def raise_alarm(self, url: Url, contents: int, at: float) -> None:
        """Too many pages of different content name this one."""
        message = (
            f"{contents} pages of different content name {url.text} as their canonical. "
            "It is not believed any more: they count as pages of their own."
        )
        self._connection.execute(
            "INSERT INTO alarm(kind, pattern, host, message, raised) VALUES (?, ?, ?, ?, ?)",
            (KIND, url.text, url.host, message, at),
        )
        self._told.discard(url.text)  # the alarm's line is said whatever was said before
        self._remark(Remark("warning", KIND, message, url.host, url.text))

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return remarks

    def _remark(self, remark: Remark) -> None:
        if remark.url in self._told or (len(self._told) >= MOST_TOLD and remark.level == "info"):
            return
        self._told.add(remark.url)
        self._remarks.append(remark)
        if len(self._told) == MOST_TOLD:
            message = "Further canonicals that are not believed are in the table of URLs only."
            self._remarks.append(Remark("info", KIND, message))
