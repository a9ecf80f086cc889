"""A page's result, as one transaction writes it: page row, capture, records, links and the URLs they revealed.

What the answer means for the URL's state is decided by `outcome_of`, a pure function.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.policy.due import next_interval
from core.store.names import UrlState
from core.store.query import row, value
from core.store.results import Parsed
from core.store.write.adoptions import adopted
from core.store.write.aliases import PLAIN
from core.store.write.copies import Copies
from core.store.write.frontier import Context
from core.store.write.records import Sighting
from core.store.write.redirects import Redirects
from core.urls import Rules, key_form

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.results import Answer, FoundLink, FoundRecord, PageResult
    from core.store.write.aliases import Aliases, Word
    from core.store.write.frontier import Frontier
    from core.store.write.queue import Queue
    from core.store.write.records import Records
    from core.store.write.tally import Tally

NOTHING_READ = Parsed()

OLD = """
SELECT url.depth, page.run, content_hash, title, last_changed, interval, unchanged_times, alias_of
FROM url LEFT JOIN page ON page.url_id = url.id WHERE url.id = ?"""
UPSERT = """
INSERT INTO page(url_id, run, status, outcome, content_type, encoding, bytes, body_bytes, seconds, title, canonical,
    alias_of, redirect_to, content_hash, duplicate_of, simhash, soft_block, needs_javascript, useful, robots, etag,
    last_modified, last_fetched, last_changed, interval, unchanged_times, misses, response, error)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
ON CONFLICT(url_id) DO UPDATE SET run = excluded.run, status = excluded.status, outcome = excluded.outcome,
    content_type = excluded.content_type, encoding = excluded.encoding, bytes = excluded.bytes,
    body_bytes = excluded.body_bytes, seconds = excluded.seconds, title = excluded.title,
    canonical = excluded.canonical, alias_of = excluded.alias_of, redirect_to = excluded.redirect_to,
    content_hash = coalesce(excluded.content_hash, content_hash),
    duplicate_of = excluded.duplicate_of, soft_block = excluded.soft_block,
    needs_javascript = excluded.needs_javascript, useful = excluded.useful, robots = excluded.robots,
    etag = excluded.etag, last_modified = excluded.last_modified, last_fetched = excluded.last_fetched,
    last_changed = excluded.last_changed, interval = excluded.interval, unchanged_times = excluded.unchanged_times,
    misses = 0, response = excluded.response, error = excluded.error"""
CAPTURE = """
INSERT INTO capture(url_id, run, at, status, outcome, bytes, seconds, links, known_links, new_urls, useful, body_hash,
    etag)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
LINK = "INSERT OR REPLACE INTO link(source, target, text, rel, kind) VALUES (?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Before:
    """What the file knew of a page before this answer. `content_hash` is of the last body that was read."""

    run: int
    content_hash: bytes | None
    title: str | None
    last_changed: float | None
    interval: float | None
    unchanged_times: int
    alias_of: int | None

    @property
    def was_there(self) -> bool:
        return self.last_changed is not None


@dataclass(slots=True)
class Brought:
    """What a page's links brought."""

    links: int = 0
    known: int = 0
    new: int = 0


