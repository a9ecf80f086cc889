"""How many known URLs would count as the same as another under other settings, counted before anything is changed."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from core.store.crawl_file import connect
from core.store.faults import translated
from core.store.query import rows
from core.urls import Rejected, Rules, key_form, parse, url_key

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.settings import CrawlSettings

PIECE = 2000
MOST_URLS = 1_000_000  # looked at: so many keys have room in memory

KNOWN = """
SELECT url.id, base || path FROM url JOIN origin ON origin.id = origin_id JOIN host ON host.id = url.host_id
WHERE url.id > ? AND tenant = ? ORDER BY url.id LIMIT ?"""


def count_merges(
    path: Path, settings: CrawlSettings, wanted: Callable[[], bool] = lambda: True, most: int = MOST_URLS
) -> tuple[int, int]:
    """How many URLs would be the same as another, and of how many: the first `most` that are known."""
    rules = Rules.of(settings.normalise)
    keys: set[tuple[str, int]] = set()
    looked, after = 0, 0
    with closing(connect(path)) as database, translated(path):
        connection = database.connection()
        while looked < most and wanted():
            found = rows(connection, KNOWN, (after, settings.tenant, min(PIECE, most - looked)))
            if not found:
                break
            for _, text in found:
                url = parse(text)
                if not isinstance(url, Rejected):
                    key = key_form(url, rules)
                    keys.add((key.host, url_key(key)))
            looked, after = looked + len(found), found[-1][0]
    return looked - len(keys), looked
