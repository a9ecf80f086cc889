"""Redirects from one URL to another: each hop is a page, and its target is admitted like a link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import value
from core.store.seed_chains import stands_for_a_seed
from core.store.write.frontier import Context

if TYPE_CHECKING:
    import apsw

    from core.store.results import PageResult
    from core.store.write.frontier import Frontier

MOST_IN_A_ROW = 10

CAME_BY = """
SELECT url.found_on FROM url JOIN page ON page.url_id = url.found_on
WHERE url.id = ? AND page.run = ? AND page.redirect_to IS NOT NULL"""
LEADS_TO = """
SELECT link.target FROM page JOIN link ON link.source = page.url_id
WHERE page.url_id = ? AND page.run = ? AND page.redirect_to IS NOT NULL
AND link.kind = 'redirect' AND link.target > 0"""


class Redirects:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, frontier: Frontier) -> None:
        self._connection = connection
        self._frontier = frontier

    def follow(self, result: PageResult, run: int) -> tuple[int, str]:
        """Admit a redirect's target, as deep as its source: its id, and what is wrong with the redirect."""
        work = result.work
        if result.redirect is None:
            return 0, ""
        if len(self._chain(CAME_BY, work.id, run)) > MOST_IN_A_ROW:
            return 0, f"more than {MOST_IN_A_ROW} redirects in a row"
        seed = work.seed or stands_for_a_seed(self._connection, work.id)
        context = Context(work.depth, result.answer.at, work.id, via="redirect", seed=seed)
        target = self._frontier.admit(result.redirect, context).target
        if work.id in self._chain(LEADS_TO, target, run):
            return target, "the redirects lead in a circle"
        return target, ""

    def _chain(self, sql: str, number: int, run: int) -> list[int]:
        """This URL and those that redirects of this run join it to, at most one more than is allowed."""
        chain = [number]
        while len(chain) <= MOST_IN_A_ROW:
            following = value(self._connection, sql, (chain[-1], run))
            if following is None or following in chain:
                break
            chain.append(following)
        return chain
