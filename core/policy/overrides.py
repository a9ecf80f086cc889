"""Where the analyst does not obey robots.txt: hosts written with a reason, read as every other host is.

`host` means any port, `host:port` that one, `*.host` every name below it. Engine and Explain ask the same object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.scope import HostSet

if TYPE_CHECKING:
    from core.settings import CrawlSettings, RobotsOverride
    from core.urls import Url


class RobotsOverrides:
    """Those of one version of the settings."""

    def __init__(self, settings: CrawlSettings) -> None:
        www = settings.normalise.ignore_www
        self._obeyed = settings.politeness.robots
        self._written = tuple(
            (HostSet((item.host,), ignore_www=www), item) for item in settings.politeness.robots_override
        )

    def of(self, url: Url) -> RobotsOverride | None:
        """The override that the URL's host has, or None."""
        return next((item for hosts, item in self._written if url in hosts), None)

    def obeys(self, url: Url) -> bool:
        """Whether the robots.txt of the URL's origin counts, for what it forbids and for the delay it asks for."""
        return self._obeyed and (not self._written or self.of(url) is None)
