"""The redirects of the sample site: /go/KIND/N leads, by its kind, to product N, in a circle, away, or nowhere."""

from __future__ import annotations

from core.demo.page import Page, number_in

CHAIN = 3  # hops before the product


def redirect(path: str, cookie: str, elsewhere: str) -> Page | int | None:
    """A redirect, or the number of the product to show, or None for no such address.

    `cookie` is the request's Cookie header: /go/cookie/N leads to itself until its cookie comes back.
    `elsewhere` is the base address of another host.
    """
    parts = path.strip("/").split("/")[1:]
    number = number_in(parts[1]) if len(parts) in {2, 3} else None
    if number is None:
        return None
    kind = parts[0]
    product = f"/product/{number}"
    if kind == "chain":
        return _chain(number, parts[2] if len(parts) == 3 else "1")
    if kind == "loop":
        return _to(302, f"/go/loop/{number}" + ("" if len(parts) == 3 else "/back"))
    if kind == "cookie":
        return number if f"been={number}" in cookie else _to(302, path, (("Set-Cookie", f"been={number}; Path=/"),))
    targets = {
        "permanent": (301, product),
        "temporary": (302, product),
        "offsite": (302, f"{elsewhere}/"),
        "bad": (302, "http://[broken/"),
    }
    return _to(*targets[kind]) if kind in targets and len(parts) == 2 else None


def _chain(number: int, hop: str) -> Page | None:
    if not hop.isdecimal() or not 1 <= int(hop) <= CHAIN:
        return None
    return _to(301, f"/product/{number}" if int(hop) == CHAIN else f"/go/chain/{number}/{int(hop) + 1}")


def _to(status: int, location: str, headers: tuple[tuple[str, str], ...] = ()) -> Page:
    return Page(b"<title>Moved</title>\n", status, headers=(("Location", location), *headers))
