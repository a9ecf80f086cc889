"""Cookies, kept no longer and sent no further than they must: for one redirect chain, or per origin in memory.

A cookie goes back to the exact scheme, host and port that set it, whatever its Domain says; one set for a foreign
domain or a public suffix is refused (RFC 6265 section 5.3). Nothing here is ever stored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.urls.url import Url

Cookies = tuple[tuple[str, str], ...]

MOST_COOKIES = 50  # per origin
LONGEST_COOKIE = 4096  # name and value together
LONGEST_HEADER = 8192  # all cookies of a request
_MOST_ORIGINS = 1000
_LONGEST_LINE = 8192
_FORBIDDEN = frozenset(";\r\n\x00")


def set_cookies(lines: Iterable[str], host: str) -> Cookies:
    """What the Set-Cookie lines of an answer from `host` ask for; an empty value means that the cookie goes."""
    read = (_cookie(line[:_LONGEST_LINE], host) for line in lines)
    return tuple(cookie for cookie in read if cookie is not None)[:MOST_COOKIES]


def merged(before: Cookies, after: Cookies) -> Cookies:
    """The cookies of an origin after it set some more: same names replaced, emptied ones gone, oldest first out."""
    kept = dict(before)
    for name, value in after:
        kept.pop(name, None)
        if value:
            kept[name] = value
    return tuple(kept.items())[-MOST_COOKIES:]


def cookie_header(cookies: Cookies) -> str:
    """The Cookie header for these, at most 8 KB; what does not fit is left out. Empty where nothing is sent."""
    pairs: list[str] = []
    length = 0
    for name, value in cookies:
        pair = f"{name}={value}"
        if _FORBIDDEN.isdisjoint(pair) and length + len(pair) + 2 <= LONGEST_HEADER:
            pairs.append(pair)
            length += len(pair) + 2
    return "; ".join(pairs)


@dataclass(frozen=True, slots=True)
class ChainCookies:
    """The cookies of one redirect chain, by origin. `after` each hop gives the next value; the chain's end drops it."""

    by_origin: tuple[tuple[str, Cookies], ...] = ()

    def of(self, url: Url) -> Cookies:
        """What this URL's own origin has set so far in the chain."""
        return dict(self.by_origin).get(url.origin, ())

    def after(self, url: Url, cookies: Cookies) -> ChainCookies:
        """The chain after a hop to `url` was answered with these."""
        if not cookies:
            return self
        origins = dict(self.by_origin)
        origins[url.origin] = merged(origins.get(url.origin, ()), cookies)
        return replace(self, by_origin=tuple(origins.items()))


class Jar:
    """Cookies per origin until the engine ends, for crawls that accept them."""

    def __init__(self) -> None:
        self._origins: dict[str, Cookies] = {}

    def of(self, origin: str) -> Cookies:
        """What this origin has set."""
        return self._origins.get(origin, ())

    def take(self, origin: str, cookies: Cookies) -> None:
        """Remember what an answer from this origin set; the origin seen longest ago makes room."""
        if cookies:
            self._origins[origin] = merged(self._origins.pop(origin, ()), cookies)
        if len(self._origins) > _MOST_ORIGINS:
            self._origins.pop(next(iter(self._origins)))


def _cookie(line: str, host: str) -> tuple[str, str] | None:
    pair, *attributes = line.split(";")
    name, separator, value = (part.strip() for part in pair.partition("="))
    if not name or not separator or len(name) + len(value) > LONGEST_COOKIE or not (name + value).isprintable():
        return None
    ending = False
    for attribute in attributes:
        key, _, given = (part.strip() for part in attribute.partition("="))
        if key.lower() == "domain" and not _may_set(given.lower().removeprefix("."), host):
            return None
        ending = ending or _ends(key.lower(), given)
    return name, "" if ending else value


def _may_set(domain: str, host: str) -> bool:
    """Whether `host` may set a cookie for `domain`: its own name, or a registered name above it."""
    if domain in {"", host}:
        return True
    if not host.endswith("." + domain):
        return False
    from core.urls.hosts import registrable  # the list of public suffixes is large, and such cookies are few

    return domain.endswith(registrable(host))


def _ends(key: str, given: str) -> bool:
    """Whether an attribute takes the cookie away (Max-Age of zero and less; the customary date of 1970)."""
    if key == "max-age":
        return given.startswith("-") or (given.isascii() and given.isdigit() and not given.strip("0"))
    return key == "expires" and ("1970" in given or "01-Jan-00" in given)
