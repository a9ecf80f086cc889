"""What the stored answers say of spellings: a sample for advice on normalisation, read only, in short pieces.

Memory is bounded: where the answers are too many, pages are left out whole, with all their spellings, so that what
stays can still be compared. Which pages stay hangs on a hash of their address, not on the order of the rows.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing
from typing import TYPE_CHECKING

from core.policy.advice import Answer
from core.store.crawl_file import connect
from core.store.faults import translated
from core.store.query import rows
from core.store.write.limits import signed_hash
from core.urls import Rules, Url, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

PIECE = 2000  # rows a read
MOST_ANSWERS = 50_000
MOST_OF_A_PAGE = 200

SAID = """
SELECT url_id, base || path, status, content_hash, coalesce(redirect_to, '') FROM page
JOIN url ON url.id = url_id JOIN origin ON origin.id = origin_id JOIN host ON host.id = url.host_id
WHERE url_id > ? AND tenant = (SELECT value FROM meta WHERE name = 'tenant') AND soft_block = 0 AND (
    (outcome IN ('ok', 'not_modified') AND content_hash IS NOT NULL AND (status BETWEEN 200 AND 299 OR status = 304))
    OR (outcome = 'redirect' AND redirect_to IS NOT NULL) OR (outcome = 'ok' AND status IN (404, 410)))
ORDER BY url_id LIMIT ?"""

WIDEST = Rules(
    session_ids=True, trailing_slash=True, ignore_www=True, index_pages=True, lower_path=True, ignore_scheme=True
)


def read_evidence(
    path: Path, wanted: Callable[[], bool] = lambda: True, most: int = MOST_ANSWERS
) -> tuple[Answer, ...]:
    """The answers that can be compared; what there is so far as soon as `wanted` says no."""
    sample = Sample(most)
    after: int | None = 0
    with closing(connect(path)) as database, translated(path):
        connection = database.connection()
        while after is not None and wanted():
            found = rows(connection, SAID, (after, PIECE))
            for _, *said in found:
                sample.add(*said)
            after = found[-1][0] if len(found) == PIECE else None
    return sample.answers()


class Sample:
    """The answers of some pages: of all of them while there is room, of every second, fourth … page beyond it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pages: defaultdict[int, list[Answer]] = defaultdict(list)
        self._count = 0
        self._every = 1

    def add(self, text: str, status: int | None, content: bytes | None, leads_to: str) -> None:
        """One answer; it is left out where its page is not in the sample."""
        url = parse(text)
        if not isinstance(url, Url):
            return
        page = signed_hash(key_form(url, WIDEST).text.partition("?")[0])
        if page % self._every or len(self._pages[page]) == MOST_OF_A_PAGE:
            return
        self._pages[page].append(_answer(url, status, content, leads_to))
        self._count += 1
        while self._count > self._most:
            self._thin_out()

    def answers(self) -> tuple[Answer, ...]:
        """Pages with one spelling say nothing of spellings."""
        return tuple(answer for spellings in self._pages.values() if len(spellings) > 1 for answer in spellings)

    def _thin_out(self) -> None:
        self._every *= 2
        for page in [page for page in self._pages if page % self._every]:
            self._count -= len(self._pages.pop(page))


def _answer(url: Url, status: int | None, content: Any, leads_to: str) -> Answer:
    if leads_to:
        return Answer(url, leads_to=leads_to)
    missing = status in {404, 410}
    return Answer(url, None if missing else bytes(content), missing=missing)
