"""The keys of refused URLs under other normalisation rules. Each keeps its row: a page's link leads to it.

Of refusals that become one, the first has the key; the others wait under their own number and are found known when
they are judged again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import rows, value
from core.store.write.refusals import refusal_key
from core.urls import Rules, Url, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

PIECE = 2000
FOUND_BY = """
SELECT tenant FROM refused JOIN url ON url.id = refused.found_on JOIN host ON host.id = host_id WHERE refused.id = ?"""


def rekey_refusals(connection: apsw.Connection, tenant: str, before: Rules, rules: Rules) -> None:
    """Those of the tenant, which their keys tell from another's, and the page they were found on where they wait."""
    for number, url, key in _refused(connection):
        if key == refusal_key(tenant, key_form(url, before)):
            connection.execute("UPDATE refused SET key = -id WHERE id = ?", (number,))
    for number, url, key in _refused(connection):
        if key == -number and value(connection, FOUND_BY, (number,), tenant) == tenant:
            new = refusal_key(tenant, key_form(url, rules))
            connection.execute("UPDATE OR IGNORE refused SET key = ? WHERE id = ?", (new, number))


def _refused(connection: apsw.Connection) -> Iterator[tuple[int, Url, int]]:
    after = 0
    while found := rows(
        connection, "SELECT id, url, key FROM refused WHERE id > ? ORDER BY id LIMIT ?", (after, PIECE)
    ):
        for number, text, key in found:
            url = parse(text)
            if isinstance(url, Url):
                yield number, url, key
        after = found[-1][0]
