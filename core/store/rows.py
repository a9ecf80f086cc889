"""The values that leave the store: frozen, with the names of the stable outputs."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """The process that holds the crawl file. `since` is seconds since the epoch."""

    pid: int
    since: float


@dataclass(frozen=True, slots=True)
class AlarmRow:
    id: int
    kind: str
    pattern: str
    host: str
    message: str
    raised: float


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
    engine: EngineInfo | None
    # beyond the fixed names: for the window
    started: float | None = None  # of the run
    ended: float | None = None
    elapsed: float = 0.0  # seconds of running, across restarts
    pages_per_second: float | None = None  # over the last samples
    useful_pages: int = 0
    errors: int = 0  # requests that ended without a status
    statuses: dict[str, int] = field(default_factory=dict)  # "2xx".."5xx" -> requests
    settings_version: int = 0
    file_bytes: int = 0
    wal_bytes: int = 0


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
    id: int
    at: float
    elapsed: float
    level: str
    kind: str
    host: str
    url: str
    message: str
