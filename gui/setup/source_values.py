"""The seed sources that are fetched, as one list: sitemaps, feeds and archives of the settings, and back. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import msgspec
from PySide6.QtCore import QCoreApplication

from core.settings import Archive, Feed
from gui.figures import count
from gui.foreign_text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.preview import SourcePreview
    from core.settings import CrawlSettings

Source: TypeAlias = str | Feed | Archive  # a text is the address of a sitemap

AUTO = "auto"  # the sitemaps that robots.txt names; ticked beside the seeds
KINDS = ("sitemap", "feed", "archive")
KEYS = {"sitemap": "sitemaps", "feed": "feeds", "archive": "archives"}
BLANK: dict[str, Source] = {
    "sitemap": "",
    "feed": Feed(url="", format="json"),
    "archive": Archive(endpoint="", form="internet-archive", query=""),
}


def kind_of(source: Source) -> str:
    """sitemap, feed or archive."""
    return "feed" if isinstance(source, Feed) else "archive" if isinstance(source, Archive) else "sitemap"


def address_of(source: Source) -> str:
    """What is fetched first."""
    if isinstance(source, Feed):
        return source.url
    return source.endpoint if isinstance(source, Archive) else source


def detail_of(source: Source) -> str:
    """How it is read."""
    if isinstance(source, Feed):
        place = {"csv": source.column, "rss": ""}.get(source.format, source.path)
        return f"{FORMATS[source.format]} {place}".strip()
    return f"{FORMS[source.form]} {source.query}" if isinstance(source, Archive) else ""


FORMATS = {"json": "JSON", "jsonl": "JSON Lines", "csv": "CSV", "rss": "RSS or Atom"}
FORMS = {"internet-archive": "Internet Archive", "common-crawl": "Common Crawl"}


def written(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Those with an address, by kind, in their order: as the settings hold them."""
    there = [source for source in sources if address_of(source).strip()]
    return tuple(source for kind in KINDS for source in there if kind_of(source) == kind)


def sources_of(settings: CrawlSettings) -> tuple[Source, ...]:
    """All that the settings name, but for `auto`."""
    seeds = settings.seeds
    return (*(text for text in seeds.sitemaps if text != AUTO), *seeds.feeds, *seeds.archives)


def with_sources(settings: CrawlSettings, sources: Sequence[Source]) -> CrawlSettings:
    """The settings with exactly these; `auto` stays as it is."""
    there = written(sources)
    auto = (AUTO,) if AUTO in settings.seeds.sitemaps else ()
    seeds = msgspec.structs.replace(
        settings.seeds,
        sitemaps=(*auto, *(source for source in there if isinstance(source, str))),
        feeds=tuple(source for source in there if isinstance(source, Feed)),
        archives=tuple(source for source in there if isinstance(source, Archive)),
    )
    return msgspec.structs.replace(settings, seeds=seeds)


def key_of(sources: Sequence[Source], place: int, *, auto: bool) -> str:
    """The settings key of the source at that place, such as `seeds.feeds[1]`; empty for one without an address."""
    kind = kind_of(sources[place])
    if not address_of(sources[place]).strip():
        return ""
    before = [each for each in sources[:place] if kind_of(each) == kind and address_of(each).strip()]
    return f"seeds.{KEYS[kind]}[{len(before) + (auto and kind == 'sitemap')}]"


def preview_words(found: SourcePreview) -> str:
    """What a source would bring, in one line."""
    parts = [say("{0} URLs, {1} new").format(count(found.found), count(found.new))]
    parts += [say("{0} kept out by the rules").format(count(found.refused))] if found.refused else []
    parts += [shown(text) for text in (found.note, found.problem) if text]
    return " · ".join(parts if found.found or not found.problem else parts[-1:])


def say(text: str) -> str:
    return QCoreApplication.translate("sources", text)
