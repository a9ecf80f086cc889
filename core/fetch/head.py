"""Reading a response's head: accepted types, times, redirects. Pure, bounded, and total on any bytes."""

from __future__ import annotations

import math
import re
from datetime import date
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
_LONGEST_VALIDATOR = 1024
_LONGEST_LOCATION = 16_384
SKEW = 60.0  # seconds a clock may be ahead of ours: the margin of RFC 7232, 2.2.2
_EPOCH = 719_163  # date(1970, 1, 1).toordinal()
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_TIME = r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)"
_IMF_DATE = re.compile(
    rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ({'|'.join(_MONTHS)}) (\d{{4}}) {_TIME} GMT", re.ASCII
)
_OBSOLETE_DATE = re.compile(
    rf"[A-Z][a-z]+day, \d\d-(?:{'|'.join(_MONTHS)})-\d\d {_TIME} GMT"
    rf"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:{'|'.join(_MONTHS)}) [ \d]\d {_TIME} \d{{4}}",
    re.ASCII,
)
_ETAG = re.compile(r'(?:[Ww]/)?"[^"]*+"|[^\s",]++')


def text_of(value: bytes) -> str:
    """A header's bytes as text: UTF-8 where they are, else latin-1, so nothing is lost (RFC 9110 section 5.5)."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


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


def etag_of(value: bytes | None) -> str | None:
    """An ETag worth sending back, as it was received, a weak one (`W/"1"`) too (RFC 9110, 8.8.3 and 13.1.2).

    One without quotes is no entity tag by the letter, but its server compares the text. A `*` or a list would mean
    something else in If-None-Match.
    """
    text = _validator(value)
    return text if text and text != "*" and _ETAG.fullmatch(text) else None


def last_modified_of(value: bytes | None, sent: bytes | None, now: float) -> str | None:
    """A Last-Modified worth sending back, as it was received: an HTTP date, and not after the answer was made.

    A server must ignore what is no HTTP date in If-Modified-Since (RFC 9110, 13.1.3), and must not say that something
    was modified after its Date (8.8.2.1): one that does has a validator nobody can trust. Its own Date is the measure,
    for its clock may be wrong in both headers alike; without a Date ours is, SKEW allowed. It is compared within one
    server, so that a weak date (8.8.2.2) is good enough.
    """
    text = _validator(value)
    modified = http_date(text) if text else None
    if modified is None:
        return None
    latest = http_date(text_of(sent).strip()) if sent else None
    return text if modified <= (now + SKEW if latest is None else latest) else None


def http_date(text: str) -> float | None:
    """Unix time of a date in one of HTTP's three forms, exactly (RFC 9110 section 5.6.7), or None."""
    found = _IMF_DATE.fullmatch(text)
    if not found:
        return _http_date(text) if _OBSOLETE_DATE.fullmatch(text) else None
    day, month, year, hour, minute, second = found.groups()
    try:
        days = date(int(year), _MONTHS.index(month) + 1, int(day)).toordinal() - _EPOCH
    except ValueError:
        return None
    return ((days * 24 + int(hour)) * 60 + int(minute)) * 60.0 + int(second)


def _validator(value: bytes | None) -> str | None:
    """Printable text of honest length that goes back as the octets that came."""
    if not value or len(value) > _LONGEST_VALIDATOR:
        return None
    try:
        text = value.decode().strip()
    except UnicodeDecodeError:
        return None
    return text if text.isprintable() else None


def _http_date(text: str) -> float | None:
    """Unix time of a date in any of HTTP's three forms (RFC 9110 section 5.6.7); one without a zone is in GMT."""
    from email.utils import mktime_tz, parsedate_tz  # few answers carry a date to wait for

    try:
        parts = parsedate_tz(text)
        return float(mktime_tz((*parts[:9], parts[9] or 0))) if parts else None
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
