"""The trap: real items /trap/item/N among a calendar, facets, session ids and a path that grow without end."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from core.demo.chance import mix
from core.demo.page import Page, number_in

if TYPE_CHECKING:
    from core.demo.layout import Layout
    from core.demo.options import SiteOptions

FACETS = (
    ("colour", ("red", "blue", "green", "sand")),
    ("size", ("S", "M", "L")),
    ("sort", ("price", "name", "newest")),
    ("view", ("grid", "rows")),
)


class Trap:
    """Makes the pages below /trap/. The items alone can be crawled to the end."""

    def __init__(self, options: SiteOptions, layout: Layout) -> None:
        self._seed = options.seed
        self._items = options.trap_items
        self._layout = layout

    def page(self, path: str, query: str) -> Page | None:
        """The page at a path below /trap (decoded), or None."""
        parts = path.removeprefix("/trap").strip("/").split("/")
        found = self._links(parts, query)
        if found is None:
            return None
        title, links = found
        items = "".join(f'<li><a href="{link.replace("&", "&amp;")}">{link[6:40]}</a></li>\n' for link in _plain(links))
        main = f"<h1>{title}</h1><ul>{items}</ul>\n"
        return Page(self._layout.document(title, main, mix(self._seed, path, query), chrome=False))

    def _links(self, parts: list[str], query: str) -> tuple[str, list[str]] | None:
        if parts == [""]:
            return "Events", self._hub()
        if parts[0] in {"item", "calendar"}:
            return self._numbered(parts)
        if parts == ["facets"]:
            return "All items", self._facets(query)
        if parts[0].partition(";")[0] == "visit":
            return "Your visit", self._visit(parts[0], query)
        if set(parts) == {"a"}:
            return f"Level {len(parts)}", [f"/trap/{'a/' * len(parts)}a", self._any_item("a", len(parts))]
        return None

    def _numbered(self, parts: list[str]) -> tuple[str, list[str]] | None:
        numbers = [n for n in map(number_in, parts[1:]) if n is not None]
        if len(numbers) != len(parts) - 1:
            return None
        if parts[0] == "item" and len(numbers) == 1 and numbers[0] < self._items:
            return f"Item {numbers[0]}", self._item(numbers[0])
        if parts[0] == "calendar" and len(numbers) == 2 and 1 <= numbers[1] <= 12:
            return f"Calendar {numbers[0]}-{numbers[1]:02d}", _month(*numbers)
        return None

    def _hub(self) -> list[str]:
        items = [f"/trap/item/{i}" for i in range(min(10, self._items))]
        return [*items, "/trap/calendar/2026/11", "/trap/facets", "/trap/visit", "/trap/a"]

    def _item(self, number: int) -> list[str]:
        """A tree of ten roots and four branches holds every item; each page also names itself with a session id."""
        children = [child for child in range(number * 4 + 10, number * 4 + 14) if child < self._items]
        token = f"{mix(self._seed, 'item', number):016x}"
        return [*(f"/trap/item/{child}" for child in children), f"/trap/item/{number}?sid={token}"]

    def _facets(self, query: str) -> list[str]:
        chosen = dict(parse_qsl(query))
        links = ["/trap/facets?" + urlencode({**chosen, name: value}) for name, values in FACETS for value in values]
        following = (number_in(chosen.get("page", "")) or 1) + 1
        links.append("/trap/facets?" + urlencode({**chosen, "page": str(following)}))
        return [*links, self._any_item("facets", query)]

    def _visit(self, part: str, query: str) -> list[str]:
        token = f"{mix(self._seed, 'visit', part, query):016x}"
        return [f"/trap/visit?sid={token}", f"/trap/visit;jsessionid={token}", self._any_item("visit", token)]

    def _any_item(self, *parts: int | str) -> str:
        return f"/trap/item/{mix(self._seed, *parts) % self._items}"


def _month(year: int, month: int) -> list[str]:
    after = f"/trap/calendar/{year + month // 12}/{month % 12 + 1}"
    before = f"/trap/calendar/{year - (month == 1)}/{(month - 2) % 12 + 1}"
    return [after, before, *(f"/trap/calendar/{year}/{month}?day={day}" for day in range(1, 29))]


def _plain(links: list[str]) -> list[str]:
    """Links as ASCII without quotes: a query comes back as it was asked, and the page must stay well-formed."""
    return [link.encode("ascii", "ignore").decode().replace('"', "%22").replace("<", "%3C") for link in links]
