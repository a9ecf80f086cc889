"""A notice as JSON: one object on one line, the same for every way of telling."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from core.store.times import iso

if TYPE_CHECKING:
    from core.store.notices import Notice

OPENING = b'{"idempotency_key":"'
"""How every line begins: what is left of one after a kill is known by it."""


def line(notice: Notice) -> bytes:
    """The object without a line end. `data` is null where the record has changed since and no history is kept."""
    data, before = _fields(notice.data), _fields(notice.before)
    told = {
        "idempotency_key": notice.key,
        "event": notice.event,
        "record_id": notice.record_id,
        "type": notice.type,
        "source": notice.source,
        "url": notice.url,
        "version": notice.version,
        "run": notice.run,
        "at": iso(notice.at),
        "data": data,
        "changes": changes(before, data) if notice.event == "updated" else [],
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def changes(before: dict[str, Any] | None, after: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Field by field what is not the same; empty where one side is not known."""
    if before is None or after is None:
        return []
    names = [*after, *(name for name in before if name not in after)]
    pairs = ((name, before.get(name), after.get(name)) for name in names)
    return [{"field": name, "old": old, "new": new} for name, old, new in pairs if old != new]


def _fields(text: str | None) -> dict[str, Any] | None:
    found = json.loads(text) if text else None
    return found if isinstance(found, dict) else None
