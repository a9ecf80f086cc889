"""What stands for a seed: the seed itself, and what its redirects lead to, hop after hop (http to https to www)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import row, value

if TYPE_CHECKING:
    import apsw

MOVED = "It redirects to "  # so the message begins of a seed source that lies at another host: its only part
# As many hops as redirects are followed in a row (write/redirects.py).
FROM_A_SEED = """
WITH RECURSIVE chain(id, found_on, seed, hops) AS (
    SELECT id, found_on, seed, 0 FROM url WHERE id = ?
    UNION ALL
    SELECT url.id, url.found_on, url.seed, hops + 1 FROM chain JOIN url ON url.id = chain.found_on
    JOIN link ON link.source = url.id AND link.target = chain.id AND link.kind = 'redirect'
    WHERE NOT chain.seed AND hops < 10)
SELECT max(seed) FROM chain"""
# Of a URL with those that later rules made the same; one that neither a page nor a source brought was let in later.
LISTED = "SELECT max(seed), max(source_id IS NOT NULL OR found_on IS NULL) FROM url WHERE id = ?1 OR same_as = ?1"
REDIRECTED = "SELECT 1 FROM link WHERE source = ? AND target = ? AND kind = 'redirect'"


def stands_for_a_seed(connection: apsw.Connection, number: int) -> bool:
    """Whether a URL was typed by the analyst, or found by the redirects of one that was."""
    return bool(value(connection, FROM_A_SEED, (number,), 0))


def way_of_url(connection: apsw.Connection, number: int) -> tuple[str, bool]:
    """By which way a known URL was found, as the judge is told, and whether it is judged as a seed."""
    typed, listed = row(connection, LISTED, (number,))
    if typed:
        return "seed", True
    if listed:
        return "sitemap", False
    sql = "SELECT 1 FROM url JOIN link ON source = found_on AND target = url.id WHERE url.id = ? AND kind = 'redirect'"
    if value(connection, sql, (number,)) is None:
        return "link", False
    return "redirect", stands_for_a_seed(connection, number)


def way_of_refusal(connection: apsw.Connection, refusal: int, found_on: int | None, *, typed: bool) -> tuple[str, bool]:
    """By which way a refused URL was found, as the judge is told, and whether it is judged as a seed."""
    if typed:
        return "seed", True
    if found_on is None:
        return "sitemap", False
    if value(connection, REDIRECTED, (found_on, -refusal)) is None:
        return "link", False
    return "redirect", stands_for_a_seed(connection, found_on)
