"""What a web archive knows of a site: the CDX API in the forms of the Internet Archive and of Common Crawl.

Archives know pages that nothing links to any more. They are asked for what they saw with a 2xx status as HTML, page by
page; each page is a source of its own, and its address alone says what comes next, so paging goes on after a kill.

    internet-archive    rows of a JSON array, a heading first; a `resumeKey` behind an empty row leads on
                        (https://github.com/internetarchive/wayback/tree/master/wayback-cdx-server)
    common-crawl        one JSON object a line; `showNumPages` says how many pages `page=` may ask for
                        (https://github.com/webrecorder/pywb/wiki/CDX-Server-API)

A server that answers `showNumPages` with captures is paged on until a page brings none. Never an error; bounded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from core.seeds.addresses import AddressList
from core.seeds.base import Arrived, Found, Harvest, SourceKind, Warnings, clipped
from core.seeds.files import decoded
from core.seeds.inflate import inflated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.json_path import JsonValue
    from core.settings import Archive, Seeds

MOST_OCTETS = 50 * 1024 * 1024
MOST_PAGES = 1000  # of one archive
ROWS = 5000  # that the Internet Archive is asked for at once

_PARAMETERS = {
    "internet-archive": (
        *(("output", "json"), ("fl", "original,statuscode,mimetype"), ("collapse", "urlkey")),
        *(
            ("filter", "statuscode:2.."),
            ("filter", "mimetype:text/html"),
            ("limit", str(ROWS)),
            ("showResumeKey", "true"),
        ),
    ),
    "common-crawl": (
        *(("output", "json"), ("fl", "url,status,mime"), ("filter", "~status:2.."), ("filter", "=mime:text/html")),
        *(("page", "0"), ("showNumPages", "true")),
    ),
}
_ADDRESS = ("url", "original")
_STATUS = ("status", "statuscode")
_TYPE = ("mime", "mimetype")
_HTML = frozenset(("text/html", "application/xhtml+xml"))
_UNSAID = frozenset(("", "-", "unk"))
_KEY = re.compile(r"(?:[A-Za-z0-9+._~!*'()-]|%[0-9A-Fa-f]{2})*+")  # encoded already, as the Internet Archive does


def first_page(archive: Archive) -> str:
    """The address that is asked first. A host or prefix without a star means everything below it."""
    query = archive.query.strip()
    if "*" not in query:
        query += "*" if "/" in (query.partition("://")[2] or query) else "/*"
    pairs = (("url", query), *_PARAMETERS[archive.form])
    written = "&".join(f"{name}={quote(value, safe='*/:,.~')}" for name, value in pairs)
    return f"{archive.endpoint}{'&' if '?' in archive.endpoint else '?'}{written}"


def read_page(body: bytes, address: str) -> Harvest:
    """The captures of one page as entries, and the pages that come next as children; `address` is the page's own."""
    warnings = Warnings()
    octets, trouble = inflated((body,), MOST_OCTETS)
    if trouble:
        warnings.add(trouble)
    text = decoded(octets)
    rows = list(_rows(text, warnings))
    pages = _page_count(rows)
    if pages is not None:
        return Harvest((), _counted(address, pages, warnings), warnings.all())
    list_ = AddressList("", warnings)
    key = _read_rows(rows, list_, warnings)
    entries = tuple(list_.found)
    return Harvest(
        entries, _next(address, key, bool(entries)), warnings.all(), readable=bool(rows) or not warnings.all()
    )


def _rows(text: str, warnings: Warnings) -> Iterator[JsonValue]:
    """The rows of an array, or the values of lines. An array that was cut off is read line by line too."""
    import msgspec

    faults = (msgspec.DecodeError, ValueError, RecursionError)
    try:
        whole: JsonValue = msgspec.json.decode(text)
        yield from whole if isinstance(whole, list) else (whole,)
        return
    except faults:
        pass  # then each line by itself
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip().rstrip(",")
        bare = bare[1:] if bare.startswith("[[") else bare
        bare = bare[:-1] if bare.endswith("]]") else bare
        if not bare or bare in {"[", "]"}:
            continue
        try:
            yield msgspec.json.decode(bare)
        except faults:
            warnings.add(f"“{clipped(bare, 60)}” is no capture.", number)


