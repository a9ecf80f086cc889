"""What passes between the engine's loop and its writer: work to do, and what came of it. Frozen values.

Monotonic times are called `now` or `until`; wall times (for people, stored) are called `at`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from core.urls import Url

Purpose = Literal["page", "robots", "sitemap", "feed", "archive"]  # the last three: a seed source of that kind


@dataclass(frozen=True, slots=True)
class Work:
    """One leased request. Its lease is committed before the loop sees it."""

    lease: int
    purpose: Purpose
    host: int
    origin: int
    url: Url
    id: int  # of the url, the origin or the seed source, by purpose
    depth: int = 0  # of a robots.txt: the redirects that led to this address
    tries: int = 0
    seed: bool = False
    etag: str | None = None
    last_modified: str | None = None
    referer: str | None = None
    also: tuple[Purpose, ...] = ()  # a source that is to be read as these kinds too
    first: str = ""  # of a source's later page, or a robots.txt elsewhere: the address that it begins with
    rules_of: int = 0  # of a robots.txt that lies at another host: the host whose rules it holds

    @property
    def conditional(self) -> bool:
        """Whether the request asks only for what has changed."""
        return self.etag is not None or self.last_modified is not None


@dataclass(frozen=True, slots=True)
class Answer:
    """What one request brought, without its body."""

    at: float
    status: int | None
    outcome: str
    content_type: str = ""
    wire_bytes: int = 0
    body_bytes: int = 0
    seconds: float = 0.0
    etag: str | None = None
    last_modified: str | None = None
    error: str | None = None
    again: bool = False  # the request was sent twice, on two connections
    unreached: bool = False  # no connection stood: nothing was asked of the server


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link as found on a page, resolved: the spelling to fetch and the key to compare."""

    fetch: Url
    key: Url
    text: str = ""
    rel: str = ""
    kind: str = "a"
    nofollow: bool = False


@dataclass(frozen=True, slots=True)
class SkippedLink:
    """A link that can never be requested: of another scheme than http and https, or no address at all.

    `address` is what was written, safe to show; `reason` begins with a documented word.
    """

    address: str
    reason: str
    text: str = ""
    rel: str = ""
    kind: str = "a"


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """A record as extracted. `natural_key` is None when a declared key is missing on the page: a conflict.

    `reason` says why there is no key, or what could not be read to its end. `by_url` and `by_host`: its key is the
    page's address, its source the page's host, which for an alias are those of its canonical page.
    """

    type: str
    natural_key: str | None
    record_id: str
    source: str
    data: str  # JSON
    fingerprint: str
    history: bool = True
    reason: str = ""
    by_url: bool = False
    by_host: bool = False


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read out of a page's body."""

    title: str = ""
    encoding: str = ""
    canonical: str | None = None  # as a URL, or as written where it is none; two with a space between contradict
    robots: str = ""
    needs_javascript: bool = False
    checked: bool = False  # a content check is meant for it
    soft_block: bool = False  # which it failed: then nothing else of the body counts, and `detail` says why
    content_hash: bytes | None = None
    simhash: int | None = None  # of its own text; None where near duplicates are not looked for, or nothing is said
    links: tuple[FoundLink, ...] = ()
    skipped: tuple[SkippedLink, ...] = ()
    records: tuple[FoundRecord, ...] = ()
    error: str | None = None  # parse
    detail: str = ""  # what was wrong, as a sentence


@dataclass(frozen=True, slots=True)
class Response:
    """A kept response: named by the hash of its content."""

    hash: bytes
    head: bytes  # JSON: status and headers, credentials redacted
    body: bytes  # compressed


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of a host after an answer: seconds between two starts, and a wall time before which none is made."""

    delay: float
    not_before: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True)
class PageResult:
    """The end of a page's lease: a final answer, or a retry at `retry_at` (a wall time)."""

    work: Work
    answer: Answer
    pace: Pace
    accepted: bool = False  # 2xx, and of an accepted type
    parsed: Parsed | None = None
    redirect: FoundLink | None = None
    redirect_text: str | None = None
    retry_at: float | None = None
    counts: bool = True  # a retry spends one of the tries
    response: Response | None = None
    spelling: Url | None = None  # of the last hop, where a redirect led to the same key
    withdrawn: bool = False  # its last hop was counted with its answer, and then not sent


@dataclass(frozen=True, slots=True)
class RobotsResult:
    """The end of a robots.txt lease. `access` is rules, allow, disallow, retry (at `due`), or elsewhere (`moved`).

    `moved` is where it lies at another host, whose turn it waits for. `owner_delay` are the seconds between two
    requests to the host whose rules such a one holds.
    """

    work: Work
    answer: Answer
    pace: Pace
    access: Literal["rules", "allow", "disallow", "retry", "elsewhere"]
    body: bytes = b""
    due: float = 0.0  # wall time of the next look
    crawl_delay: float | None = None
    counts: bool = True  # a retry spends one of the tries
    sitemaps: tuple[FoundLink, ...] = ()
    warnings: tuple[str, ...] = ()  # of its sitemaps
    obeyed: bool = True  # whether its rules count; else it is read for its sitemaps alone
    moved: FoundLink | None = None
    owner_delay: float | None = None


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A URL that a seed source names; `lastmod` is the source's word, in seconds since the epoch.

    A bare day means any moment of it: `lastmod` is the earliest, `lastmod_end` the latest.
    """

    fetch: Url
    key: Url
    lastmod: float | None = None
    lastmod_end: float | None = None


@dataclass(frozen=True, slots=True)
class SourceResult:
    """A seed source's content, or a part of it: only the last part has `done`."""

    work: Work
    answer: Answer
    pace: Pace
    entries: tuple[SourceEntry, ...] = ()
    children: tuple[FoundLink, ...] = ()
    message: str = ""
    part: int = 0  # from 0
    done: bool = True
    failed: bool = False
    retry_at: float | None = None
    counts: bool = True  # a retry spends one of the tries


@dataclass(frozen=True, slots=True)
class Hop:
    """A further request within a lease (a redirect to the same key, or of robots.txt): it counts.

    `led_to` is where a page's redirect leads, which is kept with its answer.
    """

    work: Work
    answer: Answer
    led_to: str = ""


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page whose kept response is to be parsed once more, without a request."""

    id: int
    url: Url
    response: Response


@dataclass(frozen=True, slots=True)
class PageReadAgain:
    """What a kept response says, its records left out; `parsed` is None where it cannot be read any more."""

    page: StoredPage
    parsed: Parsed | None


@dataclass(frozen=True, slots=True)
class OutageChange:
    """The engine went offline, or came back. `suffered` failed just before, by the same fault: they get a try back."""

    offline: bool
    cause: str
    suffered: tuple[Work, ...] = ()


Result = PageResult | RobotsResult | SourceResult | Hop | PageReadAgain


@dataclass(frozen=True, slots=True)
class Turn:
    """What a cycle of the writer answers: work whose leases are committed, and when to ask again."""

    work: tuple[Work, ...] = ()
    until: float = 0.0  # monotonic
    starts: dict[int, float] = field(default_factory=dict)  # lease -> monotonic start of its next hop
    idle: bool = False  # nothing is pending, leased, waiting, or left to read
    limit: str = ""  # the budget that is used up: bytes or seconds
    stored: tuple[StoredPage, ...] = ()  # to be parsed again
