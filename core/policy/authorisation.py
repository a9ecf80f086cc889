"""Who allowed the crawl of a host, and up to which day. A host that no authorisation names needs none.

Of several for one host the longest counts. A day ends at midnight UTC. Pure: the time comes in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.scope import HostSet

if TYPE_CHECKING:
    from core.settings import Authorisation, CrawlSettings
    from core.urls import Url

WORD = "authorisation"  # that a reason begins with
DAY = 86_400.0  # seconds
_EPOCH = 719_163  # date(1970, 1, 1).toordinal()


class Authorisations:
    """Those of one version of the settings."""

    def __init__(self, settings: CrawlSettings) -> None:
        www = settings.normalise.ignore_www
        self._written = tuple((HostSet((item.host,), ignore_www=www), item) for item in settings.scope.authorised)

    def of(self, url: Url) -> Authorisation | None:
        """The authorisation for a URL's host that lasts longest, or None where nobody wrote one."""
        if not self._written:
            return None
        return max((item for hosts, item in self._written if url in hosts), key=lambda item: item.until, default=None)

    def expired(self, url: Url, at: float) -> Authorisation | None:
        """The authorisation that has run out at this wall time, or None where the URL may be fetched."""
        item = self.of(url)
        return item if item is not None and at >= end(item) else None


def end(item: Authorisation) -> float:
    """The first second (Unix time) in which nothing may be fetched any more."""
    return (item.until.toordinal() - _EPOCH + 1) * DAY


def reason_of(item: Authorisation) -> str:
    """Why a URL is blocked."""
    return f"{WORD}: until {item.until.isoformat()}"
