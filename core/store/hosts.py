"""The hosts and origins of a crawl, mirrored in memory by the writer, made on first sight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.query import rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw

    from core.policy.robots import Robots
    from core.urls import Url

ADMITTED = "pending + leased + waiting + done + failed + held + gone"


@dataclass(slots=True)
class Origin:
    """Scheme, host and port. `robots_state` unknown means: fetch robots.txt before any page."""

    id: int
    host: int
    base: str
    scheme: str
    port: int
    robots_state: str
    robots_due: float
    robots_tries: int
    robots_version: int | None
    crawl_delay: float | None
    rules: Robots | None = None


@dataclass(slots=True)
class Host:
    """A host of this tenant. `admitted` counts its URLs that were let into the frontier, for the limit per host."""

    id: int
    name: str
    admitted: int
    delay: float
    backoff_until: float
    last_request: float | None
    pending: int


class Hosts:
    """Look-ups by name and id. Only the writer's thread uses it."""

    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._hosts: dict[str, Host] = {}
        self._by_id: dict[int, Host] = {}
        self._origins: dict[tuple[int, str, int], Origin] = {}
        self._origin_by_id: dict[int, Origin] = {}
        self._load()

    def __iter__(self) -> Iterator[Host]:
        return iter(self._hosts.values())

    @property
    def total_admitted(self) -> int:
        return sum(host.admitted for host in self._hosts.values())

    def find(self, name: str) -> Host | None:
        return self._hosts.get(name)

    def by_id(self, host: int) -> Host:
        return self._by_id[host]

    def origin_by_id(self, origin: int) -> Origin:
        return self._origin_by_id[origin]

    def origins(self) -> Iterable[Origin]:
        return self._origin_by_id.values()

    def of(self, name: str) -> Host:
        """The host of that name, made when it is new."""
        host = self._hosts.get(name)
        if host is None:
            self._connection.execute("INSERT INTO host(tenant, name) VALUES (?, ?)", (self._tenant, name))
            host = self._keep(Host(self._connection.last_insert_rowid(), name, 0, 0.0, 0.0, None, 0))
        return host

    def origin(self, host: Host, url: Url) -> Origin:
        """The origin of a URL's fetch form under a host, made when it is new."""
        origin = self._origins.get((host.id, url.scheme, url.port))
        if origin is None:
            self._connection.execute(
                "INSERT INTO origin(host_id, scheme, port, base) VALUES (?, ?, ?, ?)",
                (host.id, url.scheme, url.port, url.origin),
            )
            number = self._connection.last_insert_rowid()
            origin = Origin(number, host.id, url.origin, url.scheme, url.port, "unknown", 0.0, 0, None, None)
            self._keep_origin(origin)
        return origin

    def _load(self) -> None:
        found = rows(
            self._connection,
            f"SELECT id, name, {ADMITTED}, delay, backoff_until, last_request, pending FROM host WHERE tenant = ?",
            (self._tenant,),
        )
        for row in found:
            self._keep(Host(*row))
        found = rows(
            self._connection,
            "SELECT origin.id, host_id, base, scheme, port, robots_state, robots_due, robots_tries, robots_version, "
            "crawl_delay "
            "FROM origin JOIN host ON host.id = host_id WHERE tenant = ?",
            (self._tenant,),
        )
        for row in found:
            self._keep_origin(Origin(*row))

    def _keep(self, host: Host) -> Host:
        self._hosts[host.name] = self._by_id[host.id] = host
        return host

    def _keep_origin(self, origin: Origin) -> None:
        self._origins[origin.host, origin.scheme, origin.port] = origin
        self._origin_by_id[origin.id] = origin
