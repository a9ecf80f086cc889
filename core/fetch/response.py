"""What came of one request: always a value, whatever the network did."""

from __future__ import annotations

from dataclasses import dataclass

SENTENCE_LENGTH = 300
UNREACHED = frozenset({"error:dns", "error:connect", "error:timeout"})
INTERRUPTED = UNREACHED | {"error:disconnect", "truncated"}


@dataclass(frozen=True, slots=True)
class Fetched:
    """One hop's answer.

    `outcome` is ok, not_modified, redirect, truncated, or error:KIND with KIND of timeout, connect, dns, disconnect,
    protocol, tls, redirect, decode, too_large, blocked, url. `status` is None where no head arrived. `headers` are as
    received, capped, with credentials redacted. `body` is free of its content encoding, and empty for redirects,
    refused types and errors; `accepted` says that the type was wanted and the body read. `wire_bytes` counts what
    arrived, head included. `location` is the raw header as text. `retry_after` is in seconds from now, not yet
    capped. `set_cookies` are for the rest of the chain and never stored. `reached` says that a connection stood:
    without it the fault may be our own network's. `again` says that the request was sent twice, because the server
    closed a kept connection under the first. `starved` says that our own system had no room for a connection, so that
    nothing was asked. `error` is a sentence. `at` is the wall time of the
    answer's end.
    """

    outcome: str
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    content_type: str = ""
    charset: str | None = None
    wire_bytes: int = 0
    seconds: float = 0.0
    location: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    retry_after: float | None = None
    error: str | None = None
    accepted: bool = False
    set_cookies: tuple[tuple[str, str], ...] = ()
    reached: bool = False
    again: bool = False
    starved: bool = False
    at: float = 0.0

    @property
    def unreached(self) -> bool:
        """Whether no connection stood: the fault of the origin as a whole, or of the network, but not of a page."""
        return self.outcome in UNREACHED and not self.reached and not self.starved

    @property
    def interrupted(self) -> bool:
        """Whether it ended as it would where the network, or this machine, fell asleep under it."""
        return self.outcome in INTERRUPTED


def refused(kind: str, sentence: str, seconds: float = 0.0) -> Fetched:
    """The answer for a request that no server answered; the sentence is clipped."""
    return Fetched(f"error:{kind}", error=sentence[:SENTENCE_LENGTH], seconds=seconds)
