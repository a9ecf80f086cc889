"""The sample crawl: a small web site on this computer, and a crawl file that is set up for it.

The site runs in a thread while the window is open. Its port is fixed per file, so that a sample crawl that was
stopped last week finds its site again.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from core.errors import FronteiraError
from core.profile import read_profile
from core.store.crawl_file import create

if TYPE_CHECKING:
    from pathlib import Path

    from core.demo import SiteThread

FIRST_PORT = 47_611
PORTS_APART = 20
MOST = 5
DELAY = 0.03  # seconds: about a minute of crawling


class Sample:
    """Sample crawls live in one folder, the window's own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sites: dict[Path, SiteThread] = {}

    def covers(self, path: Path) -> bool:
        """Whether this file is a sample crawl."""
        return path.parent == self._folder and path in self._paths()

    def open(self) -> Path:
        """A sample crawl whose site is up; raises FronteiraError where none of its ports is free."""
        for path in self._paths():
            if self.serve(path):
                if not path.exists():
                    self._create(path)
                return path
        raise FronteiraError(
            f"The sample site cannot listen on port {FIRST_PORT} of this computer.",
            "Close other windows that show the sample crawl.",
        )

    def serve(self, path: Path) -> bool:
        """Bring up the site of a sample crawl; False where its port is taken."""
        if path in self._sites:
            return True
        from core.demo import SiteThread, demo_options  # only those who look at the sample need it

        # With an address each, the site's hosts have a pace each; not every system has more than one loopback address.
        options = demo_options("addresses" if sys.platform == "linux" else "ports")
        site = SiteThread(options, port=FIRST_PORT + PORTS_APART * self._paths().index(path))
        try:
            self._sites[path] = site.__enter__()
        except OSError:
            return False
        return True

    def close(self) -> None:
        """At the end of the program."""
        for site in self._sites.values():
            site.__exit__(None, None, None)
        self._sites.clear()

    def _create(self, path: Path) -> None:
        from core.demo import demo_settings_toml

        site = self._sites[path]
        settings, _ = read_profile(demo_settings_toml(site.root, site.roots, delay=DELAY))
        self._folder.mkdir(parents=True, exist_ok=True)
        create(path, settings)

    def _paths(self) -> tuple[Path, ...]:
        names = ("Sample shop.crawl", *(f"Sample shop {number}.crawl" for number in range(2, MOST + 1)))
        return tuple(self._folder / name for name in names)
