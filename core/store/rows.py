"""The values that leave the store: frozen, with the names of the stable outputs."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds the crawl file. `since` is seconds since the epoch."""

    pid: int
    since: float


@dataclass(frozen=True, slots=True)
class AlarmRow:
    """One alarm. `raised` is seconds since the epoch; `pattern` and `host` are empty where it concerns neither."""

    id: int
    kind: str
    pattern: str
    host: str
    message: str
    raised: float


@dataclass(frozen=True, slots=True)
class KeptCertificate:
    """How the last audit that was kept found the file, at a wall time; `at` is None before the first.

    `due`: a session has ended uncleanly since, so an audit is wanted.
    """

    at: float | None = None
    ok: bool | None = None
    sentences: tuple[str, ...] = ()
    due: bool = False


@dataclass(frozen=True, slots=True)
class UncleanEnd:
    """A session that did not end in order, with the requests that it may have had sent twice.

    `at` is when that was noticed, or how far the session is known to have run; `outcome` is killed, crashed or failed.
    """

    session: int
    pid: int
    at: float
    outcome: str
    requests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Status:
    """One consistent look at a crawl. Ratios are None while there is nothing to divide by."""

    name: str
    state: str  # CrawlState
    reason: str
    run: int
    urls: dict[str, int]  # by state, with `refused`
    pages: int
    requests: int
    not_modified: int
    records: int
    record_actions: dict[str, int]
    bytes: int
    frontier: int
    discovery_ratio: float | None
    duplicate_rate: float | None
    content_duplicate_rate: float | None
    bytes_per_useful_page: float | None
    requests_per_record: float | None
    refusals: dict[str, int]
    alarms: tuple[AlarmRow, ...]
    hosts: int
    engine: Holder | None
    # beyond the fixed names: for the window
    started: float | None = None  # of the run
    ended: float | None = None
    elapsed: float = 0.0  # seconds of running, across restarts
    run_elapsed: float = 0.0  # those of the run
    pages_per_second: float | None = None  # over the last samples
    useful_pages: int = 0
    errors: int = 0  # requests that ended without a status
    statuses: dict[str, int] = field(default_factory=dict)  # "2xx".."5xx" -> requests
    settings_version: int = 0
    file_bytes: int = 0
    wal_bytes: int = 0
    certificate: KeptCertificate | None = None
    next_run: float | None = None  # by the schedule; before now: overdue, where no engine runs

    def overdue(self, now: float) -> bool:
        """Whether a scheduled run should have begun by now (seconds since the epoch)."""
        return self.engine is None and self.next_run is not None and self.next_run <= now


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One point of the charts. `elapsed` is seconds of running since the crawl began, across restarts."""

    id: int
    at: float
    elapsed: float
    run: int
    frontier: int
    known: int
    pages: int
    requests: int
    bytes: int
    errors: int
    records: int
    useful: int
    discovery_ratio: float | None
    duplicate_rate: float | None
    content_duplicate_rate: float | None
    bytes_per_useful_page: float | None
    pages_per_second: float | None


@dataclass(frozen=True, slots=True)
class LogRow:
    """One decision in words. `at` is seconds since the epoch, `elapsed` seconds of running; `level` one of LEVELS."""

    id: int
    at: float
    elapsed: float
    level: str
    kind: str
    host: str
    url: str
    message: str


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One end of a link as seen from the other. `url_id` is None for a URL that was refused."""

    url_id: int | None
    url: str
    text: str
    rel: str
    kind: str
    state: str
    status: int | None


@dataclass(frozen=True, slots=True)
class UrlStep:
    """A URL on the way from the seed."""

    id: int
    url: str
    depth: int


@dataclass(frozen=True, slots=True)
class CaptureRow:
    """One answered request of a URL."""

    at: float
    run: int
    status: int | None
    outcome: str
    bytes: int
    seconds: float
    links: int
    known_links: int
    new_urls: int
    led_to: str = ""  # of a redirect to another spelling of the URL's own key, which was asked next


@dataclass(frozen=True, slots=True)
class UrlDetails:
    """Everything about one URL. What is not known (yet) is None or empty; `chain` leads from the seed to its finder."""

    id: int
    url: str
    key: str
    host: str
    state: str
    reason: str
    depth: int
    priority: int
    seed: bool
    attempts: int
    first_seen: float
    next_due: float | None
    lastmod: float | None
    status: int | None
    outcome: str
    content_type: str
    encoding: str
    bytes: int
    body_bytes: int
    seconds: float
    title: str
    canonical: str
    alias_of: str
    redirect_to: str
    duplicate_of: str
    content_hash: str
    soft_block: bool
    needs_javascript: bool
    etag: str
    last_modified: str
    last_fetched: float | None
    last_changed: float | None
    error: str
    chain: tuple[UrlStep, ...]
    captures: tuple[CaptureRow, ...]  # the newest first, at most twenty
    in_links: int | None  # None where the link graph is not kept
    out_links: int


@dataclass(frozen=True, slots=True)
class SeedRow:
    """A line the analyst typed. Without a URL it has a problem."""

    id: int
    text: str
    url_id: int | None
    problem: str
    state: str


@dataclass(frozen=True, slots=True)
class HostRow:
    """A host at a glance."""

    id: int
    name: str
    state: str
    frontier: int
    done: int
    failed: int
    requests: int
    bytes: int
    errors: int
    delay: float
    backoff_until: float
    last_error: str
