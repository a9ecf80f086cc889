"""The pace of every host as the file knows it, for the loop that computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.store.write.hosts import Hosts
    from core.store.write.robots import RobotsTable


@dataclass(frozen=True, slots=True)
class HostPace:
    """What the file knows of a host's pace: seconds between two starts, and a wall time before which none is made."""

    host: int
    delay: float
    backoff_until: float
    crawl_delay: float | None


def stored_paces(hosts: Hosts, robots: RobotsTable) -> tuple[HostPace, ...]:
    """Of the origins of a host the slowest counts, where its robots.txt is obeyed."""
    delays: dict[int, float] = {}
    for origin in hosts.origins():
        if origin.crawl_delay is not None and robots.obeyed(origin):
            delays[origin.host] = max(delays.get(origin.host, 0.0), origin.crawl_delay)
    return tuple(HostPace(host.id, host.delay, host.backoff_until, delays.get(host.id)) for host in hosts)
