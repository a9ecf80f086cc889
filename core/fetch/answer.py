"""From a finished exchange to the recorded answer: the one place where an outcome gets its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.fetch.cookies import set_cookies
from core.fetch.head import (
    REDIRECTS,
    etag_of,
    last_modified_of,
    location_of,
    retry_after_seconds,
    stored_headers,
    text_of,
)
from core.fetch.response import SENTENCE_LENGTH, Fetched

if TYPE_CHECKING:
    from core.fetch.exchange import Exchange
    from core.fetch.fault import Fault
    from core.fetch.headers import OriginHead
    from core.fetch.request import FetchRequest


def answered(
    request: FetchRequest, exchange: Exchange, head: OriginHead, fault: Fault | None, *, seconds: float, now: float
) -> Fetched:
    """What the exchange amounts to. `fault` is what ended it from outside, if anything; `now` is Unix time."""
    location = location_of(exchange.header(b"location"))
    outcome, error = _outcome(request, exchange, fault or exchange.fault, location)
    retry_after = exchange.header(b"retry-after")
    lines = [text_of(value) for name, value in exchange.headers if name.lower() == b"set-cookie"]
    return Fetched(
        outcome=outcome,
        status=exchange.status,
        headers=stored_headers(exchange.headers, head.names, head.secrets) if exchange.status else (),
        body=exchange.body() if outcome in {"ok", "truncated"} else b"",
        content_type=exchange.content_type,
        charset=exchange.charset,
        wire_bytes=exchange.wire_bytes,
        seconds=seconds,
        location=location,
        etag=etag_of(exchange.header(b"etag")),
        last_modified=last_modified_of(exchange.header(b"last-modified"), exchange.header(b"date"), now),
        retry_after=retry_after_seconds(text_of(retry_after), now) if retry_after else None,
        error=error[:SENTENCE_LENGTH] if error else None,
        accepted=exchange.wanted and outcome in {"ok", "truncated"},
        set_cookies=set_cookies(lines, request.url.host) if lines else (),
        reached=exchange.sent or (fault is not None and fault.kind == "tls"),
        again=exchange.again,
        starved=fault is not None and fault.starved,
        at=now,
    )


def _outcome(
    request: FetchRequest, exchange: Exchange, fault: Fault | None, location: str | None
) -> tuple[str, str | None]:
    if fault is not None:
        return ("truncated" if fault.kind == "truncated" else f"error:{fault.kind}"), fault.sentence
    if exchange.status == 304:
        if request.conditional:
            return "not_modified", None
        return "error:protocol", "The server answered 304 (not modified) to a request that did not ask for it."
    if exchange.status in REDIRECTS:
        if location:
            return "redirect", None
        return "error:redirect", f"The redirect ({exchange.status}) names no target that can be read."
    return "ok", None
