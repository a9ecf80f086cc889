"""What an analyst wants of a crawl: one frozen value, `CrawlSettings`, shaped like the settings file.

Each section is a Struct with its defaults; a limit of 0 means no limit. Reading and writing the file, with
line numbers, is core/profile.py; checks that need other rooms (patterns, selectors, URLs) are core/validation.py.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(ge=0)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]

SKIPPED_EXTENSIONS = tuple("css js png jpg jpeg gif webp svg ico woff woff2 mp4 mp3 zip gz exe dmg".split())


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every part of the settings."""


class Archive(Section, frozen=True):
    endpoint: Name
    form: Literal["internet-archive", "common-crawl"]
    query: Name


class Feed(Section, frozen=True):
    url: Name
    format: Literal["json", "jsonl", "csv", "rss"]
    path: str = ""
    column: str = "url"


class Seeds(Section, frozen=True):
    urls: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    archives: tuple[Archive, ...] = ()
    feeds: tuple[Feed, ...] = ()
    files: tuple[str, ...] = ()


class Authorisation(Section, frozen=True):
    host: Name
    by: Name
    until: date


class Scope(Section, frozen=True):
    hosts: tuple[str, ...] = ()
    subdomains: bool = False
    follow: bool = True
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    block_hosts: tuple[str, ...] = ()
    forms: bool = False
    skip_extensions: tuple[str, ...] = SKIPPED_EXTENSIONS
    authorised: tuple[Authorisation, ...] = ()
    private: Literal["listed"] = "listed"


class Normalise(Section, frozen=True):
    tracking: bool = True
    drop_parameters: tuple[str, ...] = ()
    keep_parameters: tuple[str, ...] = ()
    session_ids: bool = False
    sort_parameters: bool = True
    trailing_slash: bool = False
    ignore_www: bool = False
    index_pages: bool = False
    lower_path: bool = False
    ignore_scheme: bool = False
    canonical: bool = True


class PatternBudget(Section, frozen=True):
    pattern: Name
    max_pages: Count


class Budgets(Section, frozen=True):
    max_depth: Count = 6
    max_pages: Count = 0
    max_pages_per_host: Count = 5000
    max_bytes: Count = 0  # on the wire
    max_seconds: Seconds = 0  # of running
    max_url_length: Annotated[int, Meta(ge=1, le=8192)] = 2048
    max_body_bytes: Positive = 10_000_000  # after decompression
    max_response_bytes: Count = 0  # kept bodies in all
    patterns: tuple[PatternBudget, ...] = ()
    max_path_repeats: Count = 3
    max_parameter_sets: Count = 100
    hold_growing: bool = False
    price_per_gb: Seconds = 0.0


class RobotsOverride(Section, frozen=True):
    host: Name
    reason: Name


class Politeness(Section, frozen=True):
    robots: bool = True
    robots_override: tuple[RobotsOverride, ...] = ()
    nofollow: bool = True
    noindex: bool = False
    delay: Annotated[float, Meta(ge=0, le=86_400)] = 1.0  # seconds between two requests to one host
    per_host: Annotated[int, Meta(ge=1, le=1024)] = 1
    concurrency: Annotated[int, Meta(ge=1, le=1024)] = 16
    adaptive: bool = True
    retry_after_max: Seconds = 300
    crawl_delay_max: Seconds = 60
    unreachable_after: Seconds = 3600


class Header(Section, frozen=True):
    origin: Name
    name: Annotated[str, Meta(pattern=r"^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$")]
    value: str


class Auth(Section, frozen=True):
    origin: Name
    user: str
    password: str


class Cookie(Section, frozen=True):
    origin: Name
    name: Name
    value: str


class Fetch(Section, frozen=True):
    user_agent: Annotated[str, Meta(min_length=1, max_length=500)] = "Fronteira (+https://example.org/contact)"
    timeout: Annotated[float, Meta(gt=0, le=3600)] = 30.0  # seconds for one whole fetch
    retries: Annotated[int, Meta(ge=0, le=20)] = 3
    content_types: tuple[str, ...] = ("text/html", "application/xhtml+xml")
    headers: tuple[Header, ...] = ()
    auth: tuple[Auth, ...] = ()
    cookies: tuple[Cookie, ...] = ()
    accept_cookies: bool = False
    proxy: str = ""
    resolve: dict[str, str] = msgspec.field(default_factory=dict)
    ca_file: str = ""
    untrusted_tls: tuple[str, ...] = ()


class PatternBonus(Section, frozen=True):
    pattern: Name
    bonus: Annotated[int, Meta(ge=-1000, le=1000)]


class Priority(Section, frozen=True):
    order: Literal["breadth", "depth", "score"] = "breadth"
    patterns: tuple[PatternBonus, ...] = ()


class Check(Section, frozen=True):
    pattern: Name
    must: str = ""
    must_not: str = ""


class Pages(Section, frozen=True):
    keep_responses: bool = True
    link_graph: bool = True
    near_duplicates: Annotated[int, Meta(ge=-1, le=64)] = 6  # Hamming distance of 64-bit SimHash; -1: off
    follow_duplicates: bool = False
    resources: bool = False
    checks: tuple[Check, ...] = ()


class Recrawl(Section, frozen=True):
    every: Count = 0
    at: str = ""
    first: Positive = 86_400
    shortest: Positive = 3600
    longest: Positive = 2_592_000
    gone_after: Positive = 3


class Notify(Section, frozen=True):
    file: str = ""
    webhook: str = ""


class FieldRule(Section, frozen=True):
    """How one field of a record is read. Exactly one of css, xpath, regex, jsonld and meta is set."""

    css: str = ""
    xpath: str = ""
    regex: str = ""
    jsonld: str = ""
    meta: str = ""
    cast: Literal["text", "number", "money", "date", "list"] = "text"
    unordered: bool = False
    fingerprint: bool = True


FieldName = Annotated[str, Meta(pattern=r"^[^\x00-\x1f]{1,100}$")]


class RecordType(Section, frozen=True):
    """A type of record, declared by the analyst. An empty `key` makes the canonical URL the natural key."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_-]{0,63}$")]
    match: Name
    key: str | tuple[str, ...] = ""
    source: str = ""
    rows: str = ""
    history: bool = True
    fields: dict[FieldName, FieldRule] = msgspec.field(default_factory=dict)

    @property
    def key_fields(self) -> tuple[str, ...]:
        if isinstance(self.key, str):
            return (self.key,) if self.key else ()
        return self.key


class CrawlSettings(Section, frozen=True):
    """The whole of it."""

    name: str = ""
    tenant: Name = "default"
    seeds: Seeds = Seeds()
    scope: Scope = Scope()
    normalise: Normalise = Normalise()
    budgets: Budgets = Budgets()
    politeness: Politeness = Politeness()
    fetch: Fetch = Fetch()
    priority: Priority = Priority()
    pages: Pages = Pages()
    recrawl: Recrawl = Recrawl()
    notify: Notify = Notify()
    records: tuple[RecordType, ...] = ()


def encode(settings: CrawlSettings) -> str:
    """The form kept in the crawl file: JSON in the order of the sections; record fields keep the analyst's order."""
    return msgspec.json.encode(settings).decode()


def decode(text: str) -> CrawlSettings:
    """The settings from a crawl file; raises msgspec.ValidationError on what `encode` did not write."""
    return msgspec.json.decode(text, type=CrawlSettings)
