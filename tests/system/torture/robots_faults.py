"""Every way in which a robots.txt goes wrong, each at an origin of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.system.torture.bomb_faults import gzip_bomb
from tests.system.torture.fault import OK, Fault, Never, document

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.system.torture.visit import Visit

BLOCKED = ("error:blocked", "not_requested")
JUNK = b"\xef\xbb\xbf\0\xff\xfe\rUser-agent: *\rDisallow: /page\rAllow: /" + b"a" * 300_000 + b"\r"
STARS = b"User-agent: *\nDisallow: /" + b"*a" * 60 + b"$\nDisallow: /" + b"*" * 20_000 + b"b$\n"
DELAYS = b"User-agent: *\nCrawl-delay: 1e9\nUser-agent: x\nCrawl-delay: nan\n"


async def _bomb(visit: Visit) -> None:
    await visit.encoded("gzip", gzip_bomb(visit.site.bomb), "text/plain")


async def _fails(visit: Visit) -> None:
    await visit.reply(500, b"no")


async def _forbids(visit: Visit) -> None:
    await visit.reply(403, b"no")


async def _hangs(visit: Visit) -> None:
    await visit.hang()


async def _loops(visit: Visit) -> None:
    await visit.send(b"HTTP/1.1 301 M\r\nLocation: /robots.txt\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


async def _leads_inside(visit: Visit) -> None:
    target = visit.site.url("internal", "/robo-redir").encode()
    await visit.send(b"HTTP/1.1 302 M\r\nLocation: " + target + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


async def _page(visit: Visit) -> None:
    await visit.reply(200, document("soft", "x"))


def _says(text: bytes) -> Callable[[Visit], Awaitable[None]]:
    async def answer(visit: Visit) -> None:
        await visit.reply(200, text, "text/plain")

    return answer


def _robots(
    name: str,
    does: str,
    accept: tuple[str, ...],
    answer: Callable[[Visit], Awaitable[None]],
    *never: Never,
    slow: bool = False,
) -> Fault:
    listener = f"rob-{name}"
    return Fault(f"robots-{name}", "robots", does, accept, answer, listener, "/page", never=never, slow=slow)


FAULTS = (
    _robots("gzip-bomb", "a bomb", OK, _bomb),
    _robots("500", "500: everything is disallowed", BLOCKED, _fails, Never("rob-500", "/page")),
    _robots("403", "403: everything is allowed", OK, _forbids),
    _robots("hang", "no answer", (*BLOCKED, "error:timeout"), _hangs, Never("rob-hang", "/page"), slow=True),
    _robots("loop", "leads to itself", OK, _loops),
    _robots(
        "to-internal", "leads to the private service", (*OK, *BLOCKED), _leads_inside, Never("internal", "/robo-redir")
    ),
    _robots("binary", "NULs, a mark, lone CRs, a long line", BLOCKED, _says(JUNK), Never("rob-binary", "/page")),
    _robots("redos", "sixty wildcards, and 20,000 stars", OK, _says(STARS)),
    _robots("delay", "a delay of thirty years", (*OK, "error:blocked"), _says(DELAYS)),
    _robots("html", "a page in place of the file", OK, _page),
)
