"""Bringing stored rows in line with changed settings, a piece at a time (SPEC 4.4, 4.5).

No request waits for a sweep: until it is over, every URL is checked against the new patterns as it is leased. A sweep
that a kill cut short begins again with the next session.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.names import UrlState
from core.store.query import rows
from core.urls import key_form

if TYPE_CHECKING:
    import apsw

    from core.store.frontier import Frontier
    from core.urls import Rules

PIECE = 2000  # rows a transaction
READMISSIBLE = (
    *("depth", "length", "host-limit", "total-limit", "pattern-limit", "trap", "pattern", "scope", "extension"),
    *("block-host", "private", "robots"),
)
LIMITS = ("host-limit", "total-limit", "pattern-limit")


@dataclass(slots=True)
class Progress:
    """Where a sweep stands: the last URL and the last refusal that were looked at; None when through."""

    url: int | None = 0
    refusal: int | None = 0
    excluded: int = 0
    returned: int = 0
    readmitted: int = 0


class Sweep:
    """One pass over known and refused URLs with the rules now in force."""

    def __init__(self, connection: apsw.Connection, frontier: Frontier, rules: Rules) -> None:
        self._connection = connection
        self._frontier = frontier
        self._rules = rules
        self.progress = Progress()

    @property
    def over(self) -> bool:
        return self.progress.url is None and self.progress.refusal is None

    def step(self, at: float) -> None:
        """Look at the next piece."""
        if self.progress.url is not None:
            self._known(self.progress.url)
        elif self.progress.refusal is not None:
            readmitted, self.progress.refusal = self._frontier.readmit(READMISSIBLE, self.progress.refusal, PIECE, at)
            self.progress.readmitted += readmitted

    def _known(self, after: int) -> None:
        sql = (
            "SELECT id, host_id, origin_id, path, state FROM url WHERE id > ? AND state IN (0, 2, 5, 6) "
            "ORDER BY id LIMIT ?"
        )
        found = rows(self._connection, sql, (after, PIECE))
        for number, host, origin, path, state in found:
            self._judge(number, host, origin, path, UrlState(state))
        self.progress.url = found[-1][0] if len(found) == PIECE else None

    def _judge(self, number: int, host: int, origin: int, path: str, state: UrlState) -> None:
        reason = self._frontier.policy.excluded(key_form(self._frontier.url_of(origin, path), self._rules))
        if reason and state is not UrlState.EXCLUDED:
            self._frontier.set_state(number, host, state, UrlState.EXCLUDED, reason)
            self.progress.excluded += 1
        elif not reason and state is UrlState.EXCLUDED:
            self._frontier.set_state(number, host, state, UrlState.PENDING, None)
            self._frontier.woken.add(host)
            self.progress.returned += 1
