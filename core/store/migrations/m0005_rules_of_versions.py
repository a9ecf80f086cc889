"""A version of a record that came of other rules over a kept response says so: with the settings that have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw


def run(connection: apsw.Connection) -> None:
    """A column more in both tables of versions; those that are there came of pages."""
    connection.execute('ALTER TABLE "record_version" ADD COLUMN "rules" INTEGER')
    connection.execute('ALTER TABLE "record_version_apart" ADD COLUMN "rules" INTEGER')
