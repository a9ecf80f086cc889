"""Hosts that seeds redirect to: each widens the scope once, visibly, and stays in the file.

What had been left out for its host before that is judged again: refusals and excluded URLs in pieces, beside the crawl,
hosts that come while a pass is on with the next one. Where refusals were only counted nobody knows of which host they
were: who revealed them is marked to be read again (refusal_counts.py) when nothing else is left to do, so that no page
is read again for every such host. The hosts for which that is not done yet stand in the file: after a kill it begins
again with them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.policy.scope import HostSet
from core.store.names import UrlState
from core.store.query import rows, value
from core.store.results import PageResult
from core.store.seed_chains import stands_for_a_seed
from core.store.words import quantity
from core.store.write.refusal_counts import FIRST
from core.store.write.remarks import Remark

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.results import Result
    from core.store.write.frontier import Frontier
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue
    from core.store.write.refusal_counts import RefusalCounts

NAME = "extra_hosts"  # in meta
UNJUDGED = "extra_hosts_unjudged"  # in meta: those of them for which what was left out is still to be judged again
PIECE = 1000  # refusals, or ids of URLs, a transaction

WITH_EXCLUDED = "SELECT name FROM host WHERE tenant = ? AND excluded > 0"
EXCLUDED = """
SELECT id, host_id, origin_id, path FROM url
WHERE id > ?1 AND id <= ?1 + ?2 AND state = 5 AND reason = 'scope' AND same_as IS NULL"""


@dataclass(slots=True)
class Pass:
    """Where one stands: the last refusal and the last URL that were looked at; None when through."""

    hosts: frozenset[str]
    compared: HostSet  # the same, as the settings compare hosts
    refusal: int | None = 0
    url: int | None = 0
    let_in: int = 0


class Widening:
    """Used by the writer's thread inside its transaction."""

    def __init__(
        self, connection: apsw.Connection, hosts: Hosts, frontier: Frontier, queue: Queue, counts: RefusalCounts
    ) -> None:
        self._connection = connection
        self._hosts = hosts
        self._frontier = frontier
        self._queue = queue
        self._counts = counts
        self.hosts = self._stored(NAME)
        self._waiting = self._stored(UNJUDGED)  # for a pass
        self._counted: frozenset[str] = frozenset()  # are left to be judged where refusals were only counted
        self._marked_to: int | None = None
        self._pass: Pass | None = None
        self._remarks: list[Remark] = []

    def on(self, result: Result) -> list[Remark]:
        """The scope includes from now on where this result leads a seed; what is worth a line about it."""
        if not isinstance(result, PageResult) or not (host := self._leads_to(result)):
            return []
        self.hosts |= {host}
        self._waiting |= {host}
        self._keep(NAME, self.hosts)
        self._note()
        self._frontier.widen(host)
        seed = result.work.url.text
        message = f"The seed {seed} redirects to {host}: the scope now includes it."
        return [Remark("info", "seed", message, host, seed)]

    def step(self, settings: CrawlSettings, at: float) -> bool:
        """The next piece of what is judged again; whether there is more."""
        if self._pass is None and self._waiting:
            scope, www = settings.scope, settings.normalise.ignore_www
            compared = HostSet(self._waiting, subdomains=scope.subdomains, ignore_www=www)
            self._pass, self._waiting = Pass(self._waiting, compared), frozenset()
        if self._pass is None:
            return False
        hosts = self._pass.compared
        if self._pass.refusal is not None:
            let_in, self._pass.refusal = self._frontier.readmit_at(hosts, self._pass.refusal, PIECE, at)
        else:
            let_in, self._pass.url = self._bring_back(hosts, self._pass.url or 0)
        self._pass.let_in += let_in
        if self._pass.refusal is None and self._pass.url is None:
            self._end_pass(self._pass)
        return self._pass is not None or bool(self._waiting)

    def mark_counted(self) -> bool:
        """Nothing else is left to do: mark the next of those who revealed what was only counted; whether there are."""
        if not self._counted:
            return False
        after = FIRST if self._marked_to is None else self._marked_to
        self._marked_to = self._counts.mark({"scope"}, after, PIECE)
        if self._marked_to is None:
            self._counted = frozenset()
            self._note()
        return True

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return remarks

    def _leads_to(self, result: PageResult) -> str:
        target, policy = result.redirect, self._frontier.policy
        if target is None or policy.in_scope(target.fetch) or policy.forbids_host(target.fetch):
            return ""
        is_seed = result.work.seed or stands_for_a_seed(self._connection, result.work.id)
        return target.fetch.host if is_seed else ""

    def _bring_back(self, hosts: HostSet, after: int) -> tuple[int, int | None]:
        """URLs that narrower settings had excluded: how many of the next are pending again, and where to go on."""
        names = rows(self._connection, WITH_EXCLUDED, (self._hosts.tenant,))
        found = [name for (name,) in names if hosts.holds(name, 0)]
        if not found:
            return 0, None
        let_in = 0
        for number, host, origin, path in rows(self._connection, EXCLUDED, (after, PIECE)):
            ours = self._hosts.by_id(host).ours and self._hosts.url(origin, path) in hosts
            if ours and self._frontier.excluded(number, origin, path) is None:
                let_in += self._queue.move(number, host, UrlState.EXCLUDED, UrlState.PENDING, None)
        last = value(self._connection, "SELECT max(id) FROM url", default=0)
        return let_in, after + PIECE if after + PIECE < last else None

    def _end_pass(self, over: Pass) -> None:
        self._pass = None
        if self._counts.are_any:
            self._counted |= over.hosts
            self._marked_to = None
        self._note()
        if over.let_in:
            message = f"{quantity(over.let_in, 'URL')} left out before came in with the scope that seeds widened."
            self._remarks.append(Remark("info", "seed", message))

    def _note(self) -> None:
        """Write down for which hosts something is left to do."""
        self._keep(UNJUDGED, self._waiting | self._counted | (self._pass.hosts if self._pass else frozenset()))

    def _stored(self, name: str) -> frozenset[str]:
        return frozenset(json.loads(value(self._connection, "SELECT value FROM meta WHERE name = ?", (name,), "[]")))

    def _keep(self, name: str, hosts: frozenset[str]) -> None:
        if hosts:
            sql = "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)"
            self._connection.execute(sql, (name, json.dumps(sorted(hosts))))
        else:
            self._connection.execute("DELETE FROM meta WHERE name = ?", (name,))
