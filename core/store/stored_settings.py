"""The settings as they may stand in a crawl file: without the passwords that somebody typed into an address.

The file holds references to secrets, never the secrets themselves; a user and a password in a seed would be
sent to nobody anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.settings import encode
from core.urls import without_user_info

if TYPE_CHECKING:
    from core.settings import CrawlSettings, Seeds


def stored(settings: CrawlSettings) -> str:
    """The text of a settings row."""
    return encode(replace(settings, seeds=_without_passwords(settings.seeds)))


def _without_passwords(seeds: Seeds) -> Seeds:
    return replace(
        seeds,
        urls=tuple(map(_address, seeds.urls)),
        sitemaps=tuple(map(_address, seeds.sitemaps)),
        feeds=tuple(replace(feed, url=_address(feed.url)) for feed in seeds.feeds),
        archives=tuple(replace(archive, endpoint=_address(archive.endpoint)) for archive in seeds.archives),
    )


def _address(text: str) -> str:
    """As it was typed, where nobody is named in it."""
    return without_user_info(text) if "@" in text and "//" in text else text
