"""SQLite's way to write a row, decoded (SQLite database file format, section 2.1)."""

from __future__ import annotations

import struct

Value = int | float | str | bytes | None

_SIZES = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
_FLOAT = struct.Struct(">d")
MOST_COLUMNS = 200


class Unreadable(Exception):
    """Bytes that are no row; it never leaves this room."""


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    number = 0
    for place in range(at, at + 8):
        if place >= len(data):
            raise Unreadable
        byte = data[place]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, place + 1
    if at + 8 >= len(data):
        raise Unreadable
    number = number << 8 | data[at + 8]
    return (number - (1 << 64) if number >= 1 << 63 else number), at + 9


def decode(payload: bytes) -> tuple[Value, ...]:
    """The values of a record. Raises Unreadable where they do not fill it exactly."""
    end, at = varint(payload, 0)
    if not 1 <= end <= len(payload):
        raise Unreadable
    body, values = end, []
    while at < end:
        kind, at = varint(payload, at)
        value, body = _value(payload, kind, body)
        values.append(value)
        if len(values) > MOST_COLUMNS:
            raise Unreadable
    if at != end or body != len(payload):
        raise Unreadable
    return tuple(values)


def _value(payload: bytes, kind: int, at: int) -> tuple[Value, int]:
    if kind < 0 or kind in {10, 11}:  # kept for SQLite's own use
        raise Unreadable
    size = (kind - 12) // 2 if kind >= 12 else _SIZES[kind]
    if at + size > len(payload):
        raise Unreadable
    data = payload[at : at + size]
    if kind >= 12:
        return (_text(data) if kind % 2 else data), at + size
    if kind == 0:
        return None, at
    if kind in {8, 9}:
        return kind - 8, at
    return (_FLOAT.unpack(data)[0] if kind == 7 else int.from_bytes(data, "big", signed=True)), at + size


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Unreadable from None
