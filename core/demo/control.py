"""The control paths below /__: the log, the options, what to expect. Answered at once, never logged."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from core.demo.options import changed
from core.errors import BadInput

if TYPE_CHECKING:
    from core.demo.site import Site


def control(site: Site, target: str) -> tuple[int, dict[str, Any]]:
    """Carry out a control request; returns the status and the JSON to answer with.

    /__log[?summary=1], /__count, /__reset, /__ctl?name=value&..., /__expect
    """
    path, _, query = target.partition("?")
    asked = dict(parse_qsl(query, keep_blank_values=True))
    if path == "/__log":
        return 200, site.log.snapshot().as_json(full="summary" not in asked)
    if path == "/__count":
        snapshot = site.log.snapshot()
        return 200, {"requests": snapshot.requests, "bytes": snapshot.bytes, "live": site.log.live}
    if path == "/__reset":
        site.log.reset()
        return 200, {"ok": True}
    if path == "/__ctl":
        return _change(site, asked)
    if path == "/__expect":
        return 200, site.expect()
    return 404, {"error": "There are /__log, /__count, /__reset, /__ctl and /__expect."}


def _change(site: Site, asked: dict[str, str]) -> tuple[int, dict[str, Any]]:
    try:
        site.options = changed(site.options, asked)
    except BadInput as error:
        return 400, {"error": str(error)}
    now = asdict(site.options)
    return 200, {name: now[name] for name in asked}
