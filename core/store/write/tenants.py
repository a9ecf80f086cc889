"""One tenant at a time: what the file notes of where a crawl stands is of a tenant, and waits while another runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.names import RECKONING
from core.store.query import value
from core.store.write import absences, limits, named_sitemaps, outbox, second_look, unsettled, widening

if TYPE_CHECKING:
    import apsw

TENANT = "tenant"  # in meta: the one that the file's single facts are of
FACTS = (
    *(RECKONING, "swept_version", absences.NAME, named_sitemaps.NOTED, second_look.NAME, unsettled.NAME),
    *(widening.NAME, widening.UNJUDGED, *(f"{outbox.CURSOR}{way}" for way in outbox.WAYS)),
)


def take_over(connection: apsw.Connection, tenant: str) -> None:
    """Put the facts of the tenant before aside and bring this one's back, in one transaction; nothing for the same.

    The counts of patterns are of one tenant as well: they are counted anew.
    """
    before: str = value(connection, "SELECT value FROM meta WHERE name = ?", (TENANT,), tenant)
    if before == tenant:
        return
    with connection:
        for fact in FACTS:
            rename = "UPDATE OR REPLACE meta SET name = ? WHERE name = ?"
            connection.execute(rename, (f"{fact}@{before}", fact))
            connection.execute(rename, (fact, f"{fact}@{tenant}"))
        connection.execute("DELETE FROM meta WHERE name = ?", (limits.COUNTED,))
        connection.execute("UPDATE meta SET value = ? WHERE name = ?", (tenant, TENANT))
