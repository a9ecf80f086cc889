"""What goes wrong, and when: pure functions of the options, the URL, and how often it was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.demo.chance import mix, unit
from core.demo.options import FAULT_KINDS

if TYPE_CHECKING:
    from core.demo.options import SiteOptions

SPARED = ("/robots.txt", "/sitemap", "/static/")


def fault_of(options: SiteOptions, host: int, target: str, nth: int) -> str | None:
    """The kind of fault for the n-th request (from 0) of a URL, or None where all is well.

    /fault/KIND fails for certain, other URLs by the error rate; both recover after `fail_times` requests.
    robots.txt, sitemaps and static files are spared.
    """
    if nth >= options.fail_times:
        return None
    if target.startswith("/fault/"):
        kind = target[7:].partition("?")[0].partition("/")[0]
        return kind if kind in FAULT_KINDS else None
    if not options.error_rate or target.startswith(SPARED):
        return None
    if unit(options.seed, "fault", host, target) >= options.error_rate:
        return None
    return options.error_kinds[mix(options.seed, "fault kind", host, target) % len(options.error_kinds)]


def delay_of(options: SiteOptions, host: int, target: str) -> float:
    """Seconds before the answer to this URL begins."""
    delay = options.latency_ms
    if options.latency_jitter_ms:
        delay += options.latency_jitter_ms * unit(options.seed, "latency", host, target)
    return delay / 1000
