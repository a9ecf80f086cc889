"""When a page or a record is gone, since when, and when it was back: nothing is deleted, and each time is one row.

A page that was there is gone when it answers 404 or 410, or when no way has led to it for `gone_after` complete crawls
(reckoning.py); its records are gone with it, but for those that another page has shown since. A page of which this is
so asks as any other now and then, and is back when it answers. Where many go at once it is not believed
(`core.policy.vanishing`): what this run has marked is undone, an alarm is raised, and nothing is marked until the
analyst confirms it. Both are pieces of a few thousand rows, and go on after a kill where they were.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.policy.vanishing import MANY, doubt
from core.store.names import VANISHED, UrlState
from core.store.query import row, rows, value
from core.store.write.of_tenant import OF_TENANT
from core.store.write.remarks import Remark

if TYPE_CHECKING:
    import apsw

    from core.store.results import Work
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue

NAME = "vanishing"  # in meta: the run, the hosts of which it is not believed, whether the analyst has confirmed
NOT_FOUND = "not found"
PAGE_GONE = "page gone"
NOT_SHOWN = "not shown"
EVERY_HOST = 0
RECORDS = -1  # stands for a host where records go whose pages are there
PIECE = 2_000  # rows a transaction

OPEN = "SELECT id, reason FROM absence WHERE url_id = ? AND back IS NULL"
OF_RUN = f"""
SELECT host_id, count(*) FROM absence JOIN url ON url.id = url_id WHERE run = ? AND back IS NULL AND {OF_TENANT}
GROUP BY 1"""
THERE = "SELECT sum(done + pending + leased + waiting + held) FROM host WHERE tenant = ?1 AND ?2 IN (0, id)"
GO = """
INSERT INTO absence(url_id, number, run, at, reason)
SELECT ?1, 1 + (SELECT count(*) FROM absence WHERE url_id = ?1), ?2, ?3, ?4"""
RECORDS_OF = """
url_id = ?1 AND gone IS NULL AND last_seen <= (SELECT max(at) FROM capture WHERE capture.url_id = ?1
AND outcome IN ('ok', 'not_modified') AND (status BETWEEN 200 AND 299 OR status = 304))"""
GO_RECORD = """
INSERT INTO absence(record_id, version, number, run, at, reason)
SELECT id, version, 1 + (SELECT count(*) FROM absence WHERE record_id = record.id), ?2, ?3, ?4 FROM record WHERE """
BACK = "UPDATE absence SET back_run = ?2, back = ?3 WHERE {of} = ?1 AND back IS NULL"
MARKED = f"""
SELECT url.id, host_id, absence.reason FROM absence JOIN url ON url.id = url_id
WHERE run = ?1 AND back IS NULL AND state = 8 AND ?2 IN (0, host_id) AND {OF_TENANT}4 LIMIT ?3"""
IN_DOUBT = """url.same_as IS NULL AND last_changed IS NOT NULL
AND (url.state = 4 AND reason IN ('status: 404', 'status: 410') OR url.state IN (3, 4) AND ?1 > 0 AND misses >= ?1)"""
PAGES_IN_DOUBT = f"""
SELECT url.id, host_id, state, iif(state = 4 AND reason LIKE 'status: 4%', reason, '{NOT_FOUND}')
FROM url JOIN page ON page.url_id = url.id WHERE url.id > ?2 AND {IN_DOUBT} ORDER BY url.id LIMIT ?3"""
RECORDS_IN_DOUBT = """
SELECT rowid FROM record WHERE rowid > ?2 AND gone IS NULL AND ?1 > 0 AND misses >= ?1 AND tenant = ?4
ORDER BY rowid LIMIT ?3"""
HOST_IN_DOUBT = f"""
SELECT 1 FROM url JOIN page ON page.url_id = url.id JOIN host ON host.id = host_id
WHERE {IN_DOUBT} AND ?2 IN ('', name) LIMIT 1"""


@dataclass(slots=True)
class Vanishing:
    """What the file keeps of a run in which many go. `doubts`: host to reason; `believed`: the analyst confirmed.

    `marking` is how far a confirmation is carried out: `page` or `record`, and the last one.
    """

    run: int = 0
    doubts: dict[int, str] = field(default_factory=dict)
    believed: bool = False
    marking: tuple[str, int] | None = None


class Absences:
    """Used by the writer's thread inside its transaction, within one session and its run."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, queue: Queue) -> None:
        self._connection = connection
        self._hosts = hosts
        self._queue = queue
        self._gone: Counter[int] = Counter()  # host -> pages this run has marked
        self._undoing: set[int] = set()  # hosts whose marks are taken back
        self._remarks: list[Remark] = []
        self._now = Vanishing()
        self._gone_after = 0

    def use(self, gone_after: int) -> None:
        """After so many complete crawls what is not found is gone; 0: never."""
        self._gone_after = gone_after

    def load(self, run: int) -> None:
        """What the file says of this run."""
        self._gone = Counter(dict(rows(self._connection, OF_RUN, (run, self._hosts.tenant))))
        text = value(self._connection, "SELECT value FROM meta WHERE name = ?", (NAME,), "")
        kept = json.loads(text) if text else {}
        self._now = Vanishing(run, marking=tuple(kept["marking"]) if kept.get("marking") else None)
        if kept.get("run") == run:
            self._now.doubts = {int(host): reason for host, reason in kept["doubts"].items()}
            self._now.believed = kept["believed"]
        self._undoing = set(self._now.doubts)

    # -- one page ---------------------------------------------------------------------------------------------------

    def answered(self, work: Work, state: UrlState, reason: str | None, at: float) -> tuple[UrlState, str | None]:
        """A known page has its final answer, which means this state: gone, back, or in doubt, it may be another."""
        absent = row(self._connection, OPEN, (work.id,))
        if absent is None:
            return self._went(work, reason, at) if state is UrlState.GONE else (state, reason)
        if state is UrlState.FAILED:
            return UrlState.GONE, absent[1]  # a bad hour says nothing of what was gone before
        if state is UrlState.DONE:
            self.back(work.id, at)
        return state, reason

    def go(self, number: int, reason: str, at: float) -> None:
        """A page is gone, and its records with it. The caller moves the URL."""
        self._connection.execute(GO, (number, self._now.run, at, reason))
        self._connection.execute(GO_RECORD + RECORDS_OF, (number, self._now.run, at, PAGE_GONE))
        self._connection.execute(f"UPDATE record SET gone = ?2 WHERE {RECORDS_OF}", (number, at))

    def page_goes(self, number: int, host: int, state: UrlState, reason: str, at: float) -> None:
        """A page of the frontier's end is gone; where nothing leads to it, it is asked again when something does."""
        due = None if reason == NOT_FOUND else value(self._connection, "SELECT due FROM url WHERE id = ?", (number,))
        self._queue.move(number, host, state, UrlState.GONE, reason, due)
        self.go(number, reason, at)

    def back(self, number: int, at: float) -> None:
        """A page is there again. Its records are back when it shows them."""
        self._connection.execute(BACK.format(of="url_id"), (number, self._now.run, at))

    def record_goes(self, rowid: int, at: float) -> None:
        """A record is gone though its page is there: it has not shown it for long."""
        self._connection.execute(f"{GO_RECORD} rowid = ?1", (rowid, self._now.run, at, NOT_SHOWN))
        self._connection.execute("UPDATE record SET gone = ? WHERE rowid = ?", (at, rowid))

    def _went(self, work: Work, reason: str | None, at: float) -> tuple[UrlState, str | None]:
        self._gone[work.host] += 1
        for host, count in ((work.host, self._gone[work.host]), (EVERY_HOST, self._gone.total())):
            if count >= MANY and not self.is_doubted(work.host):
                self.judge(host, count, self._there(host), at)
        was_doubted = value(self._connection, "SELECT status IN (404, 410) FROM page WHERE url_id = ?", (work.id,), 0)
        if self.is_doubted(work.host) or (was_doubted and not self._now.believed):
            return UrlState.FAILED, reason
        self.go(work.id, reason or "", at)
        return UrlState.GONE, reason

    # -- many at once -----------------------------------------------------------------------------------------------

    def is_doubted(self, host: int) -> bool:
        """Whether it is not believed that pages of this host are gone."""
        return host in self._now.doubts or (host != RECORDS and EVERY_HOST in self._now.doubts)

    def judge(self, host: int, vanished: int, there: int, at: float) -> None:
        """Believe it or not that so many are gone of those that were there; EVERY_HOST and RECORDS are hosts here."""
        known = self.is_doubted(host) or (host == EVERY_HOST and any(other > 0 for other in self._now.doubts))
        reason = "" if self._now.believed or known else doubt(vanished, there)
        if not reason:
            return
        self._now.doubts[host] = reason
        self._undoing.add(host)
        self._keep()
        self._raise_alarm(host, reason, at)

    def judge_all(self, at: float) -> None:
        """At the end of a run: every host once more, when it is known how many of its pages were there."""
        for host, count in [*self._gone.items(), (EVERY_HOST, self._gone.total())]:
            self.judge(host, count, self._there(host), at)

    def confirm(self, at: float) -> None:
        """The analyst's word: what this run says is gone is so, and all of which earlier ones were not believed."""
        self._now.believed, self._now.marking = True, ("page", 0)
        self._now.doubts.clear()
        self._undoing.clear()
        self._connection.execute("UPDATE alarm SET cleared = ? WHERE kind = ? AND cleared IS NULL", (at, VANISHED))
        self._keep()
        self._remarks.append(Remark("info", VANISHED, "It was confirmed that what vanished is gone."))

    def settle(self, at: float) -> None:
        """A run is over: an alarm of which nothing is in doubt any more, for all of it is back, is over too."""
        standing = "SELECT id, host FROM alarm WHERE kind = ? AND cleared IS NULL"
        for number, name in rows(self._connection, standing, (VANISHED,)):
            of_records = (self._gone_after, 0, 1, self._hosts.tenant)
            records = row(self._connection, RECORDS_IN_DOUBT, of_records) if not name else None
            if records is None and row(self._connection, HOST_IN_DOUBT, (self._gone_after, name)) is None:
                self._connection.execute("UPDATE alarm SET cleared = ? WHERE id = ?", (at, number))

    def step(self, at: float) -> bool:
        """The next piece of what is undone, or marked after all; whether there is more."""
        more = [self._undo(host, at) for host in tuple(self._undoing)]
        if self._now.marking is not None:
            more.append(self._mark(*self._now.marking, at))
        return any(more)

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return remarks

    def _undo(self, host: int, at: float) -> bool:
        found = rows(self._connection, MARKED, (self._now.run, host, PIECE, self._hosts.tenant))
        for number, of_host, reason in found:
            due = value(self._connection, "SELECT last_fetched + interval FROM page WHERE url_id = ?", (number,))
            state = UrlState.DONE if reason == NOT_FOUND else UrlState.FAILED
            self._queue.move(number, of_host, UrlState.GONE, state, None if state is UrlState.DONE else reason, due)
            self.back(number, at)
            self._bring_records_back(number, at)
        if not found:
            self._undoing.discard(host)
        return bool(found)

    def _bring_records_back(self, number: int, at: float) -> None:
        sql = (
            "SELECT record.id FROM record JOIN absence ON record_id = record.id "
            "WHERE record.url_id = ? AND gone IS NOT NULL AND absence.run = ? AND back IS NULL AND reason = ?"
        )
        for (record,) in rows(self._connection, sql, (number, self._now.run, PAGE_GONE)):
            self._connection.execute("UPDATE record SET gone = NULL WHERE id = ?", (record,))
            record_back(self._connection, record, self._now.run, at)

    def _mark(self, what: str, after: int, at: float) -> bool:
        if what == "page":
            last = self._mark_pages(after, at)
            self._now.marking = ("record", 0) if last is None else ("page", last)
        else:
            last = self._mark_records(after, at)
            self._now.marking = None if last is None else ("record", last)
        self._keep()
        return self._now.marking is not None

    def _mark_pages(self, after: int, at: float) -> int | None:
        found = rows(self._connection, PAGES_IN_DOUBT, (self._gone_after, after, PIECE))
        for number, host, state, reason in found:
            if self._hosts.by_id(host).ours:
                self.page_goes(number, host, UrlState(state), reason, at)
        return found[-1][0] if len(found) == PIECE else None

    def _mark_records(self, after: int, at: float) -> int | None:
        found = rows(self._connection, RECORDS_IN_DOUBT, (self._gone_after, after, PIECE, self._hosts.tenant))
        for (rowid,) in found:
            self.record_goes(rowid, at)
        return found[-1][0] if len(found) == PIECE else None

    def _there(self, host: int) -> int:
        """How many pages a host has, those that this run has marked included."""
        gone = self._gone.total() if host == EVERY_HOST else self._gone[host]
        return gone + int(value(self._connection, THERE, (self._hosts.tenant, host), 0))

    def _raise_alarm(self, host: int, reason: str, at: float) -> None:
        name, what = self._name(host), "Records" if host == RECORDS else "Pages"
        where = f" of {name}" if name else ""
        message = (
            f"{what}{where} vanished at once: {reason}. So many are more often a fault than gone, and none is marked "
            "so. Look at some; if they are gone, confirm it, in the window or with `fronteira confirm FILE`."
        )
        standing = "SELECT 1 FROM alarm WHERE kind = ? AND host = ? AND cleared IS NULL AND acknowledged IS NULL"
        if row(self._connection, standing, (VANISHED, name)) is None:
            self._connection.execute(
                "INSERT INTO alarm(kind, host, message, raised) VALUES (?, ?, ?, ?)", (VANISHED, name, message, at)
            )
        self._remarks.append(Remark("warning", VANISHED, message, name))

    def _name(self, host: int) -> str:
        return self._hosts.by_id(host).name if host > 0 else ""

    def _keep(self) -> None:
        now = self._now
        kept = {"run": now.run, "doubts": now.doubts, "believed": now.believed, "marking": now.marking}
        self._connection.execute("INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)", (NAME, json.dumps(kept)))


def record_back(connection: apsw.Connection, record: str, run: int, at: float) -> None:
    """A record is there again: its absence has an end."""
    connection.execute(BACK.format(of="record_id"), (record, run, at))
