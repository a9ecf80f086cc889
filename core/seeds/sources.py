"""The sources of seeds that are fetched. One more is one file and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.seeds.archive import ARCHIVES
from core.seeds.feed import FEEDS
from core.seeds.sitemap import SITEMAPS

if TYPE_CHECKING:
    from core.seeds.base import SourceKind

SOURCES: tuple[SourceKind, ...] = (SITEMAPS, FEEDS, ARCHIVES)


def source_kind(name: str) -> SourceKind:
    """The kind of that name; names come from here, so there is one."""
    return next(kind for kind in SOURCES if kind.name == name)
