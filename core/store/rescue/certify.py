"""After an unclean end the file is audited, and what was found is kept in it."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import apsw

from core.store.crawl_file import BUSY_MILLISECONDS, connect, inspect
from core.store.faults import translated
from core.store.forms import harden
from core.store.lock import holder
from core.store.names import CERTIFICATE
from core.store.read.audit import audit
from core.store.read.certificates import kept_text, newest_unclean, read_certificate
from core.store.read.look import look_into
from core.store.rows import KeptCertificate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.store.read.audit import Certificate


def is_due(path: Path) -> bool:
    """Whether an unclean end has come since the last audit that was kept. A quick look: an engine asks as it ends."""
    alive = holder(path) is not None
    with translated(path), closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        harden(connection)
        kept = read_certificate(connection, alive=alive)
    return kept is not None and kept.due


def certify(path: Path, at: float, cancelled: Callable[[], bool] | None = None) -> Certificate:
    """Audit the file; keep the result where an unclean end has made it due. `at` is the wall time.

    `cancelled` as in `audit`: it raises Interrupted, and nothing is kept. A running engine is not disturbed. Nothing
    is written to a file that is damaged or cannot be written.
    """
    alive = holder(path) is not None
    with look_into(path) as connection:
        kept = read_certificate(connection, alive=alive)
        session = newest_unclean(connection, alive=alive)  # asked first: what ends meanwhile is due another time
    certificate = audit(path, cancelled)
    if kept is not None and kept.due and certificate.integrity == "ok" and inspect(path).writable:
        _keep(path, session, KeptCertificate(at, certificate.ok, certificate.sentences()))
    return certificate


def _keep(path: Path, session: int, certificate: KeptCertificate) -> None:
    with closing(connect(path, query_only=False)) as database, translated(path):
        database.connection().execute(
            "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)", (CERTIFICATE, kept_text(session, certificate))
        )
