"""Where a crawl does less than it should by itself: certificates it does not look at, robots.txt it does not obey.

The settings say so, host by host; the window says it again beside the host and above the views, so that nobody
forgets. Values and words only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.policy.overrides import RobotsOverrides
from core.urls import Url, parse
from gui.foreign_text import shown

if TYPE_CHECKING:
    from core.settings import CrawlSettings

MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Exemptions:
    """Those of one version of the settings."""

    settings: CrawlSettings

    def of(self, host: str) -> str:
        """What is different about this host, in a few words; empty for most."""
        said = [say("certificate not checked")] if host.lower() in self._unchecked() else []
        if self._overridden(host):
            said.append(say("robots.txt not obeyed"))
        return ", ".join(said)

    def in_short(self) -> str:
        """All of them in one line; empty where the crawl makes no exception."""
        parts = []
        unchecked, disobeyed = self.settings.fetch.untrusted_tls, self.settings.politeness.robots_override
        if unchecked:
            parts.append(_counted(say("Certificate not checked: {0}"), [shown(host, 60) for host in unchecked]))
        if not self.settings.politeness.robots:
            parts.append(say("robots.txt not asked for"))
        elif disobeyed:
            parts.append(_counted(say("robots.txt not obeyed: {0}"), [shown(item.host, 60) for item in disobeyed]))
        return " · ".join(parts)

    def in_full(self) -> str:
        """A line each, with the reasons on record."""
        lines = [say("{0}: certificate not checked").format(host) for host in self.settings.fetch.untrusted_tls]
        lines += [
            say("{0}: robots.txt not obeyed ({1})").format(item.host, item.reason)
            for item in self.settings.politeness.robots_override
        ]
        if not self.settings.politeness.robots:
            lines.append(say("robots.txt is asked for at no host"))
        more = len(lines) - MOST_NAMED
        return "\n".join([*lines[:MOST_NAMED], *([say("… and {0} more").format(more)] if more > 0 else [])])

    def _unchecked(self) -> frozenset[str]:
        return frozenset(_name(host) for host in self.settings.fetch.untrusted_tls)

    def _overridden(self, host: str) -> bool:
        """Also where only one port of the host is meant."""
        if any(_name(item.host) == host.lower() for item in self.settings.politeness.robots_override):
            return True
        url = parse(f"http://{host}/")
        return isinstance(url, Url) and RobotsOverrides(self.settings).of(url) is not None


def _name(host: str) -> str:
    url = parse(f"http://{host}/")
    return url.host if isinstance(url, Url) else host.lower()


def _counted(words: str, hosts: list[str]) -> str:
    return words.format(hosts[0] if len(hosts) == 1 else say("{0} hosts").format(len(hosts)))


def say(text: str) -> str:
    return QCoreApplication.translate("exemptions", text)
