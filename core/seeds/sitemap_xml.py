"""The entries of a sitemap or feed, out of XML in any state: names without namespaces, roots doubled, ends missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any

from core.seeds.xml_repair import Document, repaired

if TYPE_CHECKING:
    from collections.abc import Iterator

    Element = Any  # lxml ships no types

_CONTAINERS = frozenset(("url", "sitemap", "item", "entry"))
_NO_PARENTS = frozenset(("loc", "image"))
_FEEDS = frozenset(("feed", "channel", "rss", "rdf"))
_DATES = {"url": ("lastmod",), "sitemap": ("lastmod",), "item": ("pubdate", "date"), "entry": ("updated", "published")}


@dataclass(frozen=True, slots=True)
class Entry:
    """One container as written: `tag` is url, sitemap, item or entry; `loc` is empty where it names no address."""

    tag: str
    loc: str
    lastmod: str
    line: int


@dataclass(slots=True)
class Reading:
    """What was read so far: the root's name, the entries, the feed's next page, and the fault that ended it."""

    root: str = ""
    entries: list[Entry] = field(default_factory=list)
    next_page: str = ""
    fault: str = ""


def read_entries(source: Document, most: int) -> Reading:
    """Up to `most` entries; a document that is not well-formed is repaired and read again, its fault named."""
    strict = _read(source.body, most, source.line, recover=False)
    if not strict.fault:
        return strict
    lenient = _read(repaired(source), most, source.line, recover=True)
    lenient.fault = strict.fault
    return lenient


def _read(body: bytes, most: int, line: int, *, recover: bool) -> Reading:
    from lxml import etree  # only crawls with sitemaps or feeds need it

    reading = Reading()
    events = etree.iterparse(
        BytesIO(body),
        events=("start", "end"),
        recover=recover,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        for event, element in events:
            if event == "start":
                reading.root = reading.root or _name(element)
            elif _is_container(element):
                reading.entries += _entries(element, line)
                _forget(element)
                if len(reading.entries) >= most:
                    break
            elif _leads_on(element):
                reading.next_page = reading.next_page or str(element.get("href") or "")
    except etree.XMLSyntaxError as error:
        reading.fault = str(error.msg or "no XML at all")
    return reading


def _is_container(element: Element) -> bool:
    """`<url>` stands also within the image of a feed, and some wrap the address in `<loc>` in one."""
    parent = element.getparent()
    return _name(element) in _CONTAINERS and (parent is None or _name(parent) not in _NO_PARENTS)


def _leads_on(element: Element) -> bool:
    """`<link rel="next">` of the feed itself (RFC 5005 section 3), not of an entry or of the feed an entry is from."""
    if _name(element) != "link" or "next" not in (element.get("rel") or "").lower().split():
        return False
    parent = element.getparent()
    return parent is not None and _name(parent) in _FEEDS


def _entries(element: Element, line: int) -> list[Entry]:
    """The one entry of a container; more where several are thrown together in it, each with the date behind it."""
    tag = _name(element)
    children = list(_children(element))
    line += element.sourceline or 0
    if tag in {"item", "entry"}:
        return [Entry(tag, _feed_loc(tag, children), _date(tag, children), line)]
    at = [place for place, (name, child) in enumerate(children) if name == "loc" and _text(child)]
    if not at:
        bare = (element.text or "").strip()
        return [Entry(tag, bare if "://" in bare else "", _date(tag, children), line)]
    parts = [children[start:end] for start, end in zip([0, *at[1:]], [*at[1:], None], strict=True)]
    return [
        Entry(tag, _text(children[place][1]), _date(tag, part), line) for place, part in zip(at, parts, strict=True)
    ]


def _date(tag: str, children: list[tuple[str, Element]]) -> str:
    dates = (text for wanted in _DATES[tag] for name, child in children if name == wanted and (text := _text(child)))
    return next(dates, "")


def _feed_loc(tag: str, children: list[tuple[str, Element]]) -> str:
    if tag == "entry":
        return next((str(link.get("href") or "") for name, link in children if name == "link" and _is_page(link)), "")
    links = (_text(child) or str(child.get("href") or "") for name, child in children if name == "link")
    guids = (_text(child) for name, child in children if name == "guid" and child.get("isPermaLink") != "false")
    return next((text for text in links if text), "") or next((text for text in guids if "://" in text), "")


def _is_page(link: Element) -> bool:
    return (link.get("rel") or "alternate") == "alternate"


def _children(element: Element) -> Iterator[tuple[str, Element]]:
    for child in element:
        if isinstance(child.tag, str):  # comments and entities have none
            yield _name(child), child


def _name(element: Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def _text(element: Element) -> str:
    return "".join(element.itertext()).strip().strip("\ufeff\u200b").strip()


def _forget(element: Element) -> None:
    """Free what was read, so that a large sitemap costs no tree."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
