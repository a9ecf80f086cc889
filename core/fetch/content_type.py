"""A response's content type: the media type and charset that its `Content-Type` lines mean together.

Several lines, and several values in one, are combined as the Fetch standard says ("extract a MIME type"): the last one
that is a media type counts, and keeps the charset of those before it that were of the same type. Pure, bounded, and
total on any bytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.fetch.head import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 256  # characters of a value, read before any parsing: 100 KB of `;` once froze a crawler for a minute
_MOST = 1024  # of all lines together

_PARAMETER = re.compile(r';([^;="]*+)(?:=\s*+(?:"((?:[^"\\]|\\.)*+)"?+[^;]*+|([^;]*+)))?+')
_ESCAPED = re.compile(r"\\(.)")
_VALUE = re.compile(r'(?:[^",]|"(?:[^"\\]|\\.)*+"?+\\?+)++', re.DOTALL)  # a comma in quotes divides nothing
_MEDIA_TYPE = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]++/[!#$%&'*+.^_`|~0-9a-z-]++")  # RFC 9110 section 8.3.1


def content_type(lines: Sequence[bytes]) -> tuple[str, str | None]:
    """The media type in lower case and the label of its charset, None where there is none.

    Where no value is a media type the first one counts as it is written, so that it can be shown; without any line, "".
    """
    if len(lines) == 1 and b"," not in lines[0]:
        return _one(text_of(lines[0][:_LONGEST]))
    combined = ", ".join(text_of(line[:_MOST]) for line in lines[:_MOST])[:_MOST]
    return _last(_VALUE.findall(combined)) or _one(combined)


def _last(values: Sequence[str]) -> tuple[str, str | None] | None:
    found: tuple[str, str | None] | None = None
    for value in values:
        kind, charset = _one(value.strip())
        if not _MEDIA_TYPE.fullmatch(kind) or kind == "*/*":
            continue
        if charset is None and found is not None and found[0] == kind:
            charset = found[1]
        found = kind, charset
    return found


def _one(value: str) -> tuple[str, str | None]:
    kind, mark, parameters = value[:_LONGEST].partition(";")
    return kind.strip().lower(), _charset(mark + parameters) if mark else None


def _charset(parameters: str) -> str | None:
    """The first label as MIME Sniffing 4.4 reads parameters: a quoted value may hold a semicolon, an empty one is none.

    Single quotes are no quotes there; they are taken off all the same, for no label has any.
    """
    for name, quoted, plain in _PARAMETER.findall(parameters):
        if name.strip().lower() == "charset":
            label = (_ESCAPED.sub(r"\1", quoted) or plain).strip().strip("\"'").strip()
            if label:
                return str(label)
    return None
