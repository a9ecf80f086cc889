"""Refusals beyond the cap are counted by who revealed them; a merged URL remembers the depth it had apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw


def run(connection: apsw.Connection) -> None:
    """A table and a column more; nothing that is there changes."""
    connection.execute('ALTER TABLE "url" ADD COLUMN "depth_apart" INTEGER')
    connection.execute(
        'CREATE TABLE "refusal_count" ("found_on" INTEGER NOT NULL, "word" TEXT NOT NULL, "count" INTEGER NOT NULL, '
        '"again" INTEGER NOT NULL DEFAULT 0, PRIMARY KEY ("found_on", "word")) WITHOUT ROWID'
    )
    connection.execute('CREATE INDEX "refusal_count_again" ON "refusal_count" ("found_on") WHERE again = 1')
