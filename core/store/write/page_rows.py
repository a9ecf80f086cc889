"""The rows of a page's answers: the latest one, all of them, and what the page was before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.policy.due import looks_in_a_row, next_due, next_interval
from core.store.query import row
from core.store.results import Parsed

if TYPE_CHECKING:
    import apsw

    from core.settings import Recrawl
    from core.store.results import PageResult
    from core.store.write.copies import Copies

NOTHING_READ = Parsed()
GONE = (404, 410)  # what stays gone is like what stays unchanged

OLD = """
SELECT url.depth, page.run, content_hash, title, last_changed, interval, unchanged_times, alias_of, page.canonical,
    useful OR duplicate_of IS NOT NULL OR alias_of IS NOT NULL
FROM url LEFT JOIN page ON page.url_id = url.id WHERE url.id = ?"""
UPSERT = """
INSERT INTO page(url_id, run, status, outcome, content_type, encoding, bytes, body_bytes, seconds, title, canonical,
    alias_of, redirect_to, content_hash, duplicate_of, simhash, soft_block, needs_javascript, useful, robots, etag,
    last_modified, last_fetched, last_changed, interval, unchanged_times, misses, response, error)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
ON CONFLICT(url_id) DO UPDATE SET run = excluded.run, status = excluded.status, outcome = excluded.outcome,
    content_type = excluded.content_type, encoding = excluded.encoding, bytes = excluded.bytes,
    body_bytes = excluded.body_bytes, seconds = excluded.seconds, title = excluded.title,
    canonical = excluded.canonical, alias_of = excluded.alias_of, redirect_to = excluded.redirect_to,
    content_hash = coalesce(excluded.content_hash, content_hash),
    simhash = CASE WHEN excluded.content_hash IS NULL THEN simhash ELSE excluded.simhash END,
    duplicate_of = excluded.duplicate_of, soft_block = excluded.soft_block,
    needs_javascript = excluded.needs_javascript, useful = excluded.useful, robots = excluded.robots,
    etag = excluded.etag, last_modified = excluded.last_modified, last_fetched = excluded.last_fetched,
    last_changed = excluded.last_changed, interval = excluded.interval, unchanged_times = excluded.unchanged_times,
    response = excluded.response, error = excluded.error"""
CAPTURE = """
INSERT INTO capture(url_id, run, at, status, outcome, bytes, seconds, links, known_links, new_urls, useful, body_hash,
    etag)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


@dataclass(frozen=True, slots=True)
class Before:
    """What the file knew of a page before this answer. `content_hash` is of the last body that was read.

    `is_page`: the answer before was a page that counts, copies and aliases included.
    """

    run: int
    content_hash: bytes | None
    title: str | None
    last_changed: float | None
    interval: float | None
    unchanged_times: int
    alias_of: int | None
    canonical: str | None
    is_page: int

    @property
    def was_there(self) -> bool:
        return self.last_changed is not None


@dataclass(slots=True)
class Brought:
    """What a page's links brought."""

    links: int = 0
    known: int = 0
    new: int = 0


class PageRows:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, copies: Copies) -> None:
        self._connection = connection
        self._copies = copies
        self._recrawl: Recrawl

    def use(self, recrawl: Recrawl) -> None:
        """These intervals count from now on."""
        self._recrawl = recrawl

    def before(self, number: int) -> tuple[int, Before | None]:
        """The URL's depth, and what is known of its page."""
        depth, *known = row(self._connection, OLD, (number,))
        return depth, Before(*known) if known[0] is not None else None

    def write(
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
        in_a_row, interval = self._next(before, False if answer.status in GONE and before else changed)
        last_changed = answer.at if changed else before.last_changed if before else None
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
                    read.simhash,
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
                *(last_changed, interval, in_a_row, result.response.hash if result.response else None),
                answer.error or read.detail or None,
            ),
        )

    def keep(self, result: PageResult, before: Before | None, run: int) -> None:
        """304: everything known stays; only the look itself is noted."""
        answer = result.answer
        in_a_row, interval = self._next(before, False)
        self._connection.execute(
            "UPDATE page SET run = ?, status = 304, outcome = 'not_modified', seconds = ?, bytes = ?, "
            "last_fetched = ?, interval = ?, unchanged_times = ?, error = NULL, "
            "etag = coalesce(?, etag), last_modified = coalesce(?, last_modified) WHERE url_id = ?",
            (
                *(run, answer.seconds, answer.wire_bytes, answer.at, interval, in_a_row),
                *(answer.etag, answer.last_modified, result.work.id),
            ),
        )

    def _next(self, before: Before | None, changed: bool | None) -> tuple[int, float]:
        """How many looks in a row were like this one, and the interval until the next."""
        if before is None:
            return 0, next_interval(None, changed, self._recrawl)
        in_a_row = looks_in_a_row(before.unchanged_times, changed)
        return in_a_row, next_interval(before.interval, changed, self._recrawl, in_a_row)

    def due(self, number: int) -> float | None:
        """The next look: a source may have dated the last change after this one."""
        sql = "SELECT last_fetched, interval, lastmod FROM page JOIN url ON url.id = url_id WHERE url_id = ?"
        fetched, interval, lastmod = row(self._connection, sql, (number,))
        return None if interval is None else next_due(fetched, interval, lastmod)

    def add_capture(self, result: PageResult, brought: Brought, useful: bool, run: int) -> int:
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

    def _write_version(self, number: int, before: Before, at: float) -> None:
        self._connection.execute(
            "INSERT INTO page_version(url_id, version, content_hash, title, valid_from, valid_to) "
            "SELECT ?1, coalesce(max(version), 0) + 1, ?2, ?3, ?4, ?5 FROM page_version WHERE url_id = ?1",
            (number, before.content_hash, before.title, before.last_changed, at),
        )
