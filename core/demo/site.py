"""A sample site as its connections know it: hosts, pages, options, log. Nothing listens here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.demo.log import RequestLog
from core.demo.pages import Pages
from core.errors import BadInput

if TYPE_CHECKING:
    import asyncio

    from core.demo.options import SiteOptions


class Site:
    """What a site holds and counts. It has pages once its hosts are known, which `put_up` tells."""

    def __init__(self, options: SiteOptions) -> None:
        self.connections: set[asyncio.Transport] = set()
        self.log = RequestLog()
        self.sites: tuple[str, ...] = ()
        self._names: dict[str, int] = {}
        self._options = options
        self._pages: Pages | None = None

    @property
    def roots(self) -> tuple[str, ...]:
        """Every host's base address, the first host's first."""
        return tuple(f"http://{site}" for site in self.sites)

    @property
    def pages(self) -> Pages:
        """The site's pages. Only a site that has been started has any: they name its ports."""
        if self._pages is None:
            raise RuntimeError("The sample site has not been started.")
        return self._pages

    @property
    def options(self) -> SiteOptions:
        """The options in force. Setting them takes effect with the next request.

        Raises BadInput where they would change the hosts.
        """
        return self._options

    @options.setter
    def options(self, options: SiteOptions) -> None:
        if (options.hosts, options.host_mode) != (self._options.hosts, self._options.host_mode):
            raise BadInput("hosts and host_mode cannot change while the site is up.")
        pages = Pages(options, self.sites) if self.sites else None
        self._options, self._pages = options, pages

    def put_up(self, sites: tuple[str, ...]) -> None:
        """Tell where the hosts are, as host:port in the order of their numbers."""
        self.sites = sites
        self._names = {name: i for i, site in enumerate(sites) for name in (site, site.partition(":")[0])}
        self._pages = Pages(self._options, sites)

    def host_of(self, name: str, listener: int) -> tuple[str, int]:
        """The name in the log and the number of the host that a request is meant for."""
        if self._options.host_mode == "names":
            return name or self.sites[0], self._names.get(name, 0)
        return name or self.sites[listener], listener

    def expect(self) -> dict[str, object]:
        """What the site holds: see Pages.expect."""
        return self.pages.expect()
