"""From any text to a URL in safe form (RFC 3986 sections 5 and 6, WHATWG URL where browsers differ), or a rejection.

Common URLs go through one regular expression that proves there is nothing to change. Everything else is split by the
WHATWG rules for http and https and each part is made safe by itself. No input raises, and none takes more than linear
time: length is checked first, and the expressions cannot backtrack.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.urls.escapes import safe_path, safe_query, upper_escapes
from core.urls.hosts import LONGEST_NAME, PLAIN_HOST, ascii_host
from core.urls.url import PORTS, Rejected, Url

MAX_LENGTH = 65_536

# Escapes that are already as they should be: upper-case hex, not of an unreserved character.
_ESCAPE = "%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|[46]0|5[B-E]|7[B-DF])"
_SEGMENT = r"[A-Za-z0-9._~!$&'()*+,;=:@-]*+"
_PAIRS = r"[A-Za-z0-9._~!$&()*+,;=:@/?\[\]-]*+"
_PATH = rf"(?:/(?!\.){_SEGMENT}(?:{_ESCAPE}{_SEGMENT})*+)"
_QUERY = rf"(?:\?{_PAIRS}(?:{_ESCAPE}{_PAIRS})*+)?+"
_SAFE = re.compile(rf"(https?)://({PLAIN_HOST})(?::([0-9]{{1,5}}+))?+({_PATH}*+{_QUERY})(?:#|\Z)")
SAFE_TARGET = re.compile(rf"(?!//)({_PATH}++{_QUERY})(?:#|\Z)")

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:")
_AUTHORITY = re.compile(r"[^/\\?]*+")
_ENDS = "".join(map(chr, range(0x21)))
_REMOVED = dict.fromkeys(map(ord, "\t\n\r"))


def parse(
    text: str, base: Url | None = None, *, charset: str = "utf-8", max_length: int = MAX_LENGTH
) -> Url | Rejected:
    """The safe form of `text`, resolved against `base` where it is relative.

    `charset` is the page's and touches the query alone. `max_length` (characters) bounds what is read and what comes
    out.
    """
    match = _SAFE.match(text) if len(text) < max_length else None
    if match is None and "%" in text and len(text) < max_length:
        match = _SAFE.match(upper_escapes(text))  # no escape can stand in what matches as a host
    if match is None:
        return _parsed(text, base, charset, max_length)
    scheme, host, written, target = match.groups()
    port = PORTS[scheme] if written is None else int(written)
    if len(host) > LONGEST_NAME or not 0 < port < 65_536:
        return _parsed(text, base, charset, max_length)
    return Url(scheme, host, port, target if target[:1] == "/" else "/" + target)


@dataclass(frozen=True, slots=True)
class Parts:
    """A URL taken apart and joined with its base, each part still as it was written; `query` is None without `?`."""

    scheme: str
    host: str
    port: str
    path: str
    query: str | None

    @property
    def text(self) -> str:
        """The whole URL put together again."""
        port = f":{self.port}" if self.port else ""
        return f"{self.scheme}://{self.host}{port}{self.target}"

    @property
    def target(self) -> str:
        """Path and query put together."""
        return self.path if self.query is None else f"{self.path}?{self.query}"


def clean(text: str) -> str:
    """The text as a browser reads it: ends trimmed, tabs and line ends gone, lone surrogates replaced."""
    text = text.strip(_ENDS).translate(_REMOVED)
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def split(text: str, base: Url | None) -> Parts | Rejected:
    """The parts of a clean text without its fragment (WHATWG URL section 4.4 for special schemes)."""
    match = _SCHEME.match(text)
    scheme = text[: match.end() - 1].lower() if match else ""
    if (scheme and scheme not in PORTS) or (base is None and not scheme):
        return _no_scheme(scheme, text)
    rest = text[match.end() :] if match else text
    slashes = rest[:2].replace("\\", "/") == "//"
    if base is None or slashes or (scheme and scheme != base.scheme):
        return _absolute(scheme or (base.scheme if base else ""), rest)
    return _relative(rest, base)


def port_number(written: str, scheme: str) -> int | None:
    """The port, the scheme's own where none is written; None where it is no port that can be connected to."""
    if not written:
        return PORTS[scheme]
    digits = written.lstrip("0")
    if not (written.isascii() and written.isdigit()) or not 0 < len(digits) <= 5:
        return None
    return int(digits) if int(digits) < 65_536 else None


def without_dots(path: str) -> str:
    """The path without `.` and `..` segments (RFC 3986 section 5.2.4); above the root there is nothing."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path[1:].split("/")
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)


def quoted(text: str) -> str:
    """A piece of foreign text as it may stand in a message: short, and without characters that act."""
    shown = "".join([char if char.isprintable() else "\ufffd" for char in text[:60]])
    return f"“{shown}…”" if len(text) > 60 else f"“{shown}”"


def _parsed(text: str, base: Url | None, charset: str, max_length: int) -> Url | Rejected:
    if len(text) > max_length:
        return _too_long(max_length)
    parts = split(clean(text).partition("#")[0], base)
    if isinstance(parts, Rejected):
        return parts
    host = ascii_host(parts.host)
    if host is None:
        return _no_host(parts.host)
    port = port_number(parts.port, parts.scheme)
    if port is None:
        return Rejected("port", f"{quoted(parts.port)} is not a port; a port is a number from 1 to 65535.")
    target = without_dots(safe_path(parts.path))
    if parts.query is not None:
        target = f"{target}?{safe_query(parts.query, charset)}"
    url = Url(parts.scheme, host, port, target)
    return url if len(url.text) <= max_length else _too_long(max_length)


def _absolute(scheme: str, rest: str) -> Parts:
    rest = rest.lstrip("/\\")
    authority = _AUTHORITY.match(rest)
    end = authority.end() if authority else 0
    written = rest[:end].rpartition("@")[2]
    colon = written.find(":", written.find("]") + 1)
    if colon < 0 or (written.startswith("[") and "]" not in written):
        colon = len(written)
    path, mark, query = rest[end:].partition("?")
    path = path.replace("\\", "/") or "/"
    return Parts(scheme, written[:colon], written[colon + 1 :], path, query if mark else None)


def _relative(rest: str, base: Url) -> Parts:
    path, mark, query = rest.partition("?")
    path = path.replace("\\", "/")
    base_path, base_mark, base_query = base.target.partition("?")
    if not path:
        path = base_path
        mark, query = (mark, query) if mark else (base_mark, base_query)
    elif not path.startswith("/"):
        path = base_path[: base_path.rfind("/") + 1] + path
    port = "" if PORTS[base.scheme] == base.port else str(base.port)
    return Parts(base.scheme, base.host, port, path, query if mark else None)


def _no_scheme(scheme: str, text: str) -> Rejected:
    if scheme:
        return Rejected("scheme", f"Only http and https addresses can be crawled; this one is {quoted(scheme)}.")
    if not text:
        return Rejected("empty", "There is no address here.")
    return Rejected("scheme", "This is not a whole address: it does not begin with http:// or https://.")


def _no_host(host: str) -> Rejected:
    if not host:
        return Rejected("host", "This address names no host.")
    return Rejected("host", f"{quoted(host)} is not a valid host name or address.")


def _too_long(max_length: int) -> Rejected:
    return Rejected("length", f"This address is longer than {max_length} characters.")
