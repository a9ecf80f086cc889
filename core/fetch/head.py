"""Reading a response's head: types, charset, times, redirects. Pure, bounded, and total on any bytes."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

REDIRECTS = frozenset({301, 302, 303, 307, 308})  # RFC 9110 section 15.4: these carry on by themselves
REDACTED = "[redacted]"

_CREDENTIALS = frozenset(
    b"set-cookie set-cookie2 cookie authorization proxy-authorization authentication-info proxy-authentication-info"
    b" x-api-key x-auth-token x-access-token x-csrf-token x-xsrf-token x-amz-security-token".split()
)
_MOST_HEADERS = 100
_LONGEST_VALUE = 4096
_LONGEST_TYPE = 256  # read before any parsing: 100 KB of `;` once froze a crawler for a minute
_LONGEST_VALIDATOR = 1024
_LONGEST_LOCATION = 16_384
_PARAMETER = re.compile(r';([^;="]*+)(?:=\s*+(?:"((?:[^"\\]|\\.)*+)"?+[^;]*+|([^;]*+)))?+')
_ESCAPED = re.compile(r"\\(.)")


def text_of(value: bytes) -> str:
    """A header's bytes as text: UTF-8 where they are, else latin-1, so nothing is lost (RFC 9110 section 5.5)."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def media_type(value: bytes) -> tuple[str, str | None]:
    """The media type in lower case and the label of its charset, from the first 256 characters of a Content-Type.

    Parameters as MIME Sniffing 4.4 reads them: a quoted value may hold a semicolon, an empty one is none, the first of
    a name counts. Single quotes are no quotes there; they are taken off all the same, for no label has any.
    """
    kind, mark, parameters = text_of(value[:_LONGEST_TYPE]).partition(";")
    return kind.strip().lower(), _charset(mark + parameters) if mark else None


def _charset(parameters: str) -> str | None:
    for name, quoted, plain in _PARAMETER.findall(parameters):
        if name.strip().lower() == "charset":
            label = (_ESCAPED.sub(r"\1", quoted) or plain).strip().strip("\"'").strip()
            if label:
                return label
    return None


def is_accepted(content_type: str, accept: tuple[str, ...]) -> bool:
    """Whether a media type is among the wanted ones; an answer without a type is, since browsers look at it too."""
    if not accept or not content_type or content_type in accept:
        return True
    family = content_type.partition("/")[0] + "/*"
    return any(wanted in {"*", "*/*", family} or wanted.lower() == content_type for wanted in accept)


def retry_after_seconds(value: str, now: float) -> float | None:
    """Seconds to wait from `now` (Unix time) by a Retry-After header (RFC 9110 section 10.2.3).

    None for what is no wait: a past date, a negative number, words. Not capped.
    """
    text = value.strip()[:64]
    if text.isascii() and text.isdigit():
        return float(text)
    seconds = _http_date(text)
    if seconds is None:
        return None
    wait = seconds - now
    return wait if math.isfinite(wait) and wait > 0 else None


def stored_headers(
    headers: Iterable[tuple[bytes, bytes]], secret_names: frozenset[bytes], secrets: tuple[bytes, ...]
) -> tuple[tuple[str, str], ...]:
    """The head as it may be stored: at most 100 lines of 4 KB, credentials redacted by name and by value.

    `secret_names` are lower-case names of headers that the settings send; `secrets` the values that were sent.
    """
    kept = []
    for name, value in headers:
        lowered = name.lower()
        hidden = lowered in _CREDENTIALS or lowered in secret_names or any(secret in value for secret in secrets)
        kept.append((text_of(name), REDACTED if hidden else text_of(value[:_LONGEST_VALUE])))
        if len(kept) == _MOST_HEADERS:
            break
    return tuple(kept)


def location_of(value: bytes | None) -> str | None:
    """The redirect target as it was written, as text; None where there is none or no reader could use it."""
    if value is None or len(value) > _LONGEST_LOCATION:
        return None
    return text_of(value).strip() or None


def validator_of(value: bytes | None) -> str | None:
    """An ETag or Last-Modified worth sending back: printable and of honest length."""
    if not value or len(value) > _LONGEST_VALIDATOR:
        return None
    text = text_of(value).strip()
    return text if text.isprintable() and text else None


def _http_date(text: str) -> float | None:
    """Unix time of a date in any of HTTP's three forms (RFC 9110 section 5.6.7); one without a zone is in GMT."""
    from email.utils import mktime_tz, parsedate_tz  # few answers carry a date to wait for

    try:
        parts = parsedate_tz(text)
        return float(mktime_tz((*parts[:9], parts[9] or 0))) if parts else None
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
