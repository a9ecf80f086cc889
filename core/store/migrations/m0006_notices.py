"""Changes of records wait here until they are told: a line each, without the data, which stands in the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

STATEMENTS = (
    'CREATE TABLE "notice" ("id" INTEGER NOT NULL PRIMARY KEY, "record_id" TEXT NOT NULL, "version" INTEGER NOT NULL, '
    '"event" TEXT NOT NULL, "number" INTEGER NOT NULL DEFAULT 0, "corrects" INTEGER NOT NULL DEFAULT 0)',
    'CREATE INDEX "notice_corrects" ON "notice" ("record_id") WHERE corrects = 1',
)


def run(connection: apsw.Connection) -> None:
    """A table more; nothing that is there changes."""
    for statement in STATEMENTS:
        connection.execute(statement)