class Pages:
    """Used by the writer's thread inside its transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        frontier: Frontier,
        queue: Queue,
        records: Records,
        aliases: Aliases,
        tally: Tally,
    ) -> None:
        self._connection = connection
        self._frontier = frontier
        self._queue = queue
        self._records = records
        self._aliases = aliases
        self._tally = tally
        self._copies = Copies(connection)
        self._redirects = Redirects(connection, frontier)
        self._settings: CrawlSettings

    def use(self, settings: CrawlSettings) -> None:
        self._settings = settings
        self._aliases.use(settings)

    def store(self, result: PageResult, run: int) -> None:
        """Write the end of a page's lease. The caller has taken the lease away."""
        work = result.work
        if result.retry_at is not None:
            self._store_retry(result, result.retry_at)
            return
        if result.spelling is not None:
            self._frontier.respell(work.id, result.spelling)
        depth, *known = row(self._connection, OLD, (work.id,))
        before = Before(*known) if known[0] is not None else None
        if depth != work.depth:  # a shorter way was found while it was fetched
            result = replace(result, work=replace(work, depth=depth))
        self._store_final(result, before, run)

    def _store_retry(self, result: PageResult, at: float) -> None:
        """Not again if a pattern takes it out meanwhile."""
        work, answer = result.work, result.answer
        self._connection.execute("UPDATE url SET tries = tries + ? WHERE id = ?", (result.counts, work.id))
        excluded = self._frontier.policy.excluded(key_form(work.url, Rules.of(self._settings.normalise)))
        if excluded:
            self._queue.move(work.id, work.host, UrlState.LEASED, UrlState.EXCLUDED, excluded)
            return
        reason = f"error: {answer.outcome}" if answer.status is None else f"status: {answer.status}"
        self._queue.move(work.id, work.host, UrlState.LEASED, UrlState.WAITING, reason, at)

    def _store_final(self, result: PageResult, before: Before | None, run: int) -> None:
        work = result.work
        target, fault = self._redirects.follow(result, run)
        if result.answer.outcome == "not_modified" and (before is None or not result.work.conditional):
            fault = "304 to a request without a condition"
        if fault:
            result = replace(result, answer=_with_fault(result.answer, fault))
        answer = result.answer
        state, reason = outcome_of(answer, result.accepted, result.parsed, before is not None and before.was_there)
        word = self._word(result, before, run)
        duplicate = self._copies.first(work.id, result.parsed)
        useful = _is_good(result) and duplicate is None and word.target is None
        if answer.outcome == "not_modified":
            self._keep(result, before, run)
            brought = Brought()
        else:
            brought = self._bring_links(result, before, duplicate)
            brought.new += word.new
            self._write_page(result, before, (word.target, duplicate), useful, run)
        capture = self._capture(result, brought, useful, run)
        self._bring_records(result, word, run, capture)
        if target:
            self._connection.execute(LINK, (work.id, target, "", "", "redirect"))
            self._aliases.redirected(work.id, target, answer.at, run)
        due = None if state is UrlState.BLOCKED else self._due(work.id)
        self._queue.move(work.id, work.host, UrlState.LEASED, state, reason, due)
        self._count(result, before, run, brought, duplicate, useful)

    def _word(self, result: PageResult, before: Before | None, run: int) -> Word:
        """What the page says of its canonical now; what it said before counts no more."""
        if before is not None and before.alias_of is not None and result.answer.outcome != "not_modified":
            self._connection.execute("UPDATE page SET alias_of = NULL WHERE url_id = ?", (result.work.id,))
        return self._aliases.word(result, run) if _is_good(result) else PLAIN

    # -- the page's row ---------------------------------------------------------------------------------------------

    def _write_page(
        self, result: PageResult, before: Before | None, same_as: tuple[int | None, int | None], useful: bool, run: int
    ) -> None:
        """`same_as`: the page this one is an alias of, and the one it is a copy of."""
        alias_of, duplicate = same_as
        parsed, answer = result.parsed, result.answer
        content = parsed.content_hash if parsed else None
        changed = None if content is None else before is None or before.content_hash != content
        if changed and before is not None and before.was_there:
            self._write_version(result.work.id, before, answer.at)
            self._copies.left(result.work.id, before.content_hash)
        interval = next_interval(before.interval if before else None, changed, self._settings.recrawl)
        last_changed = answer.at if changed else before.last_changed if before else None
        unchanged = before.unchanged_times + 1 if before and changed is False else 0
        read = parsed or NOTHING_READ
        outcome = f"error:{parsed.error}" if parsed and parsed.error else answer.outcome
        self._connection.execute(
            UPSERT,
            (
                *(result.work.id, run, answer.status, outcome, answer.content_type, read.encoding, answer.wire_bytes),
                *(
                    answer.body_bytes,
                    answer.seconds,
                    read.title,
                    read.canonical,
                    alias_of,
                    result.redirect_text,
                    content,
                    duplicate,
                ),
                *(
                    int(read.soft_block),
                    int(read.needs_javascript),
                    int(useful),
                    read.robots,
                    answer.etag,
                    answer.last_modified,
                    answer.at,
                ),
                *(last_changed, interval, unchanged, result.response.hash if result.response else None),
                answer.error or read.detail or None,
            ),
        )

    def _write_version(self, number: int, before: Before, at: float) -> None:
        self._connection.execute(
            "INSERT INTO page_version(url_id, version, content_hash, title, valid_from, valid_to) "
            "SELECT ?1, coalesce(max(version), 0) + 1, ?2, ?3, ?4, ?5 FROM page_version WHERE url_id = ?1",
            (number, before.content_hash, before.title, before.last_changed, at),
        )

    def _keep(self, result: PageResult, before: Before | None, run: int) -> None:
        """304: everything known stays; only the look itself is noted."""
        answer = result.answer
        interval = next_interval(before.interval if before else None, False, self._settings.recrawl)
        self._connection.execute(
            "UPDATE page SET run = ?, status = 304, outcome = 'not_modified', seconds = ?, bytes = ?, "
            "last_fetched = ?, interval = ?, unchanged_times = unchanged_times + 1, misses = 0, error = NULL, "
            "etag = coalesce(?, etag), last_modified = coalesce(?, last_modified) WHERE url_id = ?",
            (
                *(run, answer.seconds, answer.wire_bytes, answer.at, interval),
                *(answer.etag, answer.last_modified, result.work.id),
            ),
        )

    def _due(self, number: int) -> float | None:
        due: float | None = value(
            self._connection, "SELECT last_fetched + interval FROM page WHERE url_id = ?", (number,)
        )
        return due

    def _capture(self, result: PageResult, brought: Brought, useful: bool, run: int) -> int:
        answer = result.answer
        content = result.parsed.content_hash if result.parsed else None
        self._connection.execute(
            CAPTURE,
            (
                *(result.work.id, run, answer.at, answer.status, answer.outcome, answer.wire_bytes, answer.seconds),
                *(brought.links, brought.known, brought.new, int(useful), content, answer.etag),
            ),
        )
        number: int = self._connection.last_insert_rowid()
        return number

    # -- what it brought --------------------------------------------------------------------------------------------

    def _bring_links(self, result: PageResult, before: Before | None, duplicate: int | None) -> Brought:
        brought = Brought()
        parsed, work = result.parsed, result.work
        keeps_links = self._settings.pages.link_graph
        if before is not None:
            self._connection.execute("DELETE FROM link WHERE source = ?", (work.id,))
        if parsed is None or (duplicate is not None and not self._settings.pages.follow_duplicates):
            return brought
        context = Context(work.depth + 1, result.answer.at, work.id)
        graph: dict[int, tuple[int, int, str, str, str]] = {}
        seen: set[str] = set()
        for link in parsed.links:
            text = link.key.text
            if text in seen:
                continue
            seen.add(text)
            target = self._bring(link, context, brought)
            if target and keeps_links and target not in graph:
                graph[target] = (work.id, target, link.text, link.rel, link.kind)
        if graph:
            self._connection.executemany(LINK, graph.values())
        return brought

    def _bring(self, link: FoundLink, context: Context, brought: Brought) -> int:
        admission = self._frontier.admit(link, context)
        brought.links += 1
        brought.known += admission.known
        brought.new += admission.new and admission.target > 0
        return admission.target

    def _bring_records(self, result: PageResult, word: Word, run: int, capture: int) -> None:
        work, answer, parsed = result.work, result.answer, result.parsed
        sighting = Sighting(
            *(work.id, run, answer.at, work.depth, work.url.text, answer.etag, capture),
            response=result.response.hash if result.response else None,
            canonical=word.rank,
        )
        if answer.outcome == "not_modified":
            self._records.unchanged_on(sighting)
        if parsed:
            self._records.bring(self._identified(parsed.records, word), sighting)

    def _identified(self, found: tuple[FoundRecord, ...], word: Word) -> tuple[FoundRecord, ...]:
        key = word.key
        return found if key is None else tuple(adopted(record, self._settings.tenant, key) for record in found)

    def _count(
        self,
        result: PageResult,
        before: Before | None,
        run: int,
        brought: Brought,
        duplicate: int | None,
        useful: bool,
    ) -> None:
        count = self._tally.count
        if before is None:
            count("pages")
        elif before.run != run:
            self._tally.count_in_run("pages")
        if result.answer.outcome == "not_modified":
            count("not_modified")
        if result.parsed and result.parsed.content_hash is not None:
            count("bodies")
            count("duplicate_bodies", int(duplicate is not None))
        count("useful", int(useful))
        count("links", brought.links)
        count("known_links", brought.known)
        count("new_urls", brought.new)


