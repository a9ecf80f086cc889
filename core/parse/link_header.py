"""The `Link` header (RFC 8288): what a page that cannot say it in HTML says about its neighbours.

Read with one pass and no backtracking; a link with an `anchor` speaks of another page and is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.parse.head import MOST_CANONICALS
from core.parse.page import Kind, Link
from core.parse.schemes import LEADING, is_skipped
from core.parse.text import LINK_TEXT_CHARACTERS, clean, collapsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_CHARACTERS = 16_384
MAX_LINKS = 100

_SPACE = " \t"
_KINDS: dict[str, Kind] = {"next": "next", "prev": "prev", "previous": "prev", "alternate": "alternate"}


@dataclass(frozen=True, slots=True)
class HeaderLinks:
    """Canonicals and every `href` are raw, to be resolved against the URL of the response (not against `<base>`).

    `other_canonicals` are spellings beside the first, for a page should name one.
    """

    links: tuple[Link, ...] = ()
    canonical: str | None = None
    other_canonicals: tuple[str, ...] = ()

    @property
    def next_page(self) -> str:
        """The first `rel=next`, raw; empty where there is none."""
        return next((link.href for link in self.links if link.kind == "next"), "")


def header_links(headers: Iterable[tuple[str, str]]) -> HeaderLinks:
    """The next, prev and alternate links and the canonicals of all `Link` headers; malformed ones are left out."""
    links: list[Link] = []
    named: dict[str, None] = {}
    for href, parameters in _all(headers):
        words = parameters.get("rel", "").lower().split()
        if "canonical" in words:
            named[href] = None
        kind = next((_KINDS[word] for word in words if word in _KINDS), None)
        if kind and "stylesheet" not in words:
            title = collapsed(parameters.get("title", ""), LINK_TEXT_CHARACTERS)
            links.append(Link(href, kind, collapsed(" ".join(words), LINK_TEXT_CHARACTERS), title))
    canonicals = tuple(named)[:MOST_CANONICALS]
    return HeaderLinks(tuple(links[:MAX_LINKS]), canonicals[0] if canonicals else None, canonicals[1:])


def _all(headers: Iterable[tuple[str, str]]) -> Iterator[tuple[str, dict[str, str]]]:
    for name, value in headers:
        if name.lower() == "link":
            for target, parameters in _links(value[:MAX_CHARACTERS]):
                href = clean(target.strip(LEADING))
                if href and not is_skipped(href) and not parameters.get("anchor"):
                    yield href, parameters


def _links(value: str) -> Iterator[tuple[str, dict[str, str]]]:
    position = 0
    while (start := value.find("<", position)) >= 0:
        end = value.find(">", start)
        if end < 0:
            return
        parameters, position = _parameters(value, end + 1)
        yield value[start + 1 : end], parameters


def _parameters(value: str, position: int) -> tuple[dict[str, str], int]:
    """The parameters up to the next comma outside of quotes; the first of a name counts (RFC 8288, 3.3)."""
    found: dict[str, str] = {}
    while position < len(value) and value[position] != ",":
        if value[position] in _SPACE + ";":
            position += 1
            continue
        end = _end(value, position, ";,=")
        name = value[position:end].strip(_SPACE).lower()
        content, position = _content(value, end + 1) if value[end : end + 1] == "=" else ("", end)
        found.setdefault(name, content)
    return found, position


def _content(value: str, position: int) -> tuple[str, int]:
    while value[position : position + 1] in {" ", "\t"}:
        position += 1
    if value[position : position + 1] == '"':
        return _quoted(value, position + 1)
    end = _end(value, position, ";,")
    return value[position:end].strip(_SPACE), end


def _quoted(value: str, position: int) -> tuple[str, int]:
    pieces: list[str] = []
    while position < len(value) and value[position] != '"':
        if value[position] == "\\":
            position += 1
        pieces.append(value[position : position + 1])
        position += 1
    return "".join(pieces), position + 1


def _end(value: str, position: int, stops: str) -> int:
    while position < len(value) and value[position] not in stops:
        position += 1
    return position
