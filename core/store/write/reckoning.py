"""What the end of a complete run says of what was not found in it: pages to which nothing leads, records not shown.

A run is complete when it finished, and every page was looked at since the last run that was: a run over what is due
alone says nothing of the others. Each page to which no seed, source or link leads any more counts a miss then, and is
gone with the `gone_after`th in a row (at once where that is 1); so is a record, for each finished run in which its page
answered and did not show it. What leads to a page again asks for it again. It goes in pieces of a few thousand rows;
where each stands is written with it, so that after a kill nothing counts twice. Without a link graph nothing is known
of who leads where, and no page is missed.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from core.store.named_pages import NamedPages
from core.store.names import RECKONING, UrlState
from core.store.query import row, rows, value
from core.store.write.absences import EVERY_HOST, NOT_FOUND, PIECE, RECORDS
from core.store.write.of_tenant import OF_TENANT
from core.store.write.reached import Reached
from core.urls import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw

    from core.settings import CrawlSettings
    from core.store.write.absences import Absences
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue

LOST = f"SELECT id, host_id FROM url WHERE state = 8 AND due IS NULL AND same_as IS NULL AND {OF_TENANT}"
NOT_LOOKED_AT = f"""
SELECT 1 FROM url JOIN page ON page.url_id = url.id
WHERE state IN (3, 4) AND same_as IS NULL AND page.run <= ? AND {OF_TENANT} LIMIT 1"""
PAGES = f"""
SELECT url.id, host_id, state, misses FROM url JOIN page ON page.url_id = url.id
WHERE url.id > ? AND state IN (3, 4) AND same_as IS NULL AND last_changed IS NOT NULL AND {OF_TENANT}
ORDER BY url.id LIMIT ?"""
UNSEEN = """
SELECT record.rowid, record.misses FROM record JOIN url ON url.id = record.url_id JOIN page ON page.url_id = url.id
WHERE record.rowid > ?1 AND gone IS NULL AND record.run <> ?2 AND tenant = ?3
AND type IN (SELECT value FROM json_each(?4))
AND (state = 8 OR (page.run = ?2 AND state = 3 AND outcome IN ('ok', 'not_modified', 'redirect')))
ORDER BY record.rowid LIMIT ?5"""


class Reckoning:
    """Used by the writer's thread, each step inside a transaction of its own, when a run has nothing more to do."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, queue: Queue, absences: Absences) -> None:
        self._connection = connection
        self._hosts = hosts
        self._queue = queue
        self._absences = absences
        self._reached: Reached | None = None
        self._settings: CrawlSettings
        self._run = self._complete = 0
        self._part, self._after = "back", 0
        self._missing: Counter[int] = Counter()  # by host: pages that would be gone
        self._there: Counter[int] = Counter()

    def use(self, settings: CrawlSettings) -> None:
        self._settings = settings
        self._absences.use(settings.recrawl.gone_after)

    def load(self, run: int) -> None:
        """What the file says of this run."""
        text = value(self._connection, "SELECT value FROM meta WHERE name = ?", (RECKONING,), "")
        kept = json.loads(text) if text else {}
        self._complete = kept.get("complete", 0)
        self._run, self._part, self._after = run, "back", 0
        if kept.get("run") == run:
            self._part, self._after = kept["part"], kept["after"]
        self._reached = None

    def prepare(self, stopping: Callable[[], bool]) -> bool:
        """Outside of a transaction, for it takes a while: what can be found, and what would be missed.

        False where it was given up, because the engine is to stop: the next session begins it anew.
        """
        if self._part == "back":
            self._reached = None  # rows have changed since the last time
        if self._reached is not None or not self._is_asked():
            return True
        named = NamedPages(self._connection, self._settings.tenant, Rules.of(self._settings.normalise))
        reached = Reached(self._connection, named, stopping)
        if reached.whole:
            self._reached = reached
            self._count()
        return reached.whole

    def step(self, at: float) -> tuple[bool, int]:
        """The next piece: whether there is more, and how many URLs are to be asked before the run is over."""
        if self._part == "back":
            asked = self._ask_again()
            if not asked:
                self._begin(at)
            return not asked, asked
        if self._part == "pages":
            self._pages(at)
        elif self._part == "records":
            self._records(at)
        return self._part != "over", 0

    def _is_asked(self) -> bool:
        """Whether it matters what can be found: for pages that may be missed, or found again."""
        if not self._settings.pages.link_graph or self._part not in {"back", "pages"}:
            return False
        if self._part == "pages" or self._is_whole():
            return True
        return row(self._connection, f"{LOST} LIMIT 1", (self._settings.tenant,)) is not None

    def _is_whole(self) -> bool:
        """Whether every page was looked at since the last run that was complete."""
        return row(self._connection, NOT_LOOKED_AT, (self._complete, self._settings.tenant)) is None

    # -- pages ------------------------------------------------------------------------------------------------------

    def _ask_again(self) -> int:
        """Pages that were gone because nothing led to them, and to which something leads again."""
        reached = self._reached
        if reached is None:
            return 0
        lost = rows(self._connection, LOST, (self._settings.tenant,))
        found = [(number, host) for number, host in lost if number in reached]
        for number, host in found:
            self._queue.move(number, host, UrlState.GONE, UrlState.PENDING, None)
        return len(found)

    def _begin(self, at: float) -> None:
        """How many would go is known before the first one does."""
        self._absences.judge_all(at)
        whole = self._is_whole()
        if whole and self._reached is not None:
            for host, count in [*self._missing.items(), (EVERY_HOST, self._missing.total())]:
                there = self._there.total() if host == EVERY_HOST else self._there[host]
                self._absences.judge(host, count, there, at)
            self._go_on("pages", 0)
        else:
            self._begin_records(at)
        if whole:
            self._complete = self._run
            self._keep()

    def _count(self) -> None:
        """The pages of each host, and those that would be gone."""
        if self._part != "back":
            return
        self._missing, self._there = Counter(), Counter()
        after: int | None = 0
        while after is not None and self._reached is not None:
            found = rows(self._connection, PAGES, (after, self._settings.tenant, PIECE))
            for number, host, _, misses in found:
                self._there[host] += 1
                self._missing[host] += number not in self._reached and self._is_over(misses + 1)
            after = found[-1][0] if len(found) == PIECE else None

    def _pages(self, at: float) -> None:
        found = rows(self._connection, PAGES, (self._after, self._settings.tenant, PIECE))
        for number, host, state, misses in found:
            if self._reached is None or number in self._reached:
                if misses:
                    self._connection.execute("UPDATE page SET misses = 0 WHERE url_id = ?", (number,))
                continue
            self._connection.execute("UPDATE page SET misses = misses + 1 WHERE url_id = ?", (number,))
            if self._is_over(misses + 1) and not self._absences.is_doubted(host) and self._hosts.by_id(host).ours:
                self._absences.page_goes(number, host, UrlState(state), NOT_FOUND, at)
        if len(found) == PIECE:
            self._go_on("pages", found[-1][0])
        else:
            self._begin_records(at)

    # -- records ----------------------------------------------------------------------------------------------------

    def _begin_records(self, at: float) -> None:
        unseen = sum(self._is_over(misses + 1) for _, misses in self._unseen(0, -1))
        sql = "SELECT count(*) FROM record WHERE gone IS NULL AND tenant = ?"
        there = value(self._connection, sql, (self._settings.tenant,), 0)
        self._absences.judge(RECORDS, unseen, there, at)
        self._go_on("records", 0)

    def _records(self, at: float) -> None:
        found = self._unseen(self._after, PIECE)
        for rowid, misses in found:
            self._connection.execute("UPDATE record SET misses = misses + 1 WHERE rowid = ?", (rowid,))
            if self._is_over(misses + 1) and not self._absences.is_doubted(RECORDS):
                self._absences.record_goes(rowid, at)
        if len(found) == PIECE:
            self._go_on("records", found[-1][0])
        else:
            self._absences.settle(at)
            self._go_on("over", 0)

    def _unseen(self, after: int, limit: int) -> list[tuple[int, int]]:
        """Records that this run has not seen though their page answered, with the absences they counted before."""
        kinds = json.dumps([kind.name for kind in self._settings.records])
        return rows(self._connection, UNSEEN, (after, self._run, self._settings.tenant, kinds, limit))

    # -- where it stands --------------------------------------------------------------------------------------------

    def _is_over(self, misses: int) -> bool:
        return 0 < self._settings.recrawl.gone_after <= misses

    def _go_on(self, part: str, after: int) -> None:
        self._part, self._after = part, after
        self._keep()

    def _keep(self) -> None:
        kept = {"run": self._run, "part": self._part, "after": self._after, "complete": self._complete}
        self._connection.execute(
            "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)", (RECKONING, json.dumps(kept))
        )
