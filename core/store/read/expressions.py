"""SQL that several tables show: a URL by its number, a state as a word, a hash as text."""

from __future__ import annotations

from core.store.names import UrlState

URL = "o.base || u.path"
ORIGIN = "LEFT JOIN origin o ON o.id = u.origin_id"


def address(number: str) -> str:
    """The fetch form of a URL known by its number."""
    return (
        f"(SELECT origin_.base || url_.path FROM url url_ JOIN origin origin_ ON origin_.id = url_.origin_id "
        f"WHERE url_.id = {number})"
    )


def in_links(number: str) -> str:
    """How many pages link to a URL, known by its number, or to one that is the same; null where no graph is kept."""
    same = f"(SELECT {number} UNION ALL SELECT id FROM url WHERE same_as = {number})"
    kept = "coalesce((SELECT json ->> '$.pages.link_graph' FROM setting ORDER BY version DESC LIMIT 1), 1)"
    return (
        f"(SELECT CASE WHEN {kept} THEN iif(EXISTS (SELECT 1 FROM url WHERE same_as = {number}), "
        f"(SELECT count(DISTINCT source) FROM link WHERE target IN {same}), "
        f"(SELECT count(*) FROM link WHERE target = {number})) END)"
    )


def state_word(number: str) -> str:
    """A URL's state as a word."""
    cases = " ".join(f"WHEN {int(state)} THEN '{state.label}'" for state in UrlState)
    return f"CASE {number} {cases} END"


def hex_text(blob: str) -> str:
    """A hash as lower-case hexadecimal digits; null stays null."""
    return f"CASE WHEN {blob} IS NOT NULL THEN lower(hex({blob})) END"
