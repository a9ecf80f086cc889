"""One request as the sample site reads it: GET and HEAD, in origin or absolute form (RFC 9112 section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

HEAD_LIMIT = 64 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """A request's line and headers. `host` is lower case, with the port if one was given; so are header names."""

    method: str
    host: str
    target: str
    headers: dict[str, str]
    keep_alive: bool


def read_request(head: bytes) -> Request | None:
    """Read a request without its final empty line; None if it is not HTTP/1."""
    line, *rest = head.decode("latin-1").split("\r\n")
    parts = line.split(" ")
    if len(parts) != 3 or not parts[2].startswith("HTTP/1."):
        return None
    method, target, version = parts
    headers = {}
    for row in rest:
        name, colon, value = row.partition(":")
        if not colon:
            return None
        headers[name.lower()] = value.strip()
    host = headers.get("host", "")
    if target[:7].lower() == "http://":  # as a proxy is asked
        host, slash, tail = target[7:].partition("/")
        target = slash + tail or "/"
    if not target.startswith("/"):
        return None
    wish = headers.get("connection", "").lower()
    keep_alive = "close" not in wish if version == "HTTP/1.1" else "keep-alive" in wish
    return Request(method, host.lower(), target, headers, keep_alive)
