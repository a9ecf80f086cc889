"""Soft blocks: pages that answer 200 and fail the analyst's content checks (7.7). Several of one host raise an alarm.

It is cleared when the host's pages pass again. That it stands is read from the file, so that a kill does not raise it
twice.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from core.store.query import value
from core.store.write.remarks import Remark

if TYPE_CHECKING:
    import apsw

    from core.store.results import PageResult
    from core.store.write.hosts import Hosts

KIND = "soft-block"  # of the alarm and of the log's line
RECENT = 20  # checked pages of a host that are looked at
SEVERAL = 5  # of them failed: alarm

STANDS = "SELECT id FROM alarm WHERE kind = ? AND host = ? AND cleared IS NULL"


class SoftBlocks:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts) -> None:
        self._connection = connection
        self._hosts = hosts
        self._recent: defaultdict[int, deque[bool]] = defaultdict(lambda: deque(maxlen=RECENT))
        self._standing: dict[int, bool] = {}

    def note(self, result: PageResult, at: float) -> Remark | None:
        """A page was read; that it was none of the checked ones is no sign of anything."""
        parsed = result.parsed
        if parsed is None or not parsed.checked:
            return None
        host = result.work.host
        recent = self._recent[host]
        recent.append(parsed.soft_block)
        failed = sum(recent)
        if parsed.soft_block and failed >= SEVERAL and not self._stands(host):
            return self._raise(host, failed, len(recent), result, at)
        if not failed and len(recent) == RECENT and self._stands(host):
            return self._clear(host, at)
        return None

    def _stands(self, host: int) -> bool:
        if host not in self._standing:
            found = value(self._connection, STANDS, (KIND, self._hosts.by_id(host).name))
            self._standing[host] = found is not None
        return self._standing[host]

    def _raise(self, host: int, failed: int, looked_at: int, result: PageResult, at: float) -> Remark:
        name = self._hosts.by_id(host).name
        why = f" {result.parsed.detail}" if result.parsed is not None and result.parsed.detail else ""
        message = (
            f"{failed} of the last {looked_at} checked pages of {name} failed their content checks, though they were "
            f"answered with {result.answer.status}: a soft block, it seems.{why} The host is asked more slowly. Look "
            f"at such a page, {result.work.url.text} for one; ask more slowly still, or mend the check."
        )
        self._standing[host] = True
        self._connection.execute(
            "INSERT INTO alarm(kind, host, message, raised) VALUES (?, ?, ?, ?)", (KIND, name, message, at)
        )
        return Remark("warning", KIND, message, name, result.work.url.text)

    def _clear(self, host: int, at: float) -> Remark:
        name = self._hosts.by_id(host).name
        self._standing[host] = False
        self._connection.execute(
            "UPDATE alarm SET cleared = ? WHERE kind = ? AND host = ? AND cleared IS NULL", (at, KIND, name)
        )
        return Remark("info", KIND, f"The pages of {name} pass their content checks again.", name)
