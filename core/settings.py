"""What an analyst wants of a crawl: one frozen value, `CrawlSettings`, shaped like the settings file.

Each section is a Struct with its defaults; a limit of 0 means no limit. Reading and writing the file, with
line numbers, is core/profile.py; checks that need other rooms (patterns, selectors, URLs) are core/validation.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(ge=0, le=1e12)]  # finite: what is stored as JSON has no infinity
Name = Annotated[str, Meta(min_length=1, max_length=200)]

SKIPPED_EXTENSIONS = tuple("css js png jpg jpeg gif webp svg ico woff woff2 mp4 mp3 zip gz exe dmg".split())


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every part of the settings."""


class Archive(Section, frozen=True):
    """A web archive that is asked which URLs it knows: `query` is a host or prefix, such as `shop.example/*`."""

    endpoint: Name
    form: Literal["internet-archive", "common-crawl"]
    query: Name


class Feed(Section, frozen=True):
    """A feed of URLs. `path` says where they stand in JSON (`$.items[*].url`), `column` in CSV."""

    url: Name
    format: Literal["json", "jsonl", "csv", "rss"]
    path: str = ""
    column: str = "url"


class Seeds(Section, frozen=True):
    """Where the crawl begins; at least one must be given. The sitemap `auto` means those that robots.txt names."""

    urls: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    archives: tuple[Archive, ...] = ()
    feeds: tuple[Feed, ...] = ()
    files: tuple[str, ...] = ()


class Authorisation(Section, frozen=True):
    """Who allowed the crawl of a host, and up to which day."""

    host: Name
    by: Name
    until: date


class Scope(Section, frozen=True):
    """What belongs to the crawl. Hosts are written `host` or `host:port`; none means the seeds' own.

    `follow = false` is list mode: only what the seeds list is fetched. `private = "listed"`: private addresses are
    reached only for hosts that seeds or `hosts` name.
    """

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
    """Which spellings count as one URL. Each switch folds one difference; `tracking` drops the known parameters.

    `drop_parameters` come beside the built-in list, `keep_parameters` are never dropped. `canonical` believes a page
    that names another as its canonical.
    """

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
    """The most URLs that a pattern lets in."""

    pattern: Name
    max_pages: Count


class Budgets(Section, frozen=True):
    """Where the crawl ends, and what one URL may cost. 0 means no limit where the type allows it."""

    max_depth: Count = 6
    max_pages: Count = 0
    max_pages_per_host: Count = 5000
    max_bytes: Count = 0  # on the wire
    max_seconds: Seconds = 0  # of running
    max_url_length: Annotated[int, Meta(ge=1, le=8192)] = 2048
    max_body_bytes: Positive = 10_000_000  # after decompression
    max_response_bytes: Count = 0  # kept bodies in all
    patterns: tuple[PatternBudget, ...] = ()
    max_path_repeats: Count = 3  # of one segment in a path
    max_parameter_sets: Count = 100  # combinations of parameters for one path
    hold_growing: bool = False  # hold the branch that a trap alarm names
    price_per_gb: Annotated[float, Meta(ge=0, le=1e12)] = 0.0  # in any currency


class RobotsOverride(Section, frozen=True):
    """A host whose robots.txt is not obeyed, and the reason that is put on record."""

    host: Name
    reason: Name


class Politeness(Section, frozen=True):
    """What a site may expect of us. Times are in seconds."""

    robots: bool = True
    robots_override: tuple[RobotsOverride, ...] = ()
    nofollow: bool = True
    noindex: bool = False  # true: a noindex page gives no records
    delay: Annotated[float, Meta(ge=0, le=86_400)] = 1.0  # seconds between two requests to one host
    per_host: Annotated[int, Meta(ge=1, le=1024)] = 1  # requests at once
    concurrency: Annotated[int, Meta(ge=1, le=1024)] = 16  # requests at once, over all hosts
    adaptive: bool = True  # slow down where a host grows slow or pushes back
    retry_after_max: Seconds = 300  # a longer Retry-After is cut to it
    crawl_delay_max: Seconds = 60  # and a longer Crawl-delay
    unreachable_after: Seconds = 3600  # then an unreachable host no longer keeps the run open


class Header(Section, frozen=True):
    """A header for one origin (`scheme://host[:port]`) alone; a credential is a reference, env:NAME or keyring:NAME."""

    origin: Name
    name: Annotated[str, Meta(pattern=r"^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$")]
    value: str


