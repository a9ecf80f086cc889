"""Sitemaps that are bombs, endless, torn, or no sitemaps; robots.txt of the main site names them all."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.system.torture.fault import Fault, Never
from tests.system.torture.traps import index_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.system.torture.site import Site
    from tests.system.torture.visit import Visit

HEAD = "<?xml version='1.0'?>"
URLSET = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"


def _laughs(_: Site) -> bytes:
    entities = "".join(f"<!ENTITY a{nth} '{f'&a{nth - 1};' * 10}'>" for nth in range(1, 10))
    return f"{HEAD}<!DOCTYPE l [<!ENTITY a0 'lol'>{entities}]>{URLSET}<url><loc>&a9;</loc></url></urlset>".encode()


def _quadratic(_: Site) -> bytes:
    entity = f"<!DOCTYPE l [<!ENTITY a '{'A' * 100_000}'>]>"
    return f"{HEAD}{entity}{URLSET}<url><loc>{'&a;' * 20_000}</loc></url></urlset>".encode()


def _many(site: Site) -> bytes:
    entries = "".join(f"<url><loc>{site.url('a', '/trap/smu/')}{nth}</loc></url>" for nth in range(200_000))
    return f"{HEAD}{URLSET}{entries}</urlset>".encode()


def _foreign(site: Site) -> bytes:
    addresses = (site.url("internal", "/sitemap-url"), "file:///etc/passwd")
    return (HEAD + URLSET + "".join(f"<url><loc>{text}</loc></url>" for text in addresses) + "</urlset>").encode()


def _torn(site: Site) -> bytes:
    return f"{HEAD}{URLSET}<url><loc>{site.url('a', '/ok/19')}</loc></url><url><loc>http".encode()


def _sitemap(name: str, does: str, accept: tuple[str, ...], body: Callable[[Site], bytes], *never: Never) -> Fault:
    async def answer(visit: Visit) -> None:
        await visit.reply(200, body(visit.site), "application/xml")

    trap, most = {"endless-index": ("/trap/smi", 20), "200k-urls": ("/trap/smu/", 50_000)}.get(name, ("", 0))
    return Fault(
        *(f"sitemap-{name}", "sitemap", does, accept, answer),
        path=f"/sm/{name}.xml",
        linked=False,
        never=never,
        trap=trap,
        most_trapped=most,
    )


FAULTS = (
    _sitemap("laughs", "a billion laughs", ("error:parse",), _laughs),
    _sitemap("quadratic", "an entity of 100 KB, 20,000 times", ("error:parse",), _quadratic),
    _sitemap(
        *("endless-index", "an index without end", ("bounded",)), lambda site: index_of(site.url("a", "/trap/smi/1"))
    ),
    _sitemap("200k-urls", "200,000 addresses", ("truncated", "ok"), _many),
    _sitemap("cross-host", "the private service and a file", ("ok",), _foreign, Never("internal", "/sitemap-url")),
    _sitemap("garbage", "random bytes", ("error:parse",), lambda _: random.Random(4).randbytes(10_000)),
    _sitemap(
        "deep", "200,000 nested elements", ("error:parse", "ok"), lambda _: (HEAD + URLSET + "<url>" * 200_000).encode()
    ),
    _sitemap("truncated", "cut in the middle", ("ok", "error:parse"), _torn),
)
