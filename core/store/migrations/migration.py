"""One step from a form of the crawl file to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw


@dataclass(frozen=True, slots=True)
class Migration:
    """`run` makes a file of version `to` out of one of the version before, inside a transaction, in plain SQL.

    `fingerprint` is that of the tables it leaves. `recounted` names the tables whose number of rows it may change; in
    all others every row must still be there. `tells` says in one sentence what it does, for the log.
    """

    to: int
    tells: str
    run: Callable[[apsw.Connection], None]
    fingerprint: str
    recounted: frozenset[str] = frozenset()
