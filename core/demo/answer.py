"""The whole answer to one request: page, validators, compression and faults put together. Pure."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.demo.change import not_modified, validators
from core.demo.faults import delay_of, fault_of
from core.demo.page import HTML, Page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.demo.options import SiteOptions
    from core.demo.pages import Pages

WHOLE, RESET, TRUNCATE, DRIP, HANG = "whole", "reset", "truncate", "drip", "hang"


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes out, after `delay` seconds. `manner`: whole, reset, truncate (half the body), drip, hang (nothing)."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    delay: float = 0.0
    manner: str = WHOLE


def answer(pages: Pages, host: int, target: str, nth: int, headers: Mapping[str, str]) -> Answer:
    """The answer to the n-th request (from 0) of a target; `headers` are the request's, names in lower case."""
    options = pages.options
    delay = delay_of(options, host, target)
    fault = fault_of(options, host, target, nth)
    if fault in {"500", "503", "429"}:
        return _refusal(options, int(fault), delay)
    page = pages.page(host, target, headers.get("cookie", ""))
    if target.startswith("/fault/"):
        page = Page(b"<!DOCTYPE html>\n<title>Recovered</title><h1>All is well again</h1>\n" * 8)
    whole = _whole(options, page, headers, delay)
    if fault is None:
        return whole
    return Answer(whole.status, whole.headers, whole.body, delay, fault)


def _refusal(options: SiteOptions, status: int, delay: float) -> Answer:
    wait = (("Retry-After", str(options.retry_after)),) if options.retry_after and status != 500 else ()
    body = f"<!DOCTYPE html>\n<title>Error {status}</title><h1>Something went wrong</h1>\n".encode()
    return Answer(status, (("Content-Type", HTML), *wait), body, delay)


def _whole(options: SiteOptions, page: Page, headers: Mapping[str, str], delay: float) -> Answer:
    own = (("Content-Type", page.content_type), *page.headers)
    if page.status != 200:
        return Answer(page.status, own, page.body, delay)
    sent = validators(options, page)
    if not_modified(dict(sent), headers):
        return Answer(304, (*sent, *page.headers), b"", delay)
    if options.gzip and "gzip" in headers.get("accept-encoding", ""):
        packer = zlib.compressobj(1, wbits=31)
        body = packer.compress(page.body) + packer.flush()
        packed = (("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding"))
        return Answer(200, (*own, *sent, *packed), body, delay)
    return Answer(200, (*own, *sent), page.body, delay)
