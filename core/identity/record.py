"""Who a record is, and what it says: its id and its fingerprint."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

from core.identity.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.identity.canonical import JsonValue

ID_CHARACTERS = 32  # 128 bits: a collision is not to be expected in any crawl


class Rule(Protocol):
    """The part of a field's rule that decides how it counts."""

    @property
    def fingerprint(self) -> bool:
        """Whether the field counts."""

    @property
    def unordered(self) -> bool:
        """Whether a list counts without order and case."""


def record_id(tenant: str, source: str, record_type: str, key: str) -> str:
    """32 hexadecimal digits of a SHA-256 over the four parts, each preceded by its length in octets."""
    digest = sha256()
    for part in (tenant, source, record_type, key):
        octets = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(octets))
        digest.update(octets)
    return digest.hexdigest()[:ID_CHARACTERS]


def fingerprint(data: Mapping[str, JsonValue], rules: Mapping[str, Rule]) -> str:
    """SHA-256, in hexadecimal, over the canonical JSON of the fields that count.

    A field counts unless its rule says `fingerprint = false`; a list that is `unordered` counts without order and case.
    """
    counted = {
        name: _unordered(value) if name in rules and rules[name].unordered else value
        for name, value in data.items()
        if name not in rules or rules[name].fingerprint
    }
    return sha256(canonical_json(counted)).hexdigest()


def _unordered(value: JsonValue) -> JsonValue:
    if not isinstance(value, list):
        return value
    return sorted((item.casefold() if isinstance(item, str) else item for item in value), key=canonical_json)
