"""Times without a network, as the file keeps them: a line for the charts at either end, and nobody pays for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import rows
from core.store.write.remarks import Remark

if TYPE_CHECKING:
    import apsw

    from core.store.results import OutageChange, Work
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue
    from core.store.write.robots import RobotsTable
    from core.store.write.sources import Sources
    from core.store.write.unreachable import Unreachable

ANSWERED = """
SELECT origin.id FROM origin JOIN host ON host.id = host_id WHERE tenant = ? AND (robots_state IN ('rules', 'allow')
OR (status_2xx + status_3xx + status_4xx + status_5xx > 0
AND NOT EXISTS (SELECT 1 FROM origin other WHERE other.host_id = host.id AND other.id <> origin.id)))"""


class Outages:
    """Used by the writer's thread inside its transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        hosts: Hosts,
        queue: Queue,
        robots: RobotsTable,
        sources: Sources,
        unreachable: Unreachable,
    ) -> None:
        self._connection = connection
        self._hosts = hosts
        self._queue = queue
        self._robots = robots
        self._sources = sources
        self._unreachable = unreachable

    def answered_origins(self) -> set[int]:
        """The origins that have answered before, as far as that can be told at a glance."""
        return {number for (number,) in rows(self._connection, ANSWERED, (self._hosts.tenant,))}

    def take(self, change: OutageChange) -> Remark:
        """The engine went offline, or came back: what suffered by it is set right, and a line is for the log."""
        for work in change.suffered:
            self._give_back_try(work)
        if change.offline:
            return Remark("warning", "offline", f"Offline: {change.cause}. A probe every ten seconds.")
        self._unreachable.forgive()
        return Remark("info", "online", change.cause)

    def _give_back_try(self, work: Work) -> None:
        if work.purpose == "page":
            self._queue.give_back_try(work.id)
        elif work.purpose == "robots":
            self._robots.give_back_try(self._hosts.origin_by_id(work.id))
        else:
            self._sources.give_back_try(work.id)
