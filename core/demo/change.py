"""When a page last changed, and the answer to a client that has it already (RFC 9110 section 13)."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from typing import TYPE_CHECKING

from core.demo.chance import unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.demo.options import SiteOptions
    from core.demo.page import Page

OPENED = datetime(2026, 1, 5, 8, tzinfo=UTC)  # the day the shop opened: round 0


def version_of(options: SiteOptions, host: int, path: str) -> int:
    """The last round, up to the present one, in which this page changed."""
    if not options.change_rate:
        return 0
    for turn in range(options.round, 0, -1):
        if unit(options.seed, "change", host, path, turn) < options.change_rate:
            return turn
    return 0


def changed_at(version: int) -> datetime:
    """A round is a day of the site's own time."""
    return OPENED + timedelta(days=version)


def validators(options: SiteOptions, page: Page) -> tuple[tuple[str, str], ...]:
    """ETag (of the very bytes) and Last-Modified, as far as the site sends them."""
    found = []
    if options.validators in {"both", "etag"}:
        found.append(("ETag", f'"{zlib.crc32(page.body):08x}-{len(page.body):x}"'))
    if options.validators in {"both", "date"}:
        found.append(("Last-Modified", format_datetime(changed_at(page.version), usegmt=True)))
    return tuple(found)


def not_modified(sent: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    """Whether a 304 is right. `sent` are our validators, `wanted` the request's headers in lower case.

    If-None-Match goes before If-Modified-Since (RFC 9110 13.2.2); an unreadable date counts for nothing.
    """
    tags = wanted.get("if-none-match")
    if tags is not None:
        mine = sent.get("ETag", "")
        return bool(mine) and any(tag.strip().removeprefix("W/") in {mine, "*"} for tag in tags.split(","))
    since = _date(wanted.get("if-modified-since", ""))
    last = _date(sent.get("Last-Modified", ""))
    return since is not None and last is not None and last <= since


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
