"""robots.txt in the file: the rules in force for each origin, and the ledger of all versions seen (SPEC 6.1)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from core.policy.robots import Robots
from core.store.names import UrlState
from core.store.query import rows, value

if TYPE_CHECKING:
    import apsw

    from core.store.frontier import Frontier
    from core.store.hosts import Hosts, Origin
    from core.store.results import RobotsResult
    from core.store.tally import Tally

UNREACHABLE = "robots: unreachable"


class RobotsTable:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, frontier: Frontier, tally: Tally) -> None:
        self._connection = connection
        self._hosts = hosts
        self._frontier = frontier
        self._tally = tally
        self.token = ""

    def refusal(self, origin: Origin, target: str) -> str | None:
        """Why this target may not be fetched, or None. The origin's robots.txt is known."""
        if origin.robots_state == "disallow":
            return UNREACHABLE
        if origin.robots_state != "rules":
            return None
        verdict = self.rules(origin).verdict(target)
        return None if verdict.allowed else f"robots: {verdict.rule}"[:300]

    def rules(self, origin: Origin) -> Robots:
        if origin.rules is None:
            body = value(
                self._connection, "SELECT body FROM robots_version WHERE id = ?", (origin.robots_version,), b""
            )
            origin.rules = Robots.parse(bytes(body), self.token)
        return origin.rules

    def store(self, result: RobotsResult) -> None:
        """An answer for robots.txt: what it means from now on, and who is judged again."""
        origin = self._hosts.origin_by_id(result.work.origin)
        before = (origin.robots_state, origin.robots_version)
        origin.robots_due = result.due
        if result.access == "retry":
            origin.robots_tries += 1
        else:
            origin.robots_tries = 0
            origin.robots_state = result.access
            origin.crawl_delay = result.crawl_delay
            origin.robots_version = self._note_version(origin, result) if result.access == "rules" else None
            origin.rules = None
        self._write(origin, result)
        if (
            result.access != "retry"
            and before != (origin.robots_state, origin.robots_version)
            and before[0] != "unknown"
        ):
            self.judge_again(origin)

    def judge_again(self, origin: Origin) -> None:
        """Blocked URLs of the origin are pending again: their next turn asks the new rules."""
        self._connection.execute(
            "UPDATE url SET state = 0, reason = NULL WHERE host_id = ? AND origin_id = ? AND state = 6 "
            "AND reason LIKE 'robots:%'",
            (origin.host, origin.id),
        )
        for _ in range(self._connection.changes()):
            self._frontier.moved(origin.host, UrlState.BLOCKED, UrlState.PENDING)
        self._frontier.woken.add(origin.host)

    def forget(self) -> None:
        """The product token changed: rules are read again from the ledger when they are asked for."""
        for origin in self._hosts.origins():
            origin.rules = None

    def unreachable(self) -> list[Origin]:
        """Origins whose URLs are blocked because their robots.txt cannot be had."""
        return [origin for origin in self._hosts.origins() if origin.robots_state == "disallow"]

    def _note_version(self, origin: Origin, result: RobotsResult) -> int:
        digest = hashlib.sha256(result.body).digest()
        sql = "SELECT id, hash FROM robots_version WHERE origin_id = ? ORDER BY id DESC LIMIT 1"
        for number, known in rows(self._connection, sql, (origin.id,)):
            if bytes(known) == digest:
                self._connection.execute(
                    "UPDATE robots_version SET last_seen = ? WHERE id = ?", (result.answer.at, number)
                )
                return int(number)
        self._connection.execute(
            "INSERT INTO robots_version(origin_id, first_seen, last_seen, status, hash, body) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (origin.id, result.answer.at, result.answer.at, result.answer.status, digest, result.body),
        )
        return self._connection.last_insert_rowid()

    def _write(self, origin: Origin, result: RobotsResult) -> None:
        self._connection.execute(
            "UPDATE origin SET robots_state = ?, robots_status = ?, robots_fetched = ?, robots_due = ?, "
            "robots_tries = ?, robots_error = ?, robots_version = ?, crawl_delay = ? WHERE id = ?",
            (
                *(origin.robots_state, result.answer.status, result.answer.at, origin.robots_due, origin.robots_tries),
                *(result.answer.error or "", origin.robots_version, origin.crawl_delay, origin.id),
            ),
        )
