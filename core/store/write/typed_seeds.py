"""Seed lines whose URL was refused: once it may be let in, the line leads to its URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import rows
from core.store.results import FoundLink
from core.store.write.refusal_counts import SEEDS
from core.urls import Rejected, Rules, fetch_form, key_form, parse_seed_line

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.write.frontier import Frontier

REFUSED = """
SELECT id, text FROM seed WHERE url_id IS NULL AND problem = '' AND id > ? AND tenant = ? ORDER BY id LIMIT ?"""


class TypedSeeds:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, frontier: Frontier, tenant: str) -> None:
        self._connection = connection
        self._frontier = frontier
        self._tenant = tenant
        self._rules: Rules
        self._lines: frozenset[str] | None = None

    def use(self, settings: CrawlSettings) -> None:
        """These settings count from now on: a line that was taken out of them is no seed any more."""
        self._rules = Rules.of(settings.normalise)
        written = frozenset(line.strip() for line in settings.seeds.urls)
        self._lines = None if settings.seeds.files else written  # None: what stands in the files is not read here

    def admit_again(self, after: int, limit: int, at: float) -> tuple[int, int | None]:
        """Judge the next refused lines behind id `after` again: how many got in, and where to go on or None."""
        if not after:
            self._frontier.forget_counts(SEEDS)
        found = rows(self._connection, REFUSED, (after, self._tenant, limit))
        admitted = sum(self._admit(number, text, at) for number, text in found if self._is_written(text))
        return admitted, found[-1][0] if len(found) == limit else None

    def _is_written(self, text: str) -> bool:
        return self._lines is None or text in self._lines

    def _admit(self, number: int, text: str, at: float) -> bool:
        url = parse_seed_line(text)
        if isinstance(url, Rejected):
            return False
        found = FoundLink(fetch_form(url, self._rules), key_form(url, self._rules), kind="seed")
        admission = self._frontier.admit_seed(found, at)
        if admission.target > 0:
            self._connection.execute("UPDATE seed SET url_id = ? WHERE id = ?", (admission.target, number))
        return admission.new and admission.target > 0
