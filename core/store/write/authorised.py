"""Authorisations in the file: which hosts may no longer be asked, the alarm that says so, and what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.authorisation import WORD, Authorisations, end, reason_of
from core.store.names import UrlState
from core.store.query import rows
from core.store.write.remarks import Remark

if TYPE_CHECKING:
    import apsw

    from core.settings import Authorisation, CrawlSettings
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue
    from core.urls import Url

STANDING = "SELECT id, host FROM alarm WHERE kind = ? AND cleared IS NULL"
BLOCKED = f"""
SELECT url.id, url.host_id, origin_id, path, reason FROM host JOIN url ON url.host_id = host.id
WHERE host.tenant = ? AND host.blocked > 0 AND url.state = 6 AND reason LIKE '{WORD}:%'"""


class Authorised:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, queue: Queue) -> None:
        self._connection = connection
        self._hosts = hosts
        self._queue = queue
        self._told: set[str] = set()
        self._remarks: list[Remark] = []
        self._written: Authorisations

    def use(self, settings: CrawlSettings, at: float) -> None:
        """These authorisations count from now on; the alarm of a host that may be asked again is over."""
        self._written = Authorisations(settings)
        self._told.clear()
        lasting = {item.host for item in settings.scope.authorised if at < end(item)}
        over = {item.host for item in settings.scope.authorised} - lasting
        for number, host in rows(self._connection, STANDING, (WORD,)):
            if host not in over:
                self._connection.execute("UPDATE alarm SET cleared = ? WHERE id = ?", (at, number))

    def refusal(self, url: Url, at: float) -> str:
        """Why nothing may be asked of a URL's host at this wall time, or ""; once a host, the log and an alarm tell."""
        item = self._written.expired(url, at)
        if item is None:
            return ""
        if item.host not in self._told:
            self._tell(item, url, at)
        return reason_of(item)

    def still_blocks(self, url: Url, reason: str, at: float) -> bool:
        """Whether a URL that is blocked for this reason would be again."""
        item = self._written.expired(url, at)
        return item is not None and reason_of(item) == reason

    def ask_again(self, at: float) -> None:
        """A new session: what was blocked by a clock that went wrong comes back."""
        for number, host, origin, path, reason in rows(self._connection, BLOCKED, (self._hosts.tenant,)):
            if not self.still_blocks(self._hosts.url(origin, path), reason, at):
                self._queue.move(number, host, UrlState.BLOCKED, UrlState.PENDING, None)

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return remarks

    def _tell(self, item: Authorisation, url: Url, at: float) -> None:
        self._told.add(item.host)
        message = (
            f"The authorisation of {item.host} by {item.by} ended with {item.until.isoformat()}: nothing is asked of "
            "it, and its URLs stay blocked until it is extended."
        )
        self._remarks.append(Remark("warning", WORD, message, url.host, url.text))
        if item.host not in {host for _, host in rows(self._connection, STANDING, (WORD,))}:
            self._connection.execute(
                "INSERT INTO alarm(kind, host, message, raised) VALUES (?, ?, ?, ?)", (WORD, item.host, message, at)
            )
