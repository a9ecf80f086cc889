"""The exact request log: what was asked, how often, when, and how many requests were open at once."""

from __future__ import annotations

import threading
from array import array
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class HostLog:
    """One host's requests: their number, the most at once, and when each began."""

    requests: int
    peak: int
    monotonic: tuple[float, ...]  # seconds of time.monotonic()
    wall: tuple[float, ...]  # seconds since 1970


@dataclass(frozen=True, slots=True)
class LogSnapshot:
    """The log at one moment. Hosts are as in the request (host:port); a URL's key is host + target."""

    requests: int
    bytes: int  # of bodies, as sent
    peak: int  # the most requests at once, over all hosts
    urls: dict[str, int]
    statuses: dict[int, int]  # of finished requests; 0: the client went away first
    hosts: dict[str, HostLog]

    @property
    def times(self) -> dict[str, tuple[float, ...]]:
        """When each request began, by host, in monotonic seconds."""
        return {host: log.monotonic for host, log in self.hosts.items()}

    @property
    def repeated(self) -> int:
        """Requests for a URL that was asked for before."""
        return self.requests - len(self.urls)

    def count(self, target: str) -> int:
        """How often a target was asked for, on all hosts together."""
        return sum(n for key, n in self.urls.items() if key[key.find("/") :] == target)

    def as_json(self, full: bool = True) -> dict[str, Any]:
        """The log for the control path; without the URLs and all but the first and last times if not full."""
        hosts = {}
        for host, log in self.hosts.items():
            wall, monotonic = (log.wall, log.monotonic) if full else (_ends(log.wall), _ends(log.monotonic))
            hosts[host] = {
                "requests": log.requests,
                "max_concurrent": log.peak,
                "times": wall,
                "monotonic": monotonic,
            }
        found = {
            "requests": self.requests,
            "bytes": self.bytes,
            "unique_urls": len(self.urls),
            "repeated": self.repeated,
            "max_concurrent": self.peak,
            "status": self.statuses,
            "hosts": hosts,
        }
        return {**found, "urls": self.urls} if full else found


class _Host:
    """One host's part of a running log."""

    __slots__ = ("live", "monotonic", "peak", "wall")

    def __init__(self) -> None:
        self.live = 0
        self.peak = 0
        self.monotonic = array("d")
        self.wall = array("d")


class RequestLog:
    """Counts requests as they begin and end. The server's thread writes; any thread may take a snapshot."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._live = 0
        self._clear()

    @property
    def requests(self) -> int:
        """Requests begun since the last reset."""
        return self._requests

    @property
    def live(self) -> int:
        """Requests open now."""
        return self._live

    def reset(self) -> None:
        """Forget everything but the requests that are still open."""
        with self._lock:
            open_now = {name: host.live for name, host in self._hosts.items() if host.live}
            self._clear()
            for name, live in open_now.items():
                self._hosts[name] = host = _Host()
                host.live = host.peak = live
            self._peak = self._live

    def begin(self, host: str, target: str, monotonic: float, wall: float) -> int:
        """Note the start of a request; returns how often this URL had been asked for before."""
        with self._lock:
            self._requests += 1
            self._live += 1
            self._peak = max(self._peak, self._live)
            key = host + target
            before = self._urls.get(key, 0)
            self._urls[key] = before + 1
            mine = self._hosts.get(host)
            if mine is None:
                mine = self._hosts[host] = _Host()
            mine.live += 1
            mine.peak = max(mine.peak, mine.live)
            mine.monotonic.append(monotonic)
            mine.wall.append(wall)
            return before

    def end(self, host: str, status: int, size: int) -> None:
        """Note the end of a request: its status (0: the client went away) and the size of the body sent."""
        with self._lock:
            self._live -= 1
            self._bytes += size
            self._statuses[status] = self._statuses.get(status, 0) + 1
            self._hosts[host].live -= 1

    def snapshot(self) -> LogSnapshot:
        """The log now, as a value of its own."""
        with self._lock:
            hosts = {
                name: HostLog(len(host.wall), host.peak, tuple(host.monotonic), tuple(host.wall))
                for name, host in self._hosts.items()
            }
            return LogSnapshot(self._requests, self._bytes, self._peak, dict(self._urls), dict(self._statuses), hosts)

    def _clear(self) -> None:
        self._requests = self._bytes = self._peak = 0
        self._urls: dict[str, int] = {}
        self._statuses: dict[int, int] = {}
        self._hosts: dict[str, _Host] = {}


def _ends(times: tuple[float, ...]) -> tuple[float, ...]:
    return (times[0], times[-1]) if times else ()
