"""Earlier forms of the crawl file, and the way from each to the next.

A migration is a numbered function of plain SQL in a file of its own (`m0002_what_it_does.py`), listed in MIGRATIONS. It
is never edited after a release: files in the field have run it as it was. To change the tables:

1. Change the models in `core/store/schema`; a new column goes last in its table, so that `ALTER TABLE ADD COLUMN`
   gives the very text that a new file has. Anything else is `rebuild` in `core.store.migrations.rebuild`.
2. Write the migration, with the statements spelled out: it must not ask the models, which go on changing.
3. Raise SCHEMA_VERSION and renew SCHEMA_FINGERPRINT in `core/store/names.py`; the new Migration ends with the same two.
   A test compares the migrated first form with a new file.

How a file is migrated, and that its original is kept, is `core.store.migrations.upgrade`.
"""

from __future__ import annotations

from core.store.migrations import m0002_counted_refusals as m0002
from core.store.migrations import m0003_absences as m0003
from core.store.migrations import m0004_hops as m0004
from core.store.migrations import m0005_rules_of_versions as m0005
from core.store.migrations import m0006_notices as m0006
from core.store.migrations import m0007_seeds_of_tenants as m0007
from core.store.migrations.migration import Migration

FIRST_FORM = "eb77ad7b0b7e5b7e"  # fingerprint of the tables of version 1
MIGRATIONS: tuple[Migration, ...] = (
    Migration(2, "Refusals beyond the cap are counted by page.", m0002.run, "a1d5c3d08831296f"),
    Migration(
        3, "It is kept when a page or a record was gone, and what each source named.", m0003.run, "fb107511682ad680"
    ),
    Migration(4, "A redirect of a page to itself is kept with where it led.", m0004.run, "142f518d78321ee7"),
    Migration(5, "A record's version says when it came of other rules.", m0005.run, "bb5396c435d8f3b8"),
    Migration(6, "Changes of records wait in the file until they are told.", m0006.run, "f8392ecbefde8099"),
    Migration(7, "A seed and a source are known once to each tenant.", m0007.run, "74d245da197c62d0"),
)


def fingerprint_of(version: int) -> str:
    """The fingerprint of the tables of a version up to this one; empty where there was no such version."""
    known = {1: FIRST_FORM, **{migration.to: migration.fingerprint for migration in MIGRATIONS}}
    return known.get(version, "")
