"""A page read again from its kept response, without a request: the same links as when it came, by the rules of now."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from core.engine.reading import Body, read_body
from core.fetch.content_type import content_type
from core.store.results import PageReadAgain

if TYPE_CHECKING:
    from core.engine.rules import RulesInForce
    from core.store.results import Parsed, Response, StoredPage

LONGEST = 256 * 1024 * 1024  # bytes of a body: no page that was kept comes near it


async def read_again(rules: RulesInForce, page: StoredPage) -> PageReadAgain:
    """Parse it beside the loop. Where that fails, whatever the reason, the page is asked for, which records it."""
    try:
        return PageReadAgain(page, await asyncio.to_thread(_parsed, rules, page))
    except Exception:
        return PageReadAgain(page, None)


def _parsed(rules: RulesInForce, page: StoredPage) -> Parsed | None:
    headers, content = opened(page.response)
    if content is None:
        return None
    kind, charset = content_type([value.encode() for name, value in headers if name.lower() == "content-type"])
    return read_body(rules, Body(page.url, content, kind, charset, headers), records=False)


def opened(response: Response) -> tuple[tuple[tuple[str, str], ...], bytes | None]:
    """Headers and body, None where the stored bytes are not what was kept."""
    import zstandard  # only crawls that keep responses need it

    try:
        headers = tuple((str(name), str(value)) for name, value in json.loads(response.head)["headers"])
        if zstandard.frame_content_size(response.body) > LONGEST:
            return headers, None
        return headers, zstandard.decompress(response.body, LONGEST)
    except (zstandard.ZstdError, ValueError, KeyError, TypeError):
        return (), None