class Auth(Section, frozen=True):
    """Basic authentication (RFC 7617) for one origin; `password` is a reference."""

    origin: Name
    user: str
    password: str


class Cookie(Section, frozen=True):
    """A cookie for one origin; `value` is a reference."""

    origin: Name
    name: Name
    value: str


class Fetch(Section, frozen=True):
    """How a page is asked for. `resolve` maps a host to the address to use; `ca_file` is trusted beside the system's.

    `accept_cookies`: per origin until the engine ends, never stored; otherwise for one redirect chain. The certificates
    of hosts in `untrusted_tls` are not looked at.
    """

    user_agent: Annotated[str, Meta(min_length=1, max_length=500)] = "Fronteira (+https://example.org/contact)"
    timeout: Annotated[float, Meta(gt=0, le=3600)] = 30.0  # seconds for one whole fetch
    retries: Annotated[int, Meta(ge=0, le=20)] = 3  # beside the first try
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
    """Points that a pattern adds to a priority; negative ones take away."""

    pattern: Name
    bonus: Annotated[int, Meta(ge=-1000, le=1000)]


class Priority(Section, frozen=True):
    """What is fetched first. In the order `score` the patterns weigh more than the depth."""

    order: Literal["breadth", "depth", "score"] = "breadth"
    patterns: tuple[PatternBonus, ...] = ()


class Check(Section, frozen=True):
    """Texts that must, or must not, stand in the pages of a pattern; a page that fails is no result."""

    pattern: Name
    must: str = ""
    must_not: str = ""


class Pages(Section, frozen=True):
    """What is kept of a page, and which links of it count."""

    keep_responses: bool = True
    link_graph: bool = True  # who links to whom
    near_duplicates: Annotated[int, Meta(ge=-1, le=64)] = 6  # Hamming distance of 64-bit SimHash; -1: off
    follow_duplicates: bool = False  # the links of exact copies
    resources: bool = False  # images, scripts and style sheets count as links
    checks: tuple[Check, ...] = ()


class Recrawl(Section, frozen=True):
    """When a page is due again. Intervals are in seconds; `at` is `06:30` or `Mon 06:30`."""

    every: Count = 0  # seconds between runs; 0: by hand
    at: str = ""
    first: Positive = 86_400  # of a new page
    shortest: Positive = 3600
    longest: Positive = 2_592_000
    gone_after: Positive = 3  # complete crawls in a row that did not find it


class Notify(Section, frozen=True):
    """Where changes are told: a file of JSON Lines, a webhook."""

    file: str = ""
    webhook: str = ""


WAYS_TO_READ = ("css", "xpath", "regex", "jsonld", "meta")


class FieldRule(Section, frozen=True):
    """How one field of a record is read: exactly one of WAYS_TO_READ is set.

    An `unordered` list counts without order and case; without `fingerprint` a change of the field is no change of the
    record.
    """

    css: str = ""
    xpath: str = ""
    regex: str = ""
    jsonld: str = ""
    meta: str = ""
    cast: Literal["text", "number", "money", "date", "list"] = "text"
    unordered: bool = False
    fingerprint: bool = True

    @property
    def ways(self) -> tuple[str, ...]:
        """Which of WAYS_TO_READ are set."""
        return tuple(name for name in WAYS_TO_READ if getattr(self, name))


FieldName = Annotated[str, Meta(pattern=r"^[^\x00-\x1f]{1,100}$")]


class RecordType(Section, frozen=True):
    """A type of record, declared by the analyst. An empty `key` makes the canonical URL the natural key.

    `match` is the pattern of its pages; `rows` selects its rows where a page holds many; an empty `source` is the
    page's host. `history` keeps earlier versions.
    """

    name: Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_-]{0,63}$")]
    match: Name
    key: str | tuple[str, ...] = ""
    source: str = ""
    rows: str = ""
    history: bool = True
    fields: dict[FieldName, FieldRule] = msgspec.field(default_factory=dict)

    @property
    def key_fields(self) -> tuple[str, ...]:
        """The names of the key's fields; none where the canonical URL is the key."""
        if isinstance(self.key, str):
            return (self.key,) if self.key else ()
        return self.key


class CrawlSettings(Section, frozen=True):
    """The whole of it. Crawls of two tenants never touch one another's records.

    Another tenant counts from the next start of the engine on; a crawl that runs keeps its own.
    """

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
