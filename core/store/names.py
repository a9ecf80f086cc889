"""The words the file and every reader of it share: URL states, crawl states, outcomes, wishes."""

from __future__ import annotations

from enum import IntEnum, StrEnum

APPLICATION_ID = 0x46524F4E  # "FRON", in the file's header
SCHEMA_VERSION = 7  # raised with each migration
SCHEMA_FINGERPRINT = "74d245da197c62d0"  # of the tables in schema; a test keeps the two together
CERTIFICATE = "certificate"  # in meta: how the last audit that was kept found the file
UNCONFIRMED = "unconfirmed"  # in meta: the version of the settings that a salvage left out of force
VANISHED = "vanished"  # the kind of the alarm of many pages that are not believed to be gone
RECKONING = "reckoning"  # in meta: the run whose end is reckoned, how far, the last run that was complete
KEYED_BY = "keyed_by"  # in meta: the version of the settings whose rules the stored keys still follow


class UrlState(IntEnum):
    """Where a known URL stands. The numbers are stored; never renumber them."""

    PENDING = 0  # in the frontier, waiting for its turn
    LEASED = 1  # being fetched, under a lease that expires
    WAITING = 2  # in the frontier, waiting for a retry within this run
    DONE = 3  # answered: 2xx, 304, a redirect, a type that is not accepted
    FAILED = 4  # a final 4xx or 5xx, a network error, a failed content check
    EXCLUDED = 5  # a pattern of the analyst takes it out
    BLOCKED = 6  # robots.txt or another policy forbids it
    HELD = 7  # its branch or host is on hold
    GONE = 8  # it was there before, and is no longer

    @property
    def label(self) -> str:
        """The word for people and for exports."""
        return self.name.lower()


FRONTIER_STATES = (UrlState.PENDING, UrlState.LEASED, UrlState.WAITING)


class CrawlState(StrEnum):
    """The state of a whole crawl, as a person sees it."""

    IDLE = "idle"
    RUNNING = "running"
    OFFLINE = "offline"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FINISHED = "finished"
    CRASHED = "crashed"


class Front(IntEnum):
    """The three front queues of a host (Mercator): the selector favours high and never starves low."""

    HIGH = 0
    MIDDLE = 1
    LOW = 2


class WishKind(StrEnum):
    """What a window or a command asks of the engine, through the file."""

    STOP = "stop"
    KILL = "kill"  # for the record: the signal itself comes from outside
    KEEP = "keep"  # keep crawling when the window closes
    RELEASE = "release"  # ask the hosts again that are on hold
    CONFIRM = "confirm"  # what vanished, many at once, is gone


class RecordAction(StrEnum):
    """What an upsert did."""

    CREATED = "created"
    UNCHANGED = "unchanged"
    UPDATED = "updated"
    CONFLICT = "conflict"
