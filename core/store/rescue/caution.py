"""Settings that a stranger's file may not bring along unconfirmed: what widens the scope, reaches into the analyst's
own network or files, sends something of the analyst's, spares a site less than the defaults do, or runs rules on pages.

Whoever made the file wrote them. They are left out of the settings in force, and each is named, so that the analyst can
confirm them all at once, or write them again one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from core.errors import Problem
from core.policy.scope import is_private
from core.settings import Budgets, CrawlSettings, Fetch, Notify, Politeness, Scope, Seeds
from core.urls import Url, parse

if TYPE_CHECKING:
    from collections.abc import Callable

NEAR = (".local", ".internal", ".lan", ".home.arpa")
LEFT_OUT = "left out: it comes from a file that was not made here"

# By section, the keys that are put back to their defaults where they differ.
RISKY: dict[str, tuple[str, ...]] = {
    "seeds": ("files",),
    "scope": ("hosts", "subdomains", "forms"),
    "politeness": ("robots", "robots_override", "nofollow", "adaptive"),
    "fetch": (
        *("user_agent", "headers", "auth", "cookies", "accept_cookies"),
        *("proxy", "resolve", "ca_file", "untrusted_tls"),
    ),
    "notify": ("file", "webhook"),
}
# By section, the numbers that may not be lower, and those that may not be higher, than by default.
AT_LEAST: dict[str, tuple[str, ...]] = {"politeness": ("delay",)}
AT_MOST: dict[str, tuple[str, ...]] = {"politeness": ("per_host", "concurrency"), "budgets": ("max_body_bytes",)}
DEFAULTS = {
    "seeds": Seeds(),
    "scope": Scope(),
    "politeness": Politeness(),
    "fetch": Fetch(),
    "notify": Notify(),
    "budgets": Budgets(),
}


def cautious(settings: CrawlSettings) -> tuple[CrawlSettings, tuple[Problem, ...]]:
    """The settings without what needs a confirmation, and what was left out, by its key."""
    left_out: list[Problem] = []
    changed: dict[str, Any] = {}
    for name, default in DEFAULTS.items():
        section = getattr(settings, name)
        back = {key: getattr(default, key) for key in _doubtful(name, section, default)}
        left_out += [Problem(f"{name}.{key}", LEFT_OUT) for key in back]
        changed[name] = msgspec.structs.replace(section, **back)
    seeds, local = _without_local(changed["seeds"])
    changed["seeds"] = seeds
    left_out += [Problem(f"seeds.{key}", f"{LEFT_OUT}, and leads into your own network") for key in local]
    left_out += [Problem(f"records[{number}]", LEFT_OUT) for number in range(len(settings.records))]
    return msgspec.structs.replace(settings, records=(), **changed), tuple(left_out)


def _doubtful(name: str, section: Any, default: Any) -> list[str]:
    found = [key for key in RISKY.get(name, ()) if getattr(section, key) != getattr(default, key)]
    found += [key for key in AT_LEAST.get(name, ()) if getattr(section, key) < getattr(default, key)]
    return found + [key for key in AT_MOST.get(name, ()) if getattr(section, key) > getattr(default, key)]


def _without_local(seeds: Seeds) -> tuple[Seeds, list[str]]:
    """The seeds and sources that do not lead into the analyst's own network, and the keys that did."""
    address: dict[str, Callable[[Any], str]] = {
        "urls": str,
        "sitemaps": str,
        "feeds": lambda feed: feed.url,
        "archives": lambda archive: archive.endpoint,
    }
    changed: dict[str, Any] = {}
    for key, text in address.items():
        changed[key] = tuple(item for item in getattr(seeds, key) if not _is_local(text(item)))
    gone = [key for key, kept in changed.items() if kept != getattr(seeds, key)]
    return msgspec.structs.replace(seeds, **changed), gone


def _is_local(text: str) -> bool:
    url = parse(text)
    if not isinstance(url, Url):
        return False
    near = url.host.endswith(NEAR) or not ("." in url.host or url.host.startswith("["))
    return near or is_private(url.host)
