"""A page's result, as one transaction writes it: page row, capture, records, links and the URLs they revealed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.store.names import UrlState
from core.store.write.adoptions import adopted
from core.store.write.alias_words import PLAIN
from core.store.write.copies import Copies
from core.store.write.frontier import Context
from core.store.write.outcomes import is_good, outcome_of, with_fault
from core.store.write.page_rows import Brought, PageRows
from core.store.write.records import Sighting
from core.store.write.redirects import Redirects

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.results import FoundLink, FoundRecord, PageResult, Parsed
    from core.store.write.absences import Absences
    from core.store.write.alias_words import Word
    from core.store.write.aliases import Aliases
    from core.store.write.frontier import Frontier
    from core.store.write.page_rows import Before
    from core.store.write.queue import Queue
    from core.store.write.records import Records
    from core.store.write.tally import Tally

LINK = "INSERT OR REPLACE INTO link(source, target, text, rel, kind) VALUES (?, ?, ?, ?, ?)"


class Pages:
    """Used by the writer's thread inside its transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        frontier: Frontier,
        queue: Queue,
        records: Records,
        aliases: Aliases,
        absences: Absences,
        tally: Tally,
    ) -> None:
        self._connection = connection
        self._frontier = frontier
        self._queue = queue
        self._records = records
        self._aliases = aliases
        self._absences = absences
        self._tally = tally
        self._copies = Copies(connection, records.tenant)
        self._rows = PageRows(connection, self._copies)
        self._redirects = Redirects(connection, frontier)
        self._settings: CrawlSettings

    def use(self, settings: CrawlSettings) -> None:
        self._settings = settings
        self._rows.use(settings.recrawl)
        self._aliases.use(settings)

    def store(self, result: PageResult, run: int) -> None:
        """Write the end of a page's lease. The caller has taken the lease away."""
        work = result.work
        if result.retry_at is not None:
            self._store_retry(result, result.retry_at)
            return
        if result.spelling is not None:
            self._frontier.respell(work.id, result.spelling)
        depth, before = self._rows.before(work.id)
        if depth != work.depth:  # a shorter way was found while it was fetched
            result = replace(result, work=replace(work, depth=depth))
        self._store_final(result, before, run)

    def _store_retry(self, result: PageResult, at: float) -> None:
        """Not again if a pattern, or a narrower scope, takes it out meanwhile."""
        work, answer = result.work, result.answer
        self._connection.execute("UPDATE url SET tries = tries + ? WHERE id = ?", (result.counts, work.id))
        excluded = self._frontier.excluded(work.id, work.origin, work.url.target)
        if excluded:
            self._queue.move(work.id, work.host, UrlState.LEASED, UrlState.EXCLUDED, excluded)
            return
        reason = f"error: {answer.outcome}" if answer.status is None else f"status: {answer.status}"
        self._queue.move(work.id, work.host, UrlState.LEASED, UrlState.WAITING, reason, at)

    def _store_final(self, result: PageResult, before: Before | None, run: int) -> None:
        work = result.work
        if result.answer.outcome == "not_modified":
            self._frontier.answered_without_body(work.id)
        elif before is not None:
            self._frontier.forget_counts(work.id)
        target, fault = self._redirects.follow(result, run)
        if result.answer.outcome == "not_modified" and (before is None or not result.work.conditional):
            fault = "304 to a request without a condition"
        if fault:
            result = replace(result, answer=with_fault(result.answer, fault))
        answer = result.answer
        state, reason = outcome_of(answer, result.accepted, result.parsed, before is not None and before.was_there)
        if before is not None:
            state, reason = self._absences.answered(work, state, reason, answer.at)
        led = self._aliases.led(result, before)
        word = self._word(result, before, run)
        duplicate = self._copies.first(work.id, result.parsed)
        useful = is_good(result) and duplicate is None and word.target is None
        if answer.outcome == "not_modified":
            self._rows.keep(result, before, run)
            brought = Brought()
        else:
            is_read = result.parsed is not None and not result.parsed.soft_block
            read_anew = before is not None and (is_read or state is not UrlState.FAILED)
            brought = self._bring_links(result, duplicate, forget=read_anew)
            brought.new += word.new
            self._rows.write(result, before, (word.target, duplicate), useful, run)
        capture = self._rows.add_capture(result, brought, useful, run)
        self._bring_records(result, word, run, capture)
        if target:
            self._connection.execute(LINK, (work.id, target, "", "", "redirect"))
        due = None if state is UrlState.BLOCKED else self._rows.due(work.id)
        self._queue.move(work.id, work.host, UrlState.LEASED, state, reason, due)
        self._aliases.answered(result, before, led, word, run)
        self._count(result, before, run, brought, duplicate, useful)

    def _word(self, result: PageResult, before: Before | None, run: int) -> Word:
        """What the page says of its canonical now; what it said before counts no more."""
        if not is_good(result):
            return PLAIN
        if before is not None and before.alias_of is not None:
            self._connection.execute("UPDATE page SET alias_of = NULL WHERE url_id = ?", (result.work.id,))
        word = self._aliases.word(result)
        if before is not None:
            self._aliases.moved(result, before, word, run)
        return word

    # -- what it brought --------------------------------------------------------------------------------------------

    def _bring_links(self, result: PageResult, duplicate: int | None, *, forget: bool) -> Brought:
        """`forget` what it linked to before; a page that fails has the links that it showed last."""
        brought = Brought()
        parsed, work = result.parsed, result.work
        keeps_links = self._settings.pages.link_graph
        if forget:
            self._connection.execute("DELETE FROM link WHERE source = ?", (work.id,))
        if parsed is None or not self._follows(work.id, parsed, duplicate):
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
        for target, skipped in self._frontier.skip(parsed.skipped, context):
            if target and keeps_links:
                graph.setdefault(target, (work.id, target, skipped.text, skipped.rel, skipped.kind))
        if graph:
            self._connection.executemany(LINK, graph.values())
        return brought

    def _follows(self, number: int, parsed: Parsed, duplicate: int | None) -> bool:
        """The links of an exact copy are followed by choice; until then it is remembered that it has some."""
        if duplicate is None or self._settings.pages.follow_duplicates:
            return True
        if parsed.links:
            self._frontier.leave_links(number)
        return False

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
        if parsed and not parsed.soft_block:
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
