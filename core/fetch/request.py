"""What is asked of one server, once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.urls.url import Url


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """One GET, or a POST of JSON where there is `post`. The URL's target goes out byte for byte.

    `max_body` counts bytes after decompression; `timeout` is in seconds and covers name resolution, connection, TLS,
    head and body together. An empty `accept` takes every content type (robots.txt, sitemaps); `text/*` is understood.
    `cookies` are the redirect chain's own, beside those of the settings. `cut` takes the first `max_body` bytes of a
    longer body for the whole (robots.txt, RFC 9309 section 2.5), where it would be `error:too_large` otherwise.
    `extra` are further headers. A POST may go out twice, where a kept connection was closed under it: its receiver must
    know it again.
    """

    url: Url
    max_body: int
    timeout: float
    etag: str | None = None
    last_modified: str | None = None
    referer: str | None = None
    accept: tuple[str, ...] = ()
    cookies: tuple[tuple[str, str], ...] = ()
    cut: bool = False
    post: bytes | None = None
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def conditional(self) -> bool:
        """Whether a 304 would be an answer to this request (RFC 9110 section 13)."""
        return bool(self.etag or self.last_modified)