def _page_count(rows: list[JsonValue]) -> int | None:
    """What an answer to `showNumPages` says: a number, or an object with `pages`."""
    value = rows[0] if len(rows) == 1 else None
    if isinstance(value, dict) and not any(name in value for name in _ADDRESS):
        value = value.get("pages")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _counted(address: str, pages: int, warnings: Warnings) -> tuple[Found, ...]:
    if pages > MOST_PAGES:
        warnings.add(f"The archive has {pages:,} pages; the first {MOST_PAGES:,} are read.")
    plain = _with(address, "showNumPages", None)
    return tuple(Found(_with(plain, "page", str(number))) for number in range(min(pages, MOST_PAGES)))


def _read_rows(rows: list[JsonValue], list_: AddressList, warnings: Warnings) -> str:
    """Take the captures; answers the key that leads on, or nothing."""
    heading: list[JsonValue] = []
    for number, row in enumerate(rows, 1):
        if isinstance(row, dict):
            _take(row, number, list_, warnings)
        elif row == []:
            return _resume_key(rows[number:])
        elif isinstance(row, list) and not heading:
            heading = row
        elif isinstance(row, list):
            named = {name: value for name, value in zip(heading, row, strict=False) if isinstance(name, str)}
            _take(named, number, list_, warnings)
        else:
            warnings.add(f"“{clipped(str(row), 60)}” is no capture.", number)
    return ""


def _take(capture: dict[str, JsonValue], number: int, list_: AddressList, warnings: Warnings) -> None:
    address = _field(capture, _ADDRESS)
    if not address:
        said = capture.get("message") or capture.get("error")
        warnings.add(clipped(said) if isinstance(said, str) else "A capture names no address.", number)
        return
    status, type_ = _field(capture, _STATUS), _field(capture, _TYPE).lower()
    if (status in _UNSAID or status.startswith("2")) and (type_ in _UNSAID or type_ in _HTML):
        list_.take(address, None, number)


def _field(capture: dict[str, JsonValue], names: tuple[str, ...]) -> str:
    value = next((capture[name] for name in names if name in capture), "")
    return str(value).strip() if isinstance(value, str | int) else ""


def _resume_key(rest: list[JsonValue]) -> str:
    """The key stands alone in the row behind the empty one."""
    row = rest[0] if rest else None
    key = row[0] if isinstance(row, list) and row else row
    return key if isinstance(key, str) else ""


def _next(address: str, key: str, found: bool) -> tuple[Found, ...]:
    """The page behind this one. Where the number of pages was asked for and captures came, pages are counted on."""
    if key:
        return (Found(_with(address, "resumeKey", key if _KEY.fullmatch(key) else quote(key, safe=""))),)
    page = _parameter(address, "page")
    counts_on = found and page.isdecimal() and len(page) < 7 and _parameter(address, "showNumPages") == "true"
    return (Found(_with(address, "page", str(int(page) + 1))),) if counts_on else ()


def _parameter(address: str, name: str) -> str:
    pairs = (pair.partition("=") for pair in address.partition("?")[2].split("&"))
    return next((unquote(value) for found, _, value in pairs if found == name), "")


def _with(address: str, name: str, value: str | None) -> str:
    """The address with this parameter last, or without it; the others stay as they are, byte for byte."""
    place, _, query = address.partition("?")
    kept = [pair for pair in query.split("&") if pair and pair.partition("=")[0] != name]
    return f"{place}?{'&'.join(kept if value is None else [*kept, f'{name}={value}'])}"


def _written(seeds: Seeds) -> tuple[str, ...]:
    return tuple(first_page(archive) for archive in seeds.archives)


def _harvest(arrived: Arrived) -> Harvest:
    return read_page(arrived.body, arrived.asked)


ARCHIVES = SourceKind("archive", _written, _harvest, absent=frozenset((404,)))
