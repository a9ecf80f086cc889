"""XML as sites really send it, made readable: blank lines in front, document types, bare ampersands, missing ends.

A document type declaration is cut out whole, so no entity is ever defined and nothing is ever fetched for one. A
reference to an entity that only such a declaration could define becomes REFUSED, and the reader drops what holds it.
Line numbers stay those of the file. All steps are linear in the size of the document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.entities import html5

REFUSED = "\ue000"  # a character nobody uses, standing where a refused entity stood

_AMPERSAND = re.compile(rb"&(?:(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});)?")
_BUILT_IN = frozenset((b"amp", b"lt", b"gt", b"quot", b"apos"))
_DECLARATION = re.compile(r"<\?xml[^>]{0,200}\?>")
_END = re.compile(rb"</(?:[\w.-]{1,50}:)?(?:url|sitemap|item|entry|urlset|sitemapindex)>", re.IGNORECASE)
_MARK = re.compile(rb"<!--|[\[\]\"'>]")


@dataclass(frozen=True, slots=True)
class Document:
    """A document without anything in front of its root and without a document type; `line` is added to its lines."""

    body: bytes
    line: int = 0
    had_doctype: bool = False


def document(body: bytes) -> Document:
    """Take off byte order mark, blank lines and document type, and bring UTF-16 to UTF-8."""
    body = _as_ascii_compatible(body)
    bare = body.lstrip(b" \t\r\n\0\x0b\x0c")
    line = body[: len(body) - len(bare)].count(b"\n")
    start = _doctype_start(bare)
    if start < 0:
        return Document(bare, line)
    end = _doctype_end(bare, start)
    return Document(bare[:start] + b"\n" * bare.count(b"\n", start, end) + bare[end:], line, had_doctype=True)


def repaired(source: Document) -> bytes:
    """The body with bare ampersands escaped, unknown entities settled, and cut after the last whole entry."""
    whole = _without_torn_end(source.body)
    pieces: list[bytes] = []
    at = 0
    while True:
        start = whole.find(b"<![CDATA[", at)
        end = whole.find(b"]]>", start) if start >= 0 else -1
        stop = start if end >= 0 else len(whole)
        pieces.append(_AMPERSAND.sub(_refusing if source.had_doctype else _lenient, whole[at:stop]))
        if end < 0:
            return b"".join(pieces)
        pieces.append(whole[start : end + 3])
        at = end + 3


def _as_ascii_compatible(body: bytes) -> bytes:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _DECLARATION.sub("", body.decode("utf-16", "replace").lstrip("\ufeff"), count=1).encode()
    if body.startswith(b"<\0"):
        return _DECLARATION.sub("", body.decode("utf-16-le", "replace"), count=1).encode()
    return body.removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xef\xbb\xbf")


def _doctype_start(body: bytes) -> int:
    """The place of `<!DOCTYPE` before the root, or -1; comments and instructions in front are stepped over."""
    at = 0
    while True:
        at = body.find(b"<", at)
        if at < 0:
            return -1
        if body[at : at + 9].upper() == b"<!DOCTYPE":
            return at
        end = _end_of_misc(body, at)
        if end < 0:
            return -1
        at = end


def _end_of_misc(body: bytes, at: int) -> int:
    for begin, end in ((b"<?", b"?>"), (b"<!--", b"-->")):
        if body.startswith(begin, at):
            found = body.find(end, at + len(begin))
            return found + len(end) if found >= 0 else -1
    return -1


def _doctype_end(body: bytes, start: int) -> int:
    """The place after the declaration's `>`; inner brackets, quotes and comments do not end it."""
    depth = 0
    at = start
    for found in _MARK.finditer(body, start):
        if found.start() < at:
            continue
        mark = found.group()
        if mark in {b'"', b"'", b"<!--"}:
            end = body.find(b"-->" if mark == b"<!--" else mark, found.end())
            if end < 0:
                return len(body)
            at = end + 1
        elif mark == b">" and depth == 0:
            return found.end()
        else:
            depth += {b"[": 1, b"]": -1}.get(mark, 0)
    return len(body)


def _without_torn_end(body: bytes) -> bytes:
    """An address cut off in the middle is another address, so what follows the last whole entry goes."""
    end = max((found.end() for found in _END.finditer(body)), default=len(body))
    return body[:end]


def _lenient(found: re.Match[bytes]) -> bytes:
    return _reference(found, b"&amp;" + found.group()[1:])


def _refusing(found: re.Match[bytes]) -> bytes:
    return _reference(found, f"&#{ord(REFUSED)};".encode())


def _reference(found: re.Match[bytes], unknown: bytes) -> bytes:
    name = found.group(1)
    if name is None:
        return b"&amp;"
    if name.startswith(b"#"):
        return found.group() if _is_character(name[1:]) else b"&#xFFFD;"
    if name in _BUILT_IN:
        return found.group()
    character = html5.get(name.decode() + ";")
    return unknown if character is None else "".join(f"&#{ord(part)};" for part in character).encode()


def _is_character(number: bytes) -> bool:
    """Whether XML knows a character of this number (XML 1.0, 2.2). A surrogate is none, and lxml stumbles over it."""
    value = int(number[1:], 16) if number[:1] in b"xX" else int(number)
    return value in {9, 10, 13} or 0x20 <= value < 0xD800 or 0xE000 <= value < 0xFFFE or 0x10000 <= value < 0x110000
