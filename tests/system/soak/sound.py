"""Whether a crawl file keeps its promises: by its own certificate, and by a recount that owes nothing to it."""

from __future__ import annotations

import io
import json
from collections import Counter
from contextlib import closing, redirect_stdout
from typing import TYPE_CHECKING, Any

import apsw

from core.cli import main

if TYPE_CHECKING:
    from pathlib import Path

STATES = "pending leased waiting done failed excluded blocked held gone".split()

# Each finds rows that must not be.
NEVER = {
    "a URL is there twice": "SELECT host_id, origin_id, path FROM url GROUP BY 1, 2, 3 HAVING count(*) > 1",
    "a key is there twice": "SELECT host_id, key FROM url GROUP BY 1, 2, collision HAVING count(*) > 1",
    "a URL in flight has no lease": "SELECT id FROM url WHERE state = 1 AND id NOT IN (SELECT url_id FROM lease)",
    "a lease is for no URL in flight": "SELECT lease.id FROM lease LEFT JOIN url ON url.id = url_id "
    "WHERE purpose = 'page' AND state IS NOT 1",
    "a URL has two leases": "SELECT url_id FROM lease WHERE url_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1",
    "a URL waits for nothing": "SELECT id FROM url WHERE state = 2 AND due IS NULL",
    "a page is done without an answer": "SELECT id FROM url WHERE state IN (3, 4, 8) AND same_as IS NULL "
    "AND id NOT IN (SELECT url_id FROM page)",
    "a page was answered twice in a run": "SELECT url_id, run FROM capture WHERE outcome IN ('ok', 'not_modified') "
    "AND status < 400 GROUP BY 1, 2 HAVING count(*) > 1",
    "a record is there twice": "SELECT 1 FROM record GROUP BY tenant, source, type, natural_key HAVING count(*) > 1",
    "a record's page is not known": "SELECT id FROM record WHERE url_id > 0 AND url_id NOT IN (SELECT id FROM url)",
    "a link leads to nothing": "SELECT target FROM link WHERE target > 0 AND target NOT IN (SELECT id FROM url)",
    "a link leads to no refusal": "SELECT target FROM link WHERE target < 0 "
    "AND -target NOT IN (SELECT id FROM refused)",
    "two runs are open": "SELECT count(*) FROM run WHERE ended IS NULL HAVING count(*) > 1",
}


# And these, unless they were lost with a damaged part of another file.
NEVER_IN_A_WHOLE_ONE = {
    "a link comes from nowhere": "SELECT source FROM link WHERE source NOT IN (SELECT url_id FROM page)",
    "a page has no answer of its last run": "SELECT url_id FROM page WHERE NOT EXISTS "
    "(SELECT 1 FROM capture WHERE capture.url_id = page.url_id AND capture.run = page.run)",
    "a record has not as many versions as it says": "SELECT id FROM record WHERE version <> "
    "(SELECT count(*) FROM record_version WHERE record_id = id)",
    "a record is not its newest version": "SELECT record.id FROM record LEFT JOIN record_version v "
    "ON v.record_id = record.id AND v.valid_to IS NULL WHERE v.fingerprint IS NOT record.fingerprint",
}

COUNTERS = "SELECT name, value FROM counter WHERE run = 0"
COUNTED = {
    "pages": "SELECT count(*) FROM page",
    "records": "SELECT count(*) FROM record",
    "conflicts": "SELECT count(*) FROM conflict",
}
PAGE_REQUESTS = """
SELECT (SELECT count(*) FROM lease WHERE purpose = 'page') + (SELECT count(*) FROM capture)
     + (SELECT count(*) FROM reclaimed WHERE url_id IS NOT NULL)"""


def assert_sound(path: Path, *, rescued: bool = False) -> None:
    """The certificate says ok, and counting everything once more agrees. Nothing may run the crawl."""
    never = NEVER if rescued else {**NEVER, **NEVER_IN_A_WHOLE_ONE}
    certificate = checked(path)
    assert certificate["ok"], certificate
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        found = {words: rows for words, sql in never.items() if (rows := connection.execute(sql).fetchall())}
        assert not found, found
        _assert_counted(connection)


def checked(path: Path) -> dict[str, Any]:
    """What `check --json` prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        code = main(["check", str(path), "--json"])
    found: dict[str, Any] = json.loads(out.getvalue())
    assert (code == 0) == found["ok"]
    return found


def status(path: Path) -> dict[str, Any]:
    """What `status --json` prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["status", str(path), "--json"]) == 0
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def done_pages(path: Path) -> set[str]:
    """The paths of pages that have their answer."""
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        return {str(found) for (found,) in connection.execute("SELECT path FROM url WHERE state = 3")}


def _assert_counted(connection: apsw.Connection) -> None:
    """Every host's counts are those of its URLs, and the counters of the crawl those of its rows."""
    counted = Counter(connection.execute("SELECT host_id, state FROM url"))
    for host, *kept in connection.execute("SELECT id, " + ", ".join(STATES) + " FROM host"):  # noqa: S608 - names
        assert kept == [counted[host, state] for state in range(len(STATES))], f"host {host}"
    counters = {str(name): int(str(value)) for name, value in connection.execute(COUNTERS)}
    for name, sql in COUNTED.items():
        assert counters.get(name, 0) == _number(connection, sql), name
    assert counters.get("requests", 0) >= _number(connection, PAGE_REQUESTS)


def _number(connection: apsw.Connection, sql: str) -> int:
    ((found,),) = connection.execute(sql).fetchall()
    return int(str(found))
