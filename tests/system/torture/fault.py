"""One trick of the hostile site: what it does, what a crawler may record of it, and what must never follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.system.torture.site import Site
    from tests.system.torture.visit import Visit

    Answer = Callable[[Visit], Awaitable[None]]
    Bytes = bytes | Callable[[Site], bytes]

OK = ("ok",)
BROKEN = ("error:protocol", "error:disconnect")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
SMALL = b"<html><title>t</title><body>x</body></html>"


@dataclass(frozen=True, slots=True)
class Never:
    """A request that must not be seen: at a listener, a path (a prefix where it ends in `/` or is `/v`)."""

    listener: str
    path: str
    longer_than: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """One trick.

    `accept` holds the outcomes a correct crawler may record, `bounded` (cut by a limit) and `not_requested` too. It is
    answered at `listener`, or only linked (`href`). `trap` is the prefix of what it generates, `most_trapped` the
    requests that may be spent there. `no_header`, `no_value` and `no_method` may be seen in no request at all.
    """

    name: str
    category: str
    does: str
    accept: tuple[str, ...]
    answer: Answer | None = None
    listener: str | None = "a"
    path: str = ""
    linked: bool = True
    href: Callable[[Site], str] | None = None
    most_requests: int = 4
    never: tuple[Never, ...] = ()
    trap: str = ""
    most_trapped: int = 0
    no_header: str = ""
    no_value: str = ""
    no_method: tuple[str, ...] = ()
    slow: bool = False  # left out of the short form: it holds a worker until the deadline, try after try

    @property
    def place(self) -> str:
        """Its path at its listener."""
        return self.path or f"/fault/{self.name}"


def raw(name: str, category: str, does: str, data: Bytes, accept: tuple[str, ...], **more: Any) -> Fault:
    """Answers with exactly these bytes and closes the connection."""

    async def answer(visit: Visit) -> None:
        await visit.send(data(visit.site) if callable(data) else data)

    return Fault(name, category, does, accept, answer, **more)


def page(
    name: str,
    category: str,
    does: str,
    body: Bytes,
    accept: tuple[str, ...] = OK,
    *,
    content_type: str = "text/html; charset=utf-8",
    headers: tuple[tuple[str, str], ...] = (),
    **more: Any,
) -> Fault:
    """Answers 200 with this body."""

    async def answer(visit: Visit) -> None:
        await visit.reply(200, body(visit.site) if callable(body) else body, content_type, headers)

    return Fault(name, category, does, accept, answer, **more)


def moved(
    name: str, does: str, location: Bytes, accept: tuple[str, ...], category: str = "redirect", **more: Any
) -> Fault:
    """Answers 302 with this Location."""

    async def answer(visit: Visit) -> None:
        target = location(visit.site) if callable(location) else location
        await visit.send(b"HTTP/1.1 302 Moved\r\nLocation: " + target)
        await visit.send(b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    return Fault(name, category, does, accept, answer, **more)


def document(title: str, body: str, head: str = "") -> bytes:
    """A page's source."""
    text = f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    return text.encode("utf-8", "surrogatepass")


def anchors(*targets: str) -> str:
    """Links to these."""
    return "".join(f'<a href="{target}">x</a>' for target in targets)
