"""What a crawl that has nothing more to do leaves undone: the reason it ends before the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.authorisation import WORD
from core.policy.words import UNREACHABLE
from core.store.query import rows, value
from core.store.words import quantity
from core.store.write.of_tenant import OF_TENANT
from core.store.write.portals import left_on_hold
from core.store.write.sweeps import LIMITS
from core.store.write.unreachable import WORD as NOT_REACHED

if TYPE_CHECKING:
    import apsw

LIMITED = """
SELECT reason, sum(count) FROM (
    SELECT reason, count(*) AS count FROM refused WHERE word IN (?1, ?2, ?3) AND NOT coalesce((
        SELECT tenant <> ?4 FROM url JOIN host ON host.id = host_id WHERE url.id = refused.found_on), 0) GROUP BY reason
    UNION ALL SELECT word, count FROM refusal_count WHERE word IN (?1, ?2, ?3) AND NOT coalesce((
        SELECT tenant <> ?4 FROM url JOIN host ON host.id = host_id WHERE url.id = refusal_count.found_on), 0))
GROUP BY reason ORDER BY 2 DESC LIMIT 1"""


def leftovers(connection: apsw.Connection, tenant: str) -> str:
    """Of a tenant: which date, limit or host, where, and how much; empty where the crawl is finished."""
    kept = _unauthorised(connection, tenant) or left_on_hold(connection, tenant)
    if kept:
        return kept
    for reason, count in rows(connection, LIMITED, (*LIMITS, tenant)):
        where = _where(connection, reason)
        return f"{reason}{'' if ':' in reason else ':'} {quantity(count, 'URL')} left{where}"
    sql = f"SELECT count(*) FROM url WHERE state = 6 AND reason LIKE ? AND same_as IS NULL AND {OF_TENANT}"
    blocked = value(connection, sql, (f"{UNREACHABLE}%", tenant), 0)
    if not blocked:
        return _not_reached(connection, tenant) or _unasked(connection, tenant)
    return f"unreachable: {quantity(blocked, 'URL')} left, their robots.txt cannot be had"


def _not_reached(connection: apsw.Connection, tenant: str) -> str:
    """Origins given up because they cannot be reached: the one with the most, all their URLs."""
    sql = (
        "SELECT iif(reason LIKE '%: dns', host.name, base), reason LIKE '%: dns', count(*) "
        "FROM url JOIN host ON host.id = url.host_id JOIN origin ON origin.id = origin_id "
        f"WHERE url.state = 6 AND reason LIKE '{NOT_REACHED}:%' AND tenant = ? GROUP BY 1 ORDER BY 3 DESC"
    )
    found = rows(connection, sql, (tenant,))
    if not found:
        return ""
    others = f" and {quantity(len(found) - 1, 'other host')}" if len(found) > 1 else ""
    left = quantity(sum(count for *_, count in found), "URL")
    why = "whose name does not resolve" if found[0][1] else "which cannot be reached"
    return f"unreachable: {left} left at {found[0][0]}{others}, {why}"


def _unasked(connection: apsw.Connection, tenant: str) -> str:
    """An origin without a single page, asked only for the sitemaps its robots.txt names, that did not answer."""
    sql = (
        f"SELECT base FROM origin WHERE robots_state = 'disallow' AND {OF_TENANT} AND NOT EXISTS "
        "(SELECT 1 FROM url WHERE url.host_id = origin.host_id AND origin_id = origin.id) ORDER BY id LIMIT 1"
    )
    base = value(connection, sql, (tenant,), "")
    return f"unreachable: the robots.txt of {base} cannot be had, so its sitemaps are not known" if base else ""


def _unauthorised(connection: apsw.Connection, tenant: str) -> str:
    """What an authorisation that is over keeps: its date, the host with the most, all URLs so blocked."""
    found = rows(
        connection,
        "SELECT reason, host.name, count(*) FROM url JOIN host ON host.id = host_id "
        f"WHERE url.state = 6 AND reason LIKE '{WORD}:%' AND tenant = ? GROUP BY 1, 2 ORDER BY 3 DESC",
        (tenant,),
    )
    if not found:
        sql = f"SELECT count(*), max(address) FROM seed_source WHERE state = 'pending' AND {OF_TENANT}"
        (unread, address) = rows(connection, sql, (tenant,))[0]
        return f"{WORD}: {quantity(unread, 'source')} of seeds left unread, such as {address}" if unread else ""
    reason, host, _ = found[0]
    others = f" and {quantity(len(found) - 1, 'other host')}" if len(found) > 1 else ""
    return f"{reason}: {quantity(sum(count for *_, count in found), 'URL')} left at {host}{others}"


def _where(connection: apsw.Connection, reason: str) -> str:
    if not reason.startswith("host-limit"):
        return ""
    url = value(connection, "SELECT url FROM refused WHERE reason = ? LIMIT 1", (reason,), "")
    return f" at {url.split('/')[2]}" if url.count("/") > 1 else ""
