"""Which better sources a site has than one of its pages, and what a source would bring.

Nothing of the crawl is touched: requests go out as the crawl would send them, a few of them, within a deadline, and the
caller may cancel at any time. What could not be read to its end says so and counts what was read.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from core.fetch.secrets import Secrets
from core.policy import Facts, Policy, Robots, product_token
from core.preview.feed_links import feeds_named
from core.preview.source_reading import SourceReading
from core.preview.visit import Visit, has_body
from core.seeds.robots import sitemaps_named
from core.seeds.sources import source_kind
from core.settings import Archive, Feed, Seeds
from core.urls import Rejected, Rules, Url, fetch_form, key_form, parse, parse_seed_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.seeds.base import SourceName
    from core.settings import CrawlSettings

    Known: TypeAlias = Callable[[Sequence[str]], set[str]]

Source: TypeAlias = str | Feed | Archive  # as the settings hold them; a text is the address of a sitemap

DEADLINE = 20.0  # seconds
MOST_OFFERS = 12
EXAMPLES = 20
PIECE = 1000  # key forms asked for at once
LATE = "At least: the time was over."


@dataclass(frozen=True, slots=True)
class Offer:
    """A source of a site and how many URLs it would bring; `note` says what is to be known about the number.

    `feed` is how a feed is read, where it is neither RSS nor Atom.
    """

    kind: SourceName
    address: str
    count: int
    note: str = ""
    feed: Feed | None = None

    def added_to(self, settings: CrawlSettings) -> CrawlSettings:
        """The settings with this source among the seeds; the same ones where it is there already."""
        feed = self.feed or Feed(url=self.address, format="rss")
        return with_source(settings, self.address if self.kind == "sitemap" else feed)


@dataclass(frozen=True, slots=True)
class SourcePreview:
    """What a source would bring: URLs it names (each key form once), of them kept out by the crawl's rules, and new.

    `examples` are the first new ones. `note` says where not all was read, `problem` why nothing or not all could be.
    """

    kind: SourceName
    address: str
    found: int = 0
    refused: int = 0
    new: int = 0
    examples: tuple[str, ...] = ()
    note: str = ""
    problem: str = ""


async def find_sources(
    url: Url, settings: CrawlSettings, secrets: Secrets | None = None, seconds: float = DEADLINE
) -> list[Offer]:
    """The sitemaps and feeds of the site of `url`, the richest first: named in robots.txt, usual, named on the page.

    A source that the site names and that cannot be read is offered too, with its fault as note. Raises SecretMissing.
    """
    visit = Visit(settings, secrets or Secrets(), typed=url)
    offers: list[Offer] = []
    reading: tuple[Source, SourceReading] | None = None
    try:
        async with asyncio.timeout(seconds):
            for source, place, named in await _candidates(url, settings, visit):
                read = SourceReading(source_kind(_kind(source)), place, visit, _seeds(source))
                reading = (source, read)
                await read.run()
                reading = None
                if read.entries or named:
                    offers.append(_offer(source, read, read.note or read.problem))
    except TimeoutError:
        if reading is not None:
            offers.append(_offer(*reading, LATE))
    return sorted(offers, key=lambda offer: (offer.kind != "sitemap", -offer.count))


async def preview_source(
    source: Source, settings: CrawlSettings, known: Known, secrets: Secrets | None = None, seconds: float = DEADLINE
) -> SourcePreview:
    """What one source would bring a crawl with these settings.

    `known` is told key forms, at most 1,000 at a time, and answers those that the crawl has; it is called in the
    caller's thread. Raises BadPattern for settings with one, and SecretMissing.
    """
    seeds = _seeds(source)
    kind = source_kind(_kind(source))
    address = next(iter(kind.written(seeds)), "")
    url = parse_seed_line(address)
    if isinstance(url, Rejected):
        return SourcePreview(kind.name, address, problem=url.message)
    settings = with_source(settings, source)
    reading = SourceReading(kind, url, Visit(settings, secrets or Secrets(), typed=url), seeds)
    late = ""
    try:
        async with asyncio.timeout(seconds):
            await reading.run()
    except TimeoutError:
        late = LATE
    judged = await asyncio.to_thread(_judged, tuple(reading.entries), settings, kind.name)
    new = [fetch for key, fetch in judged.items() if fetch]
    strange = await _strange([key for key, fetch in judged.items() if fetch], known)
    examples = [judged[key] for key in strange[:EXAMPLES]]
    return SourcePreview(
        *(kind.name, address, len(judged), len(judged) - len(new), len(strange), tuple(examples)),
        note=late or reading.note,
        problem=reading.problem,
    )


def with_source(settings: CrawlSettings, source: Source) -> CrawlSettings:
    """The settings with this source among the seeds, once."""
    seeds, mine = settings.seeds, _seeds(source)
    added = {
        name: tuple(dict.fromkeys((*getattr(seeds, name), *getattr(mine, name))))
        for name in ("sitemaps", "feeds", "archives")
    }
    return msgspec.structs.replace(settings, seeds=msgspec.structs.replace(seeds, **added))


def _offer(source: Source, read: SourceReading, note: str) -> Offer:
    if isinstance(source, Feed):
        return Offer("feed", source.url, len(read.entries), note, source if source.format != "rss" else None)
    return Offer("sitemap", str(source), len(read.entries), note)


async def _candidates(url: Url, settings: CrawlSettings, visit: Visit) -> list[tuple[Source, Url, bool]]:
    """What may be a source, where, and whether the site itself says so."""
    found: dict[str, tuple[Source, Url, bool]] = {}
    robots, _ = await visit.fetch(_at_root(url, "/robots.txt"))
    for sitemap in _sitemaps(robots.body, url, settings) if has_body(robots) else ():
        found.setdefault(sitemap.text, (sitemap.text, sitemap, True))
    usual = _at_root(url, "/sitemap.xml")
    found.setdefault(usual.text, (usual.text, usual, False))
    page, came_from = await visit.fetch(url)
    for feed in feeds_named(page, came_from) if has_body(page) else ():
        place = parse(feed.url)
        if isinstance(place, Url):
            found.setdefault(place.text, (feed, place, True))
    return list(found.values())[:MOST_OFFERS]


def _sitemaps(robots: bytes, url: Url, settings: CrawlSettings) -> Iterator[Url]:
    lines = Robots.parse(robots, product_token(settings.fetch.user_agent)).sitemaps
    named, _ = sitemaps_named(lines, _at_root(url, "/robots.txt").text)
    return (place for found in named if isinstance(place := parse(found.url_text), Url))


def _at_root(url: Url, target: str) -> Url:
    place = parse(url.origin + target)
    return place if isinstance(place, Url) else url


def _judged(addresses: tuple[str, ...], settings: CrawlSettings, kind: SourceName) -> dict[str, str]:
    """Key form to fetch form; empty where the crawl's rules keep the URL out."""
    policy, rules, facts = Policy(settings), Rules.of(settings.normalise), Facts(depth=0, via=kind)
    judged: dict[str, str] = {}
    for address in addresses:
        url = parse(address)
        if isinstance(url, Url):
            fetch, key = fetch_form(url, rules), key_form(url, rules)
            judged.setdefault(key.text, "" if policy.static(fetch, key, facts) else fetch.text)
    return judged


async def _strange(keys: list[str], known: Known) -> list[str]:
    """Those the crawl does not know; others have their turn between the pieces."""
    strange: list[str] = []
    for start in range(0, len(keys), PIECE):
        piece = keys[start : start + PIECE]
        there = known(piece)
        strange += [key for key in piece if key not in there]
        await asyncio.sleep(0)
    return strange


def _kind(source: Source) -> SourceName:
    return "feed" if isinstance(source, Feed) else "archive" if isinstance(source, Archive) else "sitemap"


def _seeds(source: Source) -> Seeds:
    """Seeds with this source alone."""
    if isinstance(source, Feed):
        return Seeds(feeds=(source,))
    return Seeds(archives=(source,)) if isinstance(source, Archive) else Seeds(sitemaps=(source,))
