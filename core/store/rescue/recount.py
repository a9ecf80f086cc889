"""The counters of a rescued crawl, counted again from its rows: of hosts, of runs, of refusals, of parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.names import UrlState
from core.store.query import rows, value
from core.store.read.audit import IN_RUN, RECOUNTS
from core.store.write.limits import path_key
from core.urls import Rules, Url, key_form, parse

if TYPE_CHECKING:
    import apsw


def count_again(connection: apsw.Connection, tenant: str, rules: Rules) -> None:
    """Inside one transaction. `rules` are those that the stored keys follow."""
    for state in UrlState:
        connection.execute(f"UPDATE host SET {state.label} = 0")
    for host, state, count in rows(connection, "SELECT host_id, state, count(*) FROM url GROUP BY 1, 2"):
        connection.execute(f"UPDATE host SET {UrlState(state).label} = ? WHERE id = ?", (count, host))
    connection.execute("DELETE FROM counter WHERE name LIKE 'refused.%' OR name LIKE 'pattern.%'")
    for name, sql in RECOUNTS.items():
        _set(connection, name, 0, value(connection, sql, default=0))
    for number, run_sums in _sums_of_runs(connection):
        for name, total in zip(IN_RUN, run_sums, strict=True):
            _set(connection, name, number, total or 0)
    last = value(connection, "SELECT max(number) FROM run", default=0)
    for action in ("created", "unchanged", "updated"):
        sql = "SELECT count(*) FROM record WHERE run = ? AND action = ?"
        _set(connection, action, last, value(connection, sql, (last, action), 0))
    refused = (
        "SELECT word, sum(n) FROM (SELECT word, count(*) AS n FROM refused GROUP BY word UNION ALL "
        "SELECT word, sum(count) FROM refusal_count GROUP BY word) GROUP BY word"
    )
    for word, count in rows(connection, refused):
        _set(connection, f"refused.{word}", 0, count)
    _count_parameters(connection, tenant, rules)


def _sums_of_runs(connection: apsw.Connection) -> list[tuple[int, list[int | None]]]:
    """What the answers of each run brought; a run without one brought nothing."""
    sums = ", ".join(f"sum({name})" for name in IN_RUN)
    found = rows(connection, f"SELECT number, {sums} FROM run LEFT JOIN capture ON run = number GROUP BY number")
    return [(number, counted) for number, *counted in found]


def _set(connection: apsw.Connection, name: str, run: int, number: int) -> None:
    connection.execute("INSERT OR REPLACE INTO counter(name, run, value) VALUES (?, ?, ?)", (name, run, number))


def _count_parameters(connection: apsw.Connection, tenant: str, rules: Rules) -> None:
    """How many parameter combinations of each path are known."""
    connection.execute("DELETE FROM path_count")
    sql = (
        "SELECT url.host_id, base || path FROM url JOIN origin ON origin.id = origin_id "
        "JOIN host ON host.id = url.host_id WHERE tenant = ? AND same_as IS NULL AND path LIKE '%?%'"
    )
    counts: dict[tuple[int, int], int] = {}
    for host, text in connection.execute(sql, (tenant,)):
        url = parse(str(text))
        if isinstance(url, Url):
            key = (int(str(host)), path_key(key_form(url, rules)))
            counts[key] = counts.get(key, 0) + 1
    connection.executemany(
        "INSERT INTO path_count(host_id, path, count) VALUES (?, ?, ?)",
        [(host, path, count) for (host, path), count in counts.items()],
    )
