"""Sitemaps and feeds: a body of any kind becomes addresses, child sitemaps and warnings; never an error.

Told by content, not by name or header: gzip, XML (sitemaps.org with or without namespace, RSS, Atom) or plain text.
What can be read is read: bad XML is repaired, a bad date is left out, an entity loses its own entry only. Bounded: 50
MB decoded and 50,000 addresses, the limits of the sitemaps.org protocol. Entries on other hosts are kept; the crawl's
scope decides about them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.seeds.addresses import AddressList
from core.seeds.base import Arrived, Found, Harvest, SourceKind, Warned, Warnings, clipped
from core.seeds.inflate import inflated, whole_lines
from core.seeds.lastmod import read_lastmod
from core.seeds.paging import next_page
from core.seeds.sitemap_xml import Entry, Reading, read_entries
from core.seeds.xml_repair import document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.settings import Seeds

MOST_OCTETS = 50 * 1024 * 1024
MOST_URLS = 50_000

Kind = Literal["urlset", "index", "text", "rss", "atom", "none"]
_ROOTS: dict[str, Kind] = {"urlset": "urlset", "sitemapindex": "index", "rss": "rss", "rdf": "rss", "feed": "atom"}


@dataclass(frozen=True, slots=True)
class Sitemap:
    """One sitemap or feed as read: `entries` are pages, `children` further sitemaps, in order, each once.

    `next_page` is where a feed says that it goes on, raw.
    """

    kind: Kind
    entries: tuple[Found, ...] = ()
    children: tuple[Found, ...] = ()
    warnings: tuple[Warned, ...] = ()
    next_page: str = ""

    @property
    def is_feed(self) -> bool:
        return self.kind in {"rss", "atom"}


def read_sitemap(body: bytes | Iterable[bytes], base: str, *, whole: bool = True) -> Sitemap:
    """Read a sitemap. `body` may come in pieces, cut anywhere; `base` is the address it finally came from.

    `whole` is false where the transfer broke off.
    """
    warnings = Warnings()
    octets, trouble = inflated((body,) if isinstance(body, bytes) else body, MOST_OCTETS)
    if trouble:
        warnings.add(trouble)
    list_ = AddressList(base, warnings)
    source = document(octets)
    if source.body.startswith(b"<"):
        if source.had_doctype:
            warnings.add("The document type declaration was ignored; entities it defines are refused.")
        return _from_xml(read_entries(source, MOST_URLS + 1), list_, warnings)
    return _from_text(octets if whole and not trouble else whole_lines(octets), list_, warnings)


def _from_xml(reading: Reading, list_: AddressList, warnings: Warnings) -> Sitemap:
    if reading.root == "html" or not (reading.entries or reading.root in _ROOTS):
        warnings.add("This is not a sitemap.")
        return Sitemap("none", warnings=warnings.all())
    if reading.fault:
        warnings.add(f"The XML is not well-formed and was repaired ({clipped(reading.fault)}).")
    if len(reading.entries) > MOST_URLS:
        warnings.add(f"Only the first {MOST_URLS:,} entries were read.")
    for entry in reading.entries[:MOST_URLS]:
        _take_entry(entry, list_, warnings)
    kind = _ROOTS.get(reading.root) or ("index" if list_.children and not list_.found else "urlset")
    return Sitemap(kind, tuple(list_.found), tuple(list_.children), warnings.all(), reading.next_page)


def _take_entry(entry: Entry, list_: AddressList, warnings: Warnings) -> None:
    if not entry.loc:
        warnings.add("An entry names no address.", entry.line)
        return
    lastmod = read_lastmod(entry.lastmod) if entry.lastmod else None
    if entry.lastmod and lastmod is None:
        warnings.add(f"“{clipped(entry.lastmod, 60)}” is no date; the address was kept.", entry.line)
    list_.take(entry.loc, lastmod, entry.line, is_child=entry.tag == "sitemap")


def _from_text(octets: bytes, list_: AddressList, warnings: Warnings) -> Sitemap:
    text = octets.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    written = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not any(line.lower().startswith(("http://", "https://")) for _, line in written):
        warnings.add("This is not a sitemap.")
        return Sitemap("none", warnings=warnings.all())
    for number, line in written:
        if len(list_.found) >= MOST_URLS:
            warnings.add(f"Only the first {MOST_URLS:,} addresses were read.")
            break
        list_.take(line, None, number)
    return Sitemap("text", tuple(list_.found), (), warnings.all())


def _written(seeds: Seeds) -> tuple[str, ...]:
    """`auto` stands for those that robots.txt names."""
    return tuple(text for text in seeds.sitemaps if text != "auto")


def _harvest(arrived: Arrived) -> Harvest:
    read = read_sitemap(arrived.body, arrived.base, whole=arrived.whole)
    named = bool(read.entries or read.children)
    refused = not named and bool(read.warnings)  # an empty sitemap that has no fault is a sitemap
    following, faults = next_page(arrived, read.next_page) if read.is_feed else (None, ())
    return Harvest(
        *(read.entries, read.children, (*read.warnings, *faults)),
        readable=read.kind != "none" and not refused,
        next_page=following,
    )


SITEMAPS = SourceKind("sitemap", _written, _harvest)
