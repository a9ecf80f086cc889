"""When what was there was gone, and what each source named; what is gone is asked for again now and then."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

STATEMENTS = (
    'CREATE TABLE "mention" ("source_id" INTEGER NOT NULL, "url_id" INTEGER NOT NULL, '
    'PRIMARY KEY ("source_id", "url_id"), FOREIGN KEY ("source_id") REFERENCES "seed_source" ("id"), '
    'FOREIGN KEY ("url_id") REFERENCES "url" ("id")) WITHOUT ROWID',
    'CREATE TABLE "absence" ("id" INTEGER NOT NULL PRIMARY KEY, "url_id" INTEGER, "record_id" TEXT, '
    '"version" INTEGER NOT NULL DEFAULT 0, "number" INTEGER NOT NULL DEFAULT 1, "run" INTEGER NOT NULL, '
    '"at" REAL NOT NULL, "reason" TEXT NOT NULL, "back_run" INTEGER, "back" REAL, '
    'FOREIGN KEY ("url_id") REFERENCES "url" ("id"), FOREIGN KEY ("record_id") REFERENCES "record" ("id"), '
    'FOREIGN KEY ("run") REFERENCES "run" ("number"))',
    'CREATE INDEX "absence_page" ON "absence" ("url_id") WHERE url_id IS NOT NULL',
    'CREATE INDEX "absence_record" ON "absence" ("record_id") WHERE record_id IS NOT NULL',
    'DROP INDEX "url_due"',
    'CREATE INDEX "url_due" ON "url" ("due") WHERE state IN (3, 4, 8) AND due IS NOT NULL',
    'INSERT INTO "mention" ("source_id", "url_id") SELECT source_id, id FROM url WHERE source_id IN '
    "(SELECT id FROM seed_source)",
    'INSERT INTO "absence" ("url_id", "run", "at", "reason") SELECT url_id, run, last_fetched, '
    "coalesce(reason, 'status: 404') FROM page JOIN url ON url.id = url_id WHERE state = 8",
)


def run(connection: apsw.Connection) -> None:
    """Two tables more, and an index that knows pages that are gone; those that are so already went as was seen last."""
    for statement in STATEMENTS:
        connection.execute(statement)
