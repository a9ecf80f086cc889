"""Hosts that seeds redirect to: each widens the scope once, visibly, and stays in the file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.store.query import value
from core.store.seed_chains import stands_for_a_seed

if TYPE_CHECKING:
    import apsw

    from core.policy.policy import Policy
    from core.store.results import PageResult

NAME = "extra_hosts"  # in meta


class Widening:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self.hosts: frozenset[str] = frozenset(
            json.loads(value(connection, "SELECT value FROM meta WHERE name = ?", (NAME,), "[]"))
        )

    def note(self, result: PageResult, policy: Policy) -> str:
        """The host that this result brings into scope; empty where there is none."""
        target = result.redirect
        if target is None or policy.in_scope(target.fetch) or policy.forbids_host(target.fetch):
            return ""
        if not (result.work.seed or stands_for_a_seed(self._connection, result.work.id)):
            return ""
        self.hosts |= {target.fetch.host}
        self._connection.execute(
            "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)", (NAME, json.dumps(sorted(self.hosts)))
        )
        return target.fetch.host
