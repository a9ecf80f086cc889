"""The head of a request, made afresh for every origin, so that a credential never leaves the origin it was given for.

What the settings say about an origin is worked out once and kept as bytes; a request adds its own few lines.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.fetch.cookies import cookie_header
from core.fetch.decoding import ADVERTISED
from core.fetch.fault import Fault
from core.fetch.secrets import is_reference, is_secret_header
from core.urls.parser import parse
from core.urls.url import Url

if TYPE_CHECKING:
    from core.fetch.cookies import Cookies
    from core.fetch.request import FetchRequest
    from core.fetch.secrets import Secrets
    from core.settings import Fetch, Header

_LONGEST_REFERER = 2048
_SHORTEST_SECRET = 4  # shorter values would be found everywhere by chance
OURS = frozenset({"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "te", "upgrade"})
"""Headers that say how the message is framed: the settings cannot set them."""


@dataclass(frozen=True, slots=True)
class OriginHead:
    """What every request to one origin says. `lines` end in CRLF; `secrets` are values to be redacted in answers."""

    lines: bytes
    cookies: Cookies = ()
    secrets: tuple[bytes, ...] = ()
    names: frozenset[bytes] = frozenset()


def has_credentials(fetch: Fetch, origin: str) -> bool:
    """Whether the settings give this origin headers, a password or cookies."""
    owners = [*(each.origin for each in fetch.headers), *(each.origin for each in fetch.auth)]
    owners += [each.origin for each in fetch.cookies]
    return any(same_origin(owner, origin) for owner in owners)


def origin_head(fetch: Fetch, origin: str, host: str, secrets: Secrets) -> OriginHead:
    """The standing part for an origin; `host` is the Host header's value. Raises SecretMissing."""
    headers = {"Host": host, "User-Agent": fetch.user_agent, "Accept-Encoding": ADVERTISED}
    hidden: list[str] = []
    for auth in fetch.auth:
        if same_origin(auth.origin, origin):
            password = secrets.resolve(auth.password)
            basic = b64encode(f"{secrets.resolve(auth.user)}:{password}".encode()).decode()
            headers["Authorization"] = f"Basic {basic}"
            hidden += [basic, password]
    for header in fetch.headers:
        if same_origin(header.origin, origin) and header.name.lower() not in OURS:
            value = secrets.resolve(header.value)
            _put(headers, header.name, value)
            hidden += [value] if _is_secret(header) else []
    own = [cookie for cookie in fetch.cookies if same_origin(cookie.origin, origin)]
    hidden += [secrets.resolve(cookie.value) for cookie in own if is_reference(cookie.value)]
    return OriginHead(
        lines=b"".join(line(name, value) for name, value in headers.items()),
        cookies=tuple((cookie.name, secrets.resolve(cookie.value)) for cookie in own),
        secrets=tuple(value.encode() for value in hidden if len(value) >= _SHORTEST_SECRET),
        names=frozenset(header.name.lower().encode() for header in fetch.headers if _is_secret(header)),
    )


def request_bytes(
    request: FetchRequest, head: OriginHead, cookies: Cookies, target: str, proxy_line: bytes = b""
) -> bytes:
    """The whole request: `target` stands on the request line as it is, `cookies` are added to the origin's own.

    Raises Fault (`url`) for a target that could end the line.
    """
    if " " in target or not target.isprintable() or not target.isascii():
        raise Fault("url", "The URL cannot stand on a request line.")
    method = b"GET " if request.post is None else b"POST "
    parts = [method, target.encode("ascii"), b" HTTP/1.1\r\n", head.lines, proxy_line]
    if b"\r\nAccept: " not in head.lines:
        parts.append(accept_line(request.accept))
    if request.etag:
        parts.append(line("If-None-Match", request.etag))
    if request.last_modified:
        parts.append(line("If-Modified-Since", request.last_modified))
    if request.referer:
        parts.append(line("Referer", referer_for(request.referer, request.url)))
    if head.cookies or cookies or request.cookies:
        sent = {**dict(head.cookies), **dict(cookies), **dict(request.cookies)}
        parts.append(line("Cookie", cookie_header(tuple(sent.items()))))
    parts += [line(name, value) for name, value in request.extra]
    if request.post is not None:
        parts += [line("Content-Type", "application/json"), line("Content-Length", str(len(request.post)))]
    parts += [b"\r\n", request.post or b""]
    return b"".join(parts)


def accept_line(accept: tuple[str, ...]) -> bytes:
    """The Accept header: the wanted types, and anything else as a last resort, so that errors stay readable."""
    return line("Accept", ", ".join((*accept, "*/*;q=0.1")) if accept else "*/*")


def referer_for(page: str, url: Url) -> str:
    """What a request may say about where its link stood.

    The whole page within one origin, the origin alone across origins, nothing from https down to http (Referrer Policy,
    strict-origin-when-cross-origin).
    """
    found = parse(page)
    if not isinstance(found, Url) or (found.scheme == "https" and url.scheme == "http"):
        return ""
    if found.origin == url.origin and len(found.text) <= _LONGEST_REFERER:
        return found.text
    return found.origin + "/"


def line(name: str, value: str) -> bytes:
    """One header line; empty where the value is empty or could end the line and begin another."""
    if not value or not value.isprintable():
        return b""
    return f"{name}: {value}\r\n".encode()


def same_origin(written: str, origin: str) -> bool:
    """Whether an origin as the analyst wrote it is exactly this one: scheme, host and port."""
    found = parse(written)
    return isinstance(found, Url) and found.origin == origin


def _is_secret(header: Header) -> bool:
    return is_reference(header.value) or is_secret_header(header.name)


def _put(headers: dict[str, str], name: str, value: str) -> None:
    """Set a header, in place of one of the same name in another spelling."""
    for known in [known for known in headers if known.lower() == name.lower()]:
        del headers[known]
    headers[name] = value
