"""The hosts and origins of a crawl, mirrored in memory by the writer, made on first sight."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.store.query import rows
from core.urls import Url

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from core.policy.robots import Robots

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
    robots_cause: str = ""  # why it cannot be had, as found in this session: a new one asks again
    name: str = field(init=False)  # of the URLs' host, which may be another spelling of the host's name

    def __post_init__(self) -> None:
        self.name = self.base.partition("://")[2].removesuffix(f":{self.port}")

    def url(self, path: str) -> Url:
        """The fetch form of a stored URL."""
        return Url(self.scheme, self.name, self.port, path)


@dataclass(slots=True)
class Host:
    """A host of this tenant. `admitted` counts its URLs that were let into the frontier, for the limit per host."""

    id: int
    name: str
    admitted: int
    delay: float
    backoff_until: float
    last_request: float | None
    queued: int  # pending, leased or waiting when the file was opened
    ours: int = 1  # of the crawl's tenant


class Hosts:
    """Look-ups by name and id. Only the writer's thread uses it.

    A name finds hosts of the crawl's own tenant alone; an id finds every host of the file.
    """

    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self.tenant = tenant
        self._hosts: dict[str, Host] = {}
        self._asked: dict[str, tuple[float, float | None]] = {}  # by other tenants: asked not until, and last
        self._by_id: dict[int, Host] = {}
        self._origins: dict[tuple[int, str], Origin] = {}
        self._origin_by_id: dict[int, Origin] = {}
        self.load()

    def __iter__(self) -> Iterator[Host]:
        return iter(self._hosts.values())

    @property
    def total_admitted(self) -> int:
        return sum(host.admitted for host in self)

    def find(self, name: str) -> Host | None:
        return self._hosts.get(name)

    def by_id(self, host: int) -> Host:
        return self._by_id[host]

    def origin_by_id(self, origin: int) -> Origin:
        return self._origin_by_id[origin]

    def origins(self) -> list[Origin]:
        """The origins of the crawl's own tenant."""
        return [origin for origin in self._origin_by_id.values() if self._by_id[origin.host].ours]

    def url(self, origin: int, path: str) -> Url:
        """The fetch form of a stored URL."""
        return self._origin_by_id[origin].url(path)

    def of(self, name: str) -> Host:
        """The host of that name, made when it is new."""
        host = self._hosts.get(name)
        if host is None:
            self._connection.execute("INSERT INTO host(tenant, name) VALUES (?, ?)", (self.tenant, name))
            host = self._keep(Host(self._connection.last_insert_rowid(), name, 0, 0.0, 0.0, None, 0))
            self._be_polite(host)
        return host

    def origin(self, host: Host, url: Url) -> Origin:
        """The origin of a URL's fetch form under a host, made when it is new."""
        origin = self._origins.get((host.id, url.origin))
        if origin is None:
            self._connection.execute(
                "INSERT INTO origin(host_id, scheme, port, base) VALUES (?, ?, ?, ?)",
                (host.id, url.scheme, url.port, url.origin),
            )
            number = self._connection.last_insert_rowid()
            origin = Origin(number, host.id, url.origin, url.scheme, url.port, "unknown", 0.0, 0, None, None)
            self._keep_origin(origin)
        return origin

    def load(self) -> None:
        """Read them (again) from the file, which leases that were taken back have changed."""
        self._hosts.clear()
        self._origins.clear()
        sql = (
            f"SELECT id, name, {ADMITTED}, delay, backoff_until, last_request, pending + leased + waiting, tenant = ? "
            "FROM host"
        )
        for fields in rows(self._connection, sql, (self.tenant,)):
            self._keep(Host(*fields))
        sql = "SELECT name, max(backoff_until), max(last_request) FROM host WHERE tenant <> ? GROUP BY name"
        self._asked = {name: (until, last) for name, until, last in rows(self._connection, sql, (self.tenant,))}
        for host in self:
            self._be_polite(host)
        sql = (
            "SELECT id, host_id, base, scheme, port, robots_state, robots_due, robots_tries, robots_version, "
            "crawl_delay FROM origin"
        )
        for fields in rows(self._connection, sql):
            self._keep_origin(Origin(*fields))

    def _be_polite(self, host: Host) -> None:
        """A host is one, whoever of the file asked it last."""
        until, last = self._asked.get(host.name, (0.0, None))
        host.backoff_until = max(host.backoff_until, until)
        host.last_request = max((at for at in (host.last_request, last) if at is not None), default=None)

    def _keep(self, host: Host) -> Host:
        self._by_id[host.id] = host
        if host.ours:
            self._hosts[host.name] = host
        return host

    def _keep_origin(self, origin: Origin) -> None:
        self._origins[origin.host, origin.base] = origin
        self._origin_by_id[origin.id] = origin
