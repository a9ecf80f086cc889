"""The table of kept responses: the newest answer of each page whose body is kept, for exports and archives.

Kept means that it was stored: one that a cap has let go since, or whose file was thrown away, still has its row.
"""

from __future__ import annotations

from core.store.read.columns import Column, TableSpec
from core.store.read.expressions import ORIGIN, URL, hex_text


def _of_body(column: str) -> str:
    """Of the answer that brought the body: where the page answered 304 since, that is an earlier one."""
    return (
        f"coalesce((SELECT c.{column} FROM capture c WHERE c.url_id = p.url_id AND c.led_to IS NULL "
        "AND c.status <> 304 ORDER BY c.id DESC LIMIT 1), p.{})"
    )


RESPONSES = TableSpec(
    "responses",
    "Responses",
    base="page p",
    joins=f"LEFT JOIN url u ON u.id = p.url_id {ORIGIN}",
    keys=("p.url_id",),
    searched=("url", "content_type"),
    latest="SELECT max(url_id) FROM page",
    arrival="p.url_id",
    fixed="p.response IS NOT NULL",
    columns=(
        Column("url", "URL", "url", URL, width=420),
        Column("at", "Answered", "time", _of_body("at").format("last_fetched"), width=150),
        Column("status", "Status", "number", _of_body("status").format("status"), width=60),
        Column("content_type", "Type", "text", "p.content_type", width=110),
        Column("body_bytes", "Size", "bytes", "p.body_bytes", width=80),
        Column("hash", "Hash", "hash", hex_text("p.response"), width=140),
    ),
)