def outcome_of(answer: Answer, accepted: bool, parsed: Parsed | None, was_there: bool) -> tuple[UrlState, str | None]:
    """State and reason of a URL after its final answer (SETTINGS, stable outputs)."""
    if answer.outcome == "error:blocked":
        return UrlState.BLOCKED, "private"
    if answer.outcome in {"not_modified", "redirect"}:
        return UrlState.DONE, None
    if answer.outcome != "ok" or answer.status is None:
        return UrlState.FAILED, f"error: {answer.outcome.removeprefix('error:')}"
    if answer.status in {404, 410} and was_there:
        return UrlState.GONE, f"status: {answer.status}"
    if answer.status >= 400 or answer.status < 200 or 300 <= answer.status < 400:
        return UrlState.FAILED, f"status: {answer.status}"
    if not accepted:
        return UrlState.DONE, f"content-type: {answer.content_type}"[:200]
    if parsed and parsed.soft_block:
        return UrlState.FAILED, "soft-block"
    return UrlState.DONE, None


def _is_good(result: PageResult) -> bool:
    """2xx, an accepted type, checks passed: useful, unless it is a copy or an alias."""
    answer = result.answer
    good = answer.outcome == "ok" and answer.status is not None and 200 <= answer.status < 300 and result.accepted
    return good and not (result.parsed and result.parsed.soft_block)


def _with_fault(answer: Answer, fault: str) -> Answer:
    kind = "protocol" if answer.outcome == "not_modified" else "redirect"
    return replace(answer, outcome=f"error:{kind}", error=f"Not followed: {fault}.")
