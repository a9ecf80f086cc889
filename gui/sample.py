"""The sample crawl: a small web site on this computer, and a crawl file that is set up for it.

The site runs in a thread while the window is open. Its port stands in the crawl file, so that a sample crawl that was
stopped last week finds its site again.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from core.errors import FronteiraError
from core.profile import read_profile
from core.store.crawl_file import create
from core.store.read.reader import Reader
from core.urls import Url, parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from core.demo import SiteThread

FIRST_PORT = 47_611
PORTS_APART = 20
MOST = 5
PORTS = tuple(FIRST_PORT + PORTS_APART * number for number in range(MOST))
NAME = re.compile(r"Sample shop(?: \d+)?\.crawl")
DELAY = 0.03  # seconds: about a minute of crawling


class Sample:
    """Sample crawls live in one folder, the window's own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sites: dict[Path, SiteThread] = {}

    def covers(self, path: Path) -> bool:
        """Whether this file is a sample crawl."""
        return path.parent == self._folder and NAME.fullmatch(path.name) is not None

    def open(self) -> Path:
        """A sample crawl whose site is up, a new one where none is free; raises FronteiraError where no port is."""
        for path in self._paths():
            if not path.exists():
                return self._made(path)
            if self.serve(path):
                return path
        raise _no_port()

    def serve(self, path: Path) -> bool:
        """Bring up the site of a sample crawl; False where its port is taken, or the file names none of ours."""
        port = port_of(path)
        return path in self._sites or (port is not None and self._listen(path, port))

    def close(self) -> None:
        """At the end of the program."""
        for site in self._sites.values():
            site.__exit__(None, None, None)
        self._sites.clear()

    def _made(self, path: Path) -> Path:
        """The name is the first that is free, whichever port is."""
        from core.demo import demo_settings_toml

        if not any(self._listen(path, port) for port in PORTS):
            raise _no_port()
        site = self._sites[path]
        settings, _ = read_profile(demo_settings_toml(site.root, site.roots, delay=DELAY))
        self._folder.mkdir(parents=True, exist_ok=True)
        create(path, settings)
        return path

    def _listen(self, path: Path, port: int) -> bool:
        from core.demo import SiteThread, demo_options  # only those who look at the sample need it

        # With an address each, the site's hosts have a pace each; not every system has more than one loopback address.
        site = SiteThread(demo_options("addresses" if sys.platform == "linux" else "ports"), port=port)
        try:
            self._sites[path] = site.__enter__()
        except OSError:
            return False
        return True

    def _paths(self) -> Iterator[Path]:
        for number in range(1, MOST + 1):
            yield self._folder / ("Sample shop.crawl" if number == 1 else f"Sample shop {number}.crawl")


def port_of(path: Path) -> int | None:
    """The port that a sample crawl's first seed names; raises the FileError that fits."""
    reader = Reader(path)
    try:
        seeds = reader.settings()[1].seeds.urls
    finally:
        reader.close()
    url = parse(seeds[0]) if seeds else None
    return url.port if isinstance(url, Url) and url.port in PORTS else None


def _no_port() -> FronteiraError:
    return FronteiraError(
        f"The sample site cannot listen on port {FIRST_PORT} of this computer, nor on the others it knows.",
        "Close other windows that show the sample crawl.",
    )
