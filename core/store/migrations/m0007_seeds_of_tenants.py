"""A line of seeds, and a source of them, is known once to each tenant, not once in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.migrations.rebuild import rebuild

if TYPE_CHECKING:
    import apsw

SEED = (
    'CREATE TABLE "seed" ("id" INTEGER NOT NULL PRIMARY KEY, "text" TEXT NOT NULL, '
    '"url_id" INTEGER, "problem" TEXT NOT NULL DEFAULT \'\', "at" REAL NOT NULL, '
    '"tenant" TEXT NOT NULL DEFAULT \'\', FOREIGN KEY ("url_id") REFERENCES "url" ("id"))',
    'CREATE UNIQUE INDEX "seed_tenant_text" ON "seed" ("tenant", "text")',
)
SOURCE = (
    'CREATE TABLE "seed_source" ("id" INTEGER NOT NULL PRIMARY KEY, "kind" TEXT NOT NULL, "address" TEXT NOT NULL, '
    '"parent_id" INTEGER, "host_id" INTEGER NOT NULL, "origin_id" INTEGER NOT NULL, '
    '"listed" INTEGER NOT NULL DEFAULT 0, "level" INTEGER NOT NULL DEFAULT 0, '
    '"state" TEXT NOT NULL DEFAULT \'pending\', "tries" INTEGER NOT NULL DEFAULT 0, "due" REAL NOT NULL DEFAULT 0, '
    '"found" INTEGER NOT NULL DEFAULT 0, "new" INTEGER NOT NULL DEFAULT 0, "fetched" REAL, '
    '"message" TEXT NOT NULL DEFAULT \'\', FOREIGN KEY ("parent_id") REFERENCES "seed_source" ("id"), '
    'FOREIGN KEY ("host_id") REFERENCES "host" ("id"), FOREIGN KEY ("origin_id") REFERENCES "origin" ("id"))',
    'CREATE UNIQUE INDEX "seed_source_address_host_id" ON "seed_source" ("address", "host_id")',
)
SOURCE_COLUMNS = (
    "id, kind, address, parent_id, host_id, origin_id, listed, level, state, tries, due, found, new, fetched, message"
)
# A refused line has no URL: it is of the tenant whose settings were in force when it was typed.
TENANT = """coalesce(
    (SELECT tenant FROM url JOIN host ON host.id = host_id WHERE url.id = old.url_id),
    (SELECT json_extract(json, '$.tenant') FROM setting WHERE setting.at <= old.at ORDER BY version DESC LIMIT 1),
    (SELECT value FROM meta WHERE name = 'tenant'), 'default')"""


def run(connection: apsw.Connection) -> None:
    """Both tables are made anew, with the same rows."""
    columns, values = "id, tenant, text, url_id, problem, at", f"id, {TENANT}, text, url_id, problem, at"
    rebuild(connection, "seed", SEED, columns, values)
    rebuild(connection, "seed_source", SOURCE, SOURCE_COLUMNS, SOURCE_COLUMNS)
