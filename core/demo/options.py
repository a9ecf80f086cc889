"""What a sample site holds and how it misbehaves; one frozen value, so that a response can depend on nothing else."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping

FAULT_KINDS = ("500", "503", "429", "reset", "truncate", "drip", "hang")
REDIRECT_KINDS = ("permanent", "temporary", "chain", "loop", "offsite", "cookie", "bad")
CHOICES = {
    "front": ("shop", "web", "trap"),
    "host_mode": ("ports", "addresses", "names"),
    "validators": ("both", "etag", "date", "none"),
}
KINDS = {"error_kinds": FAULT_KINDS, "redirect_kinds": REDIRECT_KINDS}
AT_LEAST_ONE = ("listings", "per_listing", "hosts", "web_pages", "trap_items", "sitemap_size")


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """The sample site's options. Rates are shares from 0 to 1; everything beyond the plain shop is off by default.

    Raises BadInput, naming the option and what is allowed, for a value that no site can have.
    """

    seed: int = 1
    round: int = 0  # the site's time: pages change from one round to the next
    front: str = "shop"  # what "/" of the first host shows
    weight: float = 2.0  # KB a page; navigation and footer from 10 on

    listings: int = 25
    per_listing: int = 20
    jsonld: bool = False
    trap_link: bool = False  # listings link to the trap

    hosts: int = 1
    host_mode: str = "ports"  # further ports, further addresses (127.77.x.y), or hN.test for a proxy or fixed addresses
    web_pages: int = 5000  # on the hosts' /p/N pages, all hosts together
    zipf: float = 1.0
    cross_links: int = 4
    trap_items: int = 200

    latency_ms: float = 0.0
    latency_jitter_ms: float = 0.0  # at most this much more, fixed for a URL
    error_rate: float = 0.0  # share of the URLs that fail
    error_kinds: tuple[str, ...] = ("500", "reset")
    fail_times: int = 1_000_000  # a failing URL recovers after so many requests
    retry_after: int = 0  # seconds, with 503 and 429; 0: no header
    drip_s: float = 60.0  # how long a dripped body takes
    timeout_s: float = 60.0  # how long a hanging request stays open
    gzip: bool = False

    validators: str = "both"
    change_rate: float = 0.0  # share of the pages that change in a round

    dup_rate: float = 0.0  # byte-identical copies among the products
    neardup_rate: float = 0.0  # copies but for a few words
    soft404_rate: float = 0.0  # products that say "not found" with status 200
    noindex_rate: float = 0.0
    dead_rate: float = 0.0  # products with a link to a 404 or 410
    redirect_rate: float = 0.0  # products with a link through a redirect
    redirect_kinds: tuple[str, ...] = REDIRECT_KINDS
    alias_rate: float = 0.0  # products with a link to an alias that names its canonical
    tracking_rate: float = 0.0
    spelling_rate: float = 0.0
    nofollow_rate: float = 0.0
    private_rate: float = 0.0  # products with a link into /private/

    robots_status: int = 200
    crawl_delay: float = 0.0
    sitemap_size: int = 5000  # URLs in one sitemap

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(field.name, getattr(self, field.name))
        if self.dup_rate + self.neardup_rate + self.soft404_rate > 0.9:
            raise BadInput("dup_rate, neardup_rate and soft404_rate together must be at most 0.9.")
        if self.sitemap_size > 50_000:
            raise BadInput("sitemap_size must be at most 50000 (sitemaps.org).")

    @property
    def products(self) -> int:
        """The number of product pages."""
        return self.listings * self.per_listing


def changed(options: SiteOptions, texts: Mapping[str, str]) -> SiteOptions:
    """The options with the named ones read from text; lists are separated by commas, true and false are 1 and 0.

    Raises BadInput that names the option for an unknown name or a value of the wrong form.
    """
    values: dict[str, Any] = {}
    known = {field.name for field in fields(options)}
    for name, text in texts.items():
        if name not in known:
            raise BadInput(f"There is no option “{name}”.", f"There are: {', '.join(sorted(known))}.")
        values[name] = _read(name, text, getattr(options, name))
    return replace(options, **values)


def _read(name: str, text: str, old: object) -> object:
    if isinstance(old, tuple):
        return tuple(part for part in text.split(",") if part)
    if isinstance(old, str):
        return text
    if isinstance(old, bool):
        if text.lower() not in {"0", "1", "true", "false"}:
            raise BadInput(f"{name} must be 0 or 1, not “{text}”.")
        return text.lower() in {"1", "true"}
    try:
        return int(text) if isinstance(old, int) else float(text)
    except ValueError:
        raise BadInput(f"{name} must be a number, not “{text}”.") from None


def _check(name: str, value: object) -> None:
    if name in CHOICES and value not in CHOICES[name]:
        raise BadInput(f"{name} must be one of {', '.join(CHOICES[name])}, not “{value}”.")
    if name in KINDS and (not isinstance(value, tuple) or not value or set(value) - set(KINDS[name])):
        raise BadInput(f"{name} must name some of {', '.join(KINDS[name])}, not “{value}”.")
    if isinstance(value, (int, float)):
        _check_number(name, value)


def _check_number(name: str, value: float) -> None:
    if name.endswith("_rate") and not 0 <= value <= 1:
        raise BadInput(f"{name} must be from 0 to 1, not “{value}”.")
    if name in AT_LEAST_ONE and value < 1:
        raise BadInput(f"{name} must be at least 1, not “{value}”.")
    if name != "seed" and not 0 <= value < 1e12:
        raise BadInput(f"{name} must not be negative, infinite or huge, not “{value}”.")
