"""What the requests alone prove: who was asked too often, at all, or with what was none of its business."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.system.torture.site import CONTROL_PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.system.torture.fault import Fault, Never
    from tests.system.torture.log import Asked
    from tests.system.torture.site import Site


def failures(site: Site) -> dict[str, list[str]]:
    """Each fault that was fallen for, with what shows it."""
    found = {fault.name: list(_of(fault, site)) for fault in site.faults}
    return {name: why for name, why in found.items() if why}


def unvisited(site: Site) -> set[str]:
    """The faults that can be seen here and were not met."""
    seen = {(asked.listener, asked.path) for asked in site.log.asked}
    listeners = {asked.listener for asked in site.log.asked}
    met = {fault.name for fault in site.faults if (fault.listener, fault.place) in seen}
    met |= {fault.name for fault in site.faults if fault.category == "robots" and fault.listener in listeners}
    return {fault.name for fault in site.faults if fault.listener is not None} - met


def global_failures(site: Site) -> list[str]:
    """What no request of the whole crawl may show."""
    asked = site.log.asked
    found = [f"{header} went to {place}" for place, header in _leaks(asked)]
    inside = sorted({one.target[:40] for one in asked if one.listener == "internal"})
    found += [f"the private service was asked for {inside}"] if inside else []
    secret = sorted({one.target[:40] for one in asked if one.target.startswith("/secret/")})
    found += [f"what robots.txt forbids was asked for: {secret}"] if secret else []
    methods = sorted({one.method for one in asked} - {"GET", "HEAD"})
    found += [f"methods: {methods}"] if methods else []
    told = [one for one in asked if one.listener == "b" and "TOPSECRET" in one.headers.get("referer", "")]
    found += ["a token went to the second host as Referer"] if told else []
    missing = [path for path in CONTROL_PAGES if ("a", path) not in site.log.counts]
    return found + ([f"never asked for: {missing}"] if missing else [])


def _leaks(asked: list[Asked]) -> set[tuple[str, str]]:
    nobody = {"a2": ("authorization",)}
    return {
        (one.listener, header)
        for one in asked
        for header in nobody.get(one.listener, () if one.listener == "a" else ("authorization", "cookie"))
        if header in one.headers
    }


def _of(fault: Fault, site: Site) -> Iterator[str]:
    asked = site.log.asked
    hits = site.log.counts[fault.listener or "", fault.place]
    if hits > fault.most_requests:
        yield f"{hits} requests"
    for never in fault.never:
        for one in asked:
            if _meets(never, one):
                yield f"reached {never.listener} {one.target[:60]}"
                break
    trapped = sum(one.target.startswith(fault.trap) for one in asked) if fault.trap else 0
    if trapped > fault.most_trapped:
        yield f"{trapped} requests below {fault.trap}"
    if fault.no_value and any(fault.no_value in value for one in asked for value in one.headers.values()):
        yield "a value that came with a link was sent"
    if fault.no_header and any(fault.no_header in one.headers for one in asked):
        yield f"{fault.no_header} was sent"
    if any(one.method in fault.no_method for one in asked):
        yield "a method that changes things was used"


def _meets(never: Never, asked: Asked) -> bool:
    if asked.listener != never.listener or asked.length <= never.longer_than:
        return False
    prefix = never.path.endswith("/") or never.listener != "internal" or never.path == "/v"
    return asked.target.startswith(never.path) if prefix else asked.path == never.path
