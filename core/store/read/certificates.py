"""The certificate that was kept: how the file was found after its last unclean end, and what each end left in doubt.

The result of an audit is kept in `meta`. The requests that may have been sent twice are rows of their own
(`reclaimed`), so they are told by the session that died, however many audits there were.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from core.store.lock import holder
from core.store.names import CERTIFICATE
from core.store.query import rows, value
from core.store.read.look import look_into
from core.store.rows import KeptCertificate, UncleanEnd

if TYPE_CHECKING:
    from pathlib import Path

    import apsw

MOST_LISTED = 1000  # requests
UNCLEAN = "outcome IN ('killed', 'crashed') OR (outcome = 'failed' AND id IN (SELECT session_id FROM reclaimed))"
DEAD = "ended IS NULL OR (outcome = 'failed' AND id IN (SELECT session_id FROM lease))"  # while no engine lives


def read_certificate(connection: apsw.Connection, *, alive: bool) -> KeptCertificate | None:
    """What was kept, and whether an unclean end has come since; None where there was neither."""
    newest = newest_unclean(connection, alive=alive)
    kept = _kept(value(connection, "SELECT value FROM meta WHERE name = ?", (CERTIFICATE,)))
    if kept is None:
        return KeptCertificate(due=True) if newest else None
    session, certificate = kept
    return KeptCertificate(certificate.at, certificate.ok, certificate.sentences, due=newest > session)


def newest_unclean(connection: apsw.Connection, *, alive: bool) -> int:
    """The last session that did not end in order; 0 where all did."""
    which = UNCLEAN if alive else f"{UNCLEAN} OR {DEAD}"
    number: int = value(connection, f"SELECT max(id) FROM session WHERE {which}", default=0)
    return number


def read_unclean_ends(path: Path) -> tuple[UncleanEnd, ...]:
    """Every unclean end with the requests that it may have had sent twice; the oldest first."""
    alive = holder(path) is not None
    with look_into(path) as connection:
        which = UNCLEAN if alive else f"{UNCLEAN} OR {DEAD}"
        sql = f"SELECT id, pid, coalesce(ended, started + seconds), outcome FROM session WHERE {which} ORDER BY id"
        doubtful = _doubtful(connection, alive=alive)
        return tuple(
            UncleanEnd(session, pid, at, outcome or "crashed", tuple(doubtful.get(session, ())))
            for session, pid, at, outcome in rows(connection, sql)
        )


def kept_text(session: int, certificate: KeptCertificate) -> str:
    """The text of the row in `meta`; `session` is the last one that the audit saw."""
    return json.dumps(
        {"session": session, "at": certificate.at, "ok": certificate.ok, "sentences": certificate.sentences}
    )


def _doubtful(connection: apsw.Connection, *, alive: bool) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    sql = "SELECT session_id, address FROM reclaimed ORDER BY id DESC LIMIT ?"
    listed: list[Any] = rows(connection, sql, (MOST_LISTED,))
    if not alive:  # leases without an engine, until the next start takes them back
        sql = (
            "SELECT session_id, origin.base || coalesce(url.path, ' (' || purpose || ')') FROM lease "
            "JOIN origin ON origin.id = lease.origin_id LEFT JOIN url ON url.id = lease.url_id"
        )
        listed += rows(connection, sql)
    for session, address in listed:
        found.setdefault(session, []).append(str(address))
    return found


def _kept(text: str | None) -> tuple[int, KeptCertificate] | None:
    """What stands in the row; None where there is none, or somebody else wrote it."""
    with suppress(ValueError, KeyError, TypeError):
        fields = json.loads(text or "")
        sentences = tuple(str(sentence) for sentence in fields["sentences"])
        return int(fields["session"]), KeptCertificate(float(fields["at"]), bool(fields["ok"]), sentences)
    return None
