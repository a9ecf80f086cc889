"""A page read again from its kept response, without a request: the same links as when it came, by the rules of now."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from core.engine.reading import Body, read_body
from core.fetch.content_type import content_type
from core.store.opened_response import opened
from core.store.results import PageReadAgain

if TYPE_CHECKING:
    from core.engine.rules import RulesInForce
    from core.store.results import Parsed, StoredPage


async def read_again(rules: RulesInForce, page: StoredPage) -> PageReadAgain:
    """Parse it beside the loop. Where that fails, whatever the reason, the page is asked for, which records it."""
    try:
        return PageReadAgain(page, await asyncio.to_thread(_parsed, rules, page))
    except Exception:
        return PageReadAgain(page, None)


def _parsed(rules: RulesInForce, page: StoredPage) -> Parsed | None:
    kept = opened(page.response.head, page.response.body)
    if kept is None:
        return None
    kind, charset = content_type(kept.header_lines("content-type"))
    return read_body(rules, Body(page.url, kept.body, kind, charset, kept.headers), records=False)
