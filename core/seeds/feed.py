"""A partner's feed or API: JSON, JSON Lines, CSV, RSS or Atom becomes addresses and warnings; never an error.

The settings say where the addresses stand: a path in JSON (`$.items[*].url`), a column in CSV. A row that holds none is
a warning with its number and costs no more than itself. Gzip is told by content. Bounded: 50 MB decoded, 500,000
addresses a page. A feed that moved or changed its form so that nothing can be read of it says so. A feed that comes in
pages leads on to the next one.
"""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

from core.errors import BadSelector
from core.json_path import flat, rows_at, steps_of
from core.seeds.addresses import AddressList
from core.seeds.base import Arrived, Harvest, SourceKind, Warnings, clipped
from core.seeds.files import decoded
from core.seeds.inflate import inflated, whole_lines
from core.seeds.paging import next_page
from core.seeds.sitemap import read_sitemap
from core.urls import Url, parse_seed_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.json_path import JsonValue, Steps
    from core.settings import Feed, Seeds

    Rows = Iterator[tuple[int, JsonValue]]

MOST_OCTETS = 50 * 1024 * 1024
MOST_URLS = 500_000
_DELIMITERS = (",", ";", "\t", "|")


def read_feed(arrived: Arrived, feed: Feed) -> Harvest:
    """Read a feed, or a later page of one, as its settings say."""
    harvest, named = _read_rss(arrived) if feed.format == "rss" else _read_rows(arrived, feed)
    following, faults = next_page(arrived, named) if harvest.readable else (None, ())
    return replace(harvest, next_page=following, warnings=(*harvest.warnings, *faults))


def _read_rss(arrived: Arrived) -> tuple[Harvest, str]:
    read = read_sitemap(arrived.body, arrived.base, whole=arrived.whole)
    return Harvest(read.entries, (), read.warnings, readable=read.is_feed), read.next_page


def _read_rows(arrived: Arrived, feed: Feed) -> tuple[Harvest, str]:
    """The feed, and what it says of its next page."""
    warnings = Warnings("entry" if feed.format == "json" else "line")
    octets, trouble = inflated((arrived.body,), MOST_OCTETS)
    if trouble:
        warnings.add(trouble)
    if feed.format != "json" and (trouble or not arrived.whole):
        octets = whole_lines(octets)
    list_ = AddressList(arrived.base, warnings)
    rows, named, readable = _READERS[feed.format](decoded(octets), feed, warnings)
    for number, value in rows:
        readable = True
        if len(list_.found) >= MOST_URLS:
            warnings.add(f"Only the first {MOST_URLS:,} addresses were read.")
            break
        _take(value, number, list_, warnings)
    return Harvest(tuple(list_.found), (), warnings.all(), readable=readable or not octets.strip()), named


def _take(value: JsonValue, number: int, list_: AddressList, warnings: Warnings) -> None:
    """One row: an address, or several in a list."""
    for each in flat([value]):
        if isinstance(each, str) and each.strip():
            list_.take(each.strip(), None, number)
        else:
            warnings.add("There is no address.", number)


def _json(text: str, feed: Feed, warnings: Warnings) -> tuple[Rows, str, bool]:
    """The rows of a document, its next page (`next_url`, JSON Feed 1.1), and whether it says that there are none."""
    steps = _steps(feed, warnings)
    if steps is None:
        return iter(()), "", False
    document, fault = _decoded_json(text)
    if fault:
        warnings.add(f"This is no JSON ({fault}).")
        return iter(()), "", False
    named = document.get("next_url") if isinstance(document, dict) else ""
    following = named if isinstance(named, str) else ""
    if _is_empty_list(document, steps):
        return iter(()), following, True
    return _counted(rows_at(document, steps), feed, warnings), following, False


def _is_empty_list(document: JsonValue, steps: Steps) -> bool:
    """Whether the path comes to a list without members: a feed that brings nothing now, or the page behind its last."""
    place = document
    for step in steps:
        if not isinstance(step, str) or not isinstance(place, dict):
            break
        place = place.get(step)
    return place == []


def _counted(values: Iterator[JsonValue], feed: Feed, warnings: Warnings) -> Rows:
    number = 0
    for number, value in enumerate(values, 1):
        yield number, value
    if not number:
        warnings.add(f"Nothing stands at the path {clipped(feed.path, 80)}.")


def _jsonl_rows(text: str, feed: Feed, warnings: Warnings) -> Rows:
    steps = _steps(feed, warnings)
    for number, line in enumerate(text.split("\n"), 1) if steps is not None else ():
        if not line.strip():
            continue
        document, fault = _decoded_json(line)
        if fault:
            warnings.add(f"This is no JSON ({fault}).", number)
        elif steps is not None:
            yield from ((number, value) for value in rows_at(document, steps))


def _csv_rows(text: str, feed: Feed, warnings: Warnings) -> Rows:
    rows = _cells(text, warnings)
    _, heading = next(rows, (0, []))
    names = [name.strip().lower() for name in heading]
    if feed.column.strip().lower() not in names:
        known = clipped(", ".join(name.strip() for name in heading if name.strip()), 120) or "none"
        warnings.add(f"There is no column “{clipped(feed.column, 60)}”; there are: {known}.")
        return
    place = names.index(feed.column.strip().lower())
    yield from ((line, cells[place] if place < len(cells) else None) for line, cells in rows)


_READERS: dict[str, Callable[[str, Feed, Warnings], tuple[Rows, str, bool]]] = {
    "json": _json,
    "jsonl": lambda text, feed, warnings: (_jsonl_rows(text, feed, warnings), "", False),
    "csv": lambda text, feed, warnings: (_csv_rows(text, feed, warnings), "", False),
}


def _cells(text: str, warnings: Warnings) -> Iterator[tuple[int, list[str]]]:
    """Each row that holds anything, with the line it ends on."""
    import csv  # only crawls with such a feed need it

    heading = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(_DELIMITERS, key=heading.count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            warnings.add(f"The row cannot be read ({error}).", reader.line_num)
            continue
        if any(cell.strip() for cell in cells):
            yield reader.line_num, cells


def _steps(feed: Feed, warnings: Warnings) -> Steps | None:
    try:
        return steps_of(feed.path)
    except BadSelector as fault:
        warnings.add(str(fault))
        return None


def _decoded_json(text: str) -> tuple[JsonValue, str]:
    """The document, or why there is none."""
    import msgspec  # settings are made of it, so it is loaded

    try:
        document: JsonValue = msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        return None, clipped(str(error), 120)
    return document, ""


def _written(seeds: Seeds) -> tuple[str, ...]:
    return tuple(feed.url for feed in seeds.feeds)


def _harvest(arrived: Arrived) -> Harvest:
    """By every feed of the settings that has this address: an API may be read along more than one path."""
    feeds = [feed for feed in arrived.seeds.feeds if _address(feed) == (arrived.first or arrived.asked)]
    if not feeds:
        warnings = Warnings()
        warnings.add("This feed stands in the settings no longer.")
        return Harvest((), (), warnings.all(), readable=False)
    read = [read_feed(arrived, feed) for feed in feeds]
    entries = {found.url_text: found for harvest in read for found in harvest.entries}
    warned = tuple(warning for harvest in read for warning in harvest.warnings)
    following = next((harvest.next_page for harvest in read if harvest.next_page), None)
    return Harvest(tuple(entries.values()), (), warned, any(harvest.readable for harvest in read), following)


def _address(feed: Feed) -> str:
    url = parse_seed_line(feed.url)
    return url.text if isinstance(url, Url) else ""


FEEDS = SourceKind("feed", _written, _harvest)
