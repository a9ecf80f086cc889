"""A heap of rescued rows made a consistent crawl that can go on.

What leads to nothing is dropped. A URL whose answer is lost is asked again; so is a page whose links led to URLs that
are lost, for only it can say what they were. Requests that were in flight are listed as perhaps sent twice. Counters
are counted again. The steps are plain SQL, in their order, each with the word under which it is told.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from core.settings import CrawlSettings, decode
from core.store.names import KEYED_BY
from core.store.query import row, rows, value
from core.store.rescue.recount import count_again
from core.store.write.limits import COUNTED
from core.urls import Rules, Url, key_form, parse, url_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

PIECE = 5000
FEW = 20  # URLs whose keys may be wrong by damage, or so small a part of all
SMALL_PART = 0.05
LOST_URL = "NOT EXISTS (SELECT 1 FROM url WHERE url.id = {column})"
HOST_OF = "(SELECT host_id FROM origin WHERE origin.id = origin_id)"
TENANT_OF_SEED = """coalesce((SELECT tenant FROM url JOIN host ON host.id = host_id WHERE url.id = seed.url_id),
    (SELECT json_extract(json, '$.tenant') FROM setting ORDER BY version DESC LIMIT 1))"""
OUTLIVE = frozenset({"record", "record_apart", "record_version_apart"})  # the pages, or the records, they were of
CUT_OFF = "'error: its request was cut off%'"

ADDRESSES: tuple[tuple[str, str], ...] = (
    ("", "DELETE FROM robots_version WHERE origin_id NOT IN (SELECT id FROM origin)"),
    (
        "",
        "UPDATE origin SET robots_version = NULL, robots_state = 'unknown', robots_due = 0 "
        "WHERE robots_version NOT IN (SELECT id FROM robots_version)",
    ),
    ("URLs without an address", "DELETE FROM url WHERE origin_id NOT IN (SELECT id FROM origin)"),
    ("", f"UPDATE OR IGNORE url SET host_id = {HOST_OF} WHERE host_id <> {HOST_OF}"),
    ("URLs without an address", f"DELETE FROM url WHERE host_id <> {HOST_OF}"),
)
STEPS: tuple[tuple[str, str], ...] = (
    # what is known of URLs
    ("", "UPDATE url SET found_on = NULL WHERE found_on NOT IN (SELECT id FROM url)"),
    ("", "DELETE FROM seed_source WHERE origin_id NOT IN (SELECT id FROM origin)"),
    ("", f"UPDATE OR IGNORE seed_source SET host_id = {HOST_OF} WHERE host_id <> {HOST_OF}"),
    ("", f"DELETE FROM seed_source WHERE host_id <> {HOST_OF}"),
    ("", "UPDATE seed_source SET parent_id = NULL WHERE parent_id NOT IN (SELECT id FROM seed_source)"),
    ("", "UPDATE url SET source_id = NULL WHERE source_id NOT IN (SELECT id FROM seed_source)"),
    (
        "",
        "UPDATE url SET state = coalesce(state_apart, state), state_apart = NULL, same_as = NULL "
        "WHERE same_as NOT IN (SELECT id FROM url) OR same_as = id",
    ),
    ("", "UPDATE seed SET url_id = NULL WHERE url_id NOT IN (SELECT id FROM url)"),
    ("", f"UPDATE OR IGNORE seed SET tenant = {TENANT_OF_SEED} WHERE tenant = ''"),
    ("", "DELETE FROM seed WHERE tenant = ''"),
    ("", "UPDATE refused SET found_on = NULL WHERE found_on NOT IN (SELECT id FROM url)"),
    ("", "DELETE FROM refusal_count WHERE found_on > 0 AND found_on NOT IN (SELECT id FROM url)"),
    ("", "DELETE FROM refusal_count WHERE found_on < 0 AND -found_on NOT IN (SELECT id FROM seed_source)"),
    (
        "",
        "DELETE FROM mention WHERE source_id NOT IN (SELECT id FROM seed_source) "
        f"OR {LOST_URL.format(column='url_id')}",
    ),
    # requests in flight
    (
        "requests in flight",
        "INSERT INTO reclaimed(session_id, url_id, address, at) SELECT session_id, url_id, base || coalesce(path, "
        "CASE purpose WHEN 'robots' THEN '/robots.txt' ELSE ' (' || purpose || ')' END), lease.at FROM lease "
        "JOIN origin ON origin.id = lease.origin_id LEFT JOIN url ON url.id = url_id",
    ),
    ("", "DELETE FROM lease"),
    ("", "UPDATE url SET state = 0, reclaims = reclaims + 1 WHERE state = 1"),
    ("", "UPDATE reclaimed SET url_id = NULL WHERE url_id NOT IN (SELECT id FROM url)"),
    # answers
    ("answers of lost URLs", f"DELETE FROM page WHERE {LOST_URL.format(column='url_id')}"),
    ("", f"DELETE FROM capture WHERE {LOST_URL.format(column='url_id')}"),
    ("", f"DELETE FROM page_version WHERE {LOST_URL.format(column='url_id')}"),
    (
        "URLs whose answer is lost are asked again",
        "UPDATE url SET state = 0, due = NULL, tries = 0, reason = NULL WHERE state IN (3, 4) AND same_as IS NULL "
        f"AND coalesce(reason, '') NOT LIKE {CUT_OFF} AND id NOT IN (SELECT url_id FROM page)",
    ),
    (
        "",
        "UPDATE url SET state = 5, state_apart = 0 WHERE state IN (3, 4) AND same_as IS NOT NULL "
        "AND id NOT IN (SELECT url_id FROM page)",
    ),
    ("", "UPDATE page SET duplicate_of = NULL WHERE duplicate_of NOT IN (SELECT url_id FROM page)"),
    ("", "UPDATE page SET alias_of = NULL WHERE alias_of = url_id OR alias_of NOT IN (SELECT id FROM url)"),
    (
        "",
        "UPDATE page SET alias_of = NULL WHERE alias_of IS NOT NULL AND EXISTS (SELECT 1 FROM page b "
        "WHERE b.url_id = page.alias_of AND b.alias_of = page.url_id)",
    ),
    ("", "UPDATE page SET useful = 0 WHERE alias_of IS NOT NULL AND useful"),
    # links
    (
        "",
        "CREATE TEMP TABLE again AS SELECT DISTINCT source AS id FROM link "
        f"WHERE target > 0 AND {LOST_URL.format(column='target')}",
    ),
    (
        "links to nothing",
        f"DELETE FROM link WHERE (target > 0 AND {LOST_URL.format(column='target')}) OR target = 0 "
        "OR (target < 0 AND -target NOT IN (SELECT id FROM refused)) "
        f"OR {LOST_URL.format(column='source')}",
    ),
    ("", "UPDATE page SET etag = NULL, last_modified = NULL WHERE url_id IN (SELECT id FROM again)"),
    (
        "pages that led to lost URLs are read again",
        "UPDATE url SET state = 0, due = NULL, tries = 0 WHERE state = 3 AND same_as IS NULL "
        "AND id IN (SELECT id FROM again)",
    ),
    ("", "DROP TABLE again"),
    # records: one whose page is lost is still a record; no URL has the number 0
    ("", f"UPDATE record SET url_id = 0 WHERE {LOST_URL.format(column='url_id')}"),
    ("", "DELETE FROM record_version WHERE record_id NOT IN (SELECT id FROM record)"),
    ("", "DELETE FROM record_version_apart WHERE record_id NOT IN (SELECT id FROM record_apart)"),
    ("", f"DELETE FROM conflict WHERE {LOST_URL.format(column='url_id')}"),
    ("", "UPDATE conflict SET record_id = NULL WHERE record_id NOT IN (SELECT id FROM record)"),
    ("", "DELETE FROM absence WHERE record_id NOT IN (SELECT id FROM record)"),
    ("", f"DELETE FROM absence WHERE record_id IS NULL AND {LOST_URL.format(column='url_id')}"),
    (
        "",
        "INSERT INTO absence(url_id, run, at, reason) SELECT url_id, run, last_fetched, coalesce(reason, '') "
        "FROM page JOIN url ON url.id = url_id WHERE state = 8 "
        "AND NOT EXISTS (SELECT 1 FROM absence a WHERE a.url_id = page.url_id AND a.back IS NULL)",
    ),
    # runs
    (
        "",
        "INSERT OR IGNORE INTO run(number, kind, started, ended, state) SELECT number, 'crawl', min(at), max(at), "
        "'finished' FROM (SELECT run AS number, at FROM capture UNION ALL SELECT run, last_fetched FROM page "
        "UNION ALL SELECT run, last_seen FROM record UNION ALL SELECT run, started FROM session) "
        "WHERE number > 0 GROUP BY number",
    ),
    (
        "",
        "UPDATE session SET ended = started + seconds, outcome = 'crashed', state = 'crashed' WHERE ended IS NULL",
    ),
    ("", "UPDATE wish SET done = at WHERE done IS NULL"),
    ("", "UPDATE edit SET wish_id = NULL WHERE wish_id NOT IN (SELECT id FROM wish)"),
)


def mend(connection: apsw.Connection, settings: CrawlSettings) -> dict[str, int]:
    """Inside one transaction. How many rows each told step concerned; steps that found nothing are not in it."""
    told: dict[str, int] = {}
    rules = _rules(connection, settings)
    _rehome(connection, settings.tenant, rules)
    _run(connection, ADDRESSES, told)
    _check_keys(connection, settings.tenant, rules)
    _run(connection, STEPS, told)
    _drop_what_leads_nowhere(connection)
    _mend_facts(connection, settings.tenant)
    count_again(connection, settings.tenant, rules)
    return told


def _run(connection: apsw.Connection, steps: tuple[tuple[str, str], ...], told: dict[str, int]) -> None:
    for word, sql in steps:
        connection.execute(sql)
        changed = connection.changes() if word else 0
        if changed:
            told[word] = told.get(word, 0) + changed


def _drop_what_leads_nowhere(connection: apsw.Connection) -> None:
    """Whatever else refers to a row that is not there: it forgets it where it may, and goes where it may not."""
    references = rows(
        connection,
        'SELECT t.name, f."table", f."from", f."to", c."notnull" FROM pragma_table_list t, '
        'pragma_foreign_key_list(t.name) f JOIN pragma_table_info(t.name) c ON c.name = f."from" '
        "WHERE t.schema = 'main' ORDER BY t.name",
    )
    changed = 1
    while changed:
        changed = 0
        for table, parent, column, key, bound in references:
            if table in OUTLIVE:
                continue
            lost = f'"{column}" IS NOT NULL AND "{column}" NOT IN (SELECT "{key}" FROM "{parent}")'
            forget = f'UPDATE "{table}" SET "{column}" = NULL WHERE {lost}'
            connection.execute(f'DELETE FROM "{table}" WHERE {lost}' if bound else forget)
            changed += connection.changes()


def _rules(connection: apsw.Connection, settings: CrawlSettings) -> Rules:
    """The rules that the stored keys follow."""
    sql = "SELECT json FROM setting, meta WHERE name = ? AND version = CAST(value AS INTEGER)"
    text = value(connection, sql, (KEYED_BY,))
    return Rules.of((settings if text is None else decode(text)).normalise)


# -- addresses and keys -------------------------------------------------------------------------------------------


def _rehome(connection: apsw.Connection, tenant: str, rules: Rules) -> None:
    """An origin whose host is lost belongs to the one that its own text names."""
    lost = "SELECT id, host_id, base FROM origin WHERE host_id NOT IN (SELECT id FROM host)"
    for number, host, base in rows(connection, lost):
        url = parse(f"{base}/")
        if not isinstance(url, Url):
            connection.execute("DELETE FROM origin WHERE id = ?", (number,))
            continue
        name = key_form(url, rules).host
        found = value(connection, "SELECT id FROM host WHERE tenant = ? AND name = ?", (tenant, name))
        if found is None:
            free = None if row(connection, "SELECT 1 FROM host WHERE id = ?", (host,)) else host
            connection.execute("INSERT INTO host(id, tenant, name) VALUES (?, ?, ?)", (free, tenant, name))
            found = connection.last_insert_rowid()
        connection.execute("UPDATE OR IGNORE origin SET host_id = ? WHERE id = ?", (found, number))
    connection.execute("DELETE FROM origin WHERE host_id NOT IN (SELECT id FROM host)")


def _check_keys(connection: apsw.Connection, tenant: str, rules: Rules) -> None:
    """A URL whose key is not its own: its text or its key is damaged, so it is taken for lost, and found again.

    Where many are so, it is the keys that are wrong, by whatever rules they were made: then they are made anew.
    """
    wrong, total = [], 0
    for number, host, stored, key in _keys(connection, tenant, rules):
        total += 1
        if stored != key:
            wrong.append((number, host, key))
    all_lost = len(wrong) <= max(FEW, total * SMALL_PART)
    for number, host, key in wrong:
        if key is None or all_lost:
            connection.execute("DELETE FROM url WHERE id = ?", (number,))
            continue
        sql = "SELECT coalesce(max(collision), -1) + 1 FROM url WHERE host_id = ? AND key = ?"
        collision = value(connection, sql, (host, key))
        connection.execute("UPDATE url SET key = ?, collision = ? WHERE id = ?", (key, collision, number))
    _drop_doubled(connection)


def _keys(connection: apsw.Connection, tenant: str, rules: Rules) -> Iterator[tuple[int, int, int, int | None]]:
    sql = (
        "SELECT url.id, url.host_id, key, base || path FROM url JOIN origin ON origin.id = origin_id "
        "JOIN host ON host.id = url.host_id WHERE tenant = ? AND url.id > ? ORDER BY url.id LIMIT ?"
    )
    after = -1
    while found := rows(connection, sql, (tenant, after, PIECE)):
        for number, host, stored, text in found:
            url = parse(text)
            yield number, host, stored, url_key(key_form(url, rules)) if isinstance(url, Url) else None
        after = found[-1][0]


def _drop_doubled(connection: apsw.Connection) -> None:
    """Of rows with one and the same text one stays; an old copy of a page may have brought the others."""
    connection.execute(
        "DELETE FROM url WHERE collision > 0 AND EXISTS (SELECT 1 FROM url other WHERE other.host_id = url.host_id "
        "AND other.key = url.key AND other.origin_id = url.origin_id AND other.path = url.path "
        "AND other.collision < url.collision)"
    )


# -- facts ----------------------------------------------------------------------------------------------------------


def _mend_facts(connection: apsw.Connection, tenant: str) -> None:
    """The single facts are there and can be read."""
    for name, text in rows(connection, "SELECT name, value FROM meta"):
        if not _is_fact(connection, name, text):
            connection.execute("DELETE FROM meta WHERE name = ?", (name,))
    connection.execute("DELETE FROM meta WHERE name IN (?, 'tenant')", (COUNTED,))
    facts = (("tenant", tenant), ("rules_version", "1"), ("created", "0"), ("program", "Fronteira"))
    connection.executemany("INSERT OR IGNORE INTO meta(name, value) VALUES (?, ?)", facts)


def _is_fact(connection: apsw.Connection, name: str, text: str) -> bool:
    name = name.partition("@")[0]  # of another tenant, where one stands behind it
    if name == KEYED_BY:
        return row(connection, "SELECT 1 FROM setting WHERE version = CAST(? AS INTEGER)", (text,)) is not None
    if name in {"swept_version", "rules_version"}:
        return text.isascii() and text.isdigit()
    if name in {"extra_hosts", "extra_hosts_unjudged"}:
        with suppress(ValueError):
            found = json.loads(text)
            return isinstance(found, list) and all(isinstance(host, str) for host in found)
        return False
    return True
