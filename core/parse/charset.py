"""Bytes to text as a browser does it: byte order mark, `Content-Type`, `<meta>`, detection.

Source: WHATWG Encoding; HTML standard, 13.2.3. Total: any bytes and any label give a text, with
U+FFFD where the encoding does not fit.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

from core.parse.encoding_labels import encoding_of

PRESCAN_BYTES = 1024
LATE_BYTES = 65_536
DETECTION_BYTES = 65_536

_MARKS = ((BOM_UTF8, "utf-8"), (BOM_UTF16_BE, "utf-16be"), (BOM_UTF16_LE, "utf-16le"))
_XML_IN_UTF16 = ((b"<\0?\0x\0", "utf-16le"), (b"\0<\0?\0x", "utf-16be"))
_FALLBACK = "windows-1252"

_SPACE = rb"[\t\n\f\r ]"
_VALUE = rb"(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|(?![\"'])[^\t\n\f\r >]*+)"
_NAME = rb"[^\t\n\f\r />][^\t\n\f\r />=]*+"
_ATTRIBUTES = rb"(?:[\t\n\f\r /]++|" + _NAME + rb"(?:" + _SPACE + rb"*+=" + _SPACE + rb"*+" + _VALUE + rb")?+)*+"
_HIDDEN = rb"<(script|style|title|textarea|xmp|iframe|noembed|noframes)(?=[\t\n\f\r />])(?:[^<]++|<(?!/\1))*+"
# The standard's own loop as one expression. It cannot backtrack: every repetition is possessive.
_PIECE = (
    rb"<!(?=--)(?:[^-]++|-(?!->))*+(?:-->)?+"
    rb"|<meta(?=[\t\n\f\r /])(?P<attributes>" + _ATTRIBUTES + rb")>"
    rb"|</?[a-z][^\t\n\f\r >]*+" + _ATTRIBUTES + rb"|<[!/?][^>]*+"
)
_EARLY = re.compile(_PIECE, re.IGNORECASE | re.DOTALL)
_LATE = re.compile(_HIDDEN + rb"|" + _PIECE, re.IGNORECASE | re.DOTALL)
_ATTRIBUTE = re.compile(rb"(" + _NAME + rb")(?:" + _SPACE + rb"*+=" + _SPACE + rb"*+(" + _VALUE + rb"))?+")
_CONTENT_CHARSET = re.compile(
    rb"charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*+)\"|'([^']*+)'|(?![\"'])([^\t\n\f\r ;]*+)|)", re.IGNORECASE
)
_MENTION = re.compile(rb"charset", re.IGNORECASE)
_NON_ASCII = re.compile(rb"[\x80-\xff]")
_XML_DECLARATION = re.compile(rb"\s*+<\?xml\s[^>]{0,200}?encoding\s*+=\s*+[\"']([^\"'>]++)[\"']")


def decode(body: bytes, label: str | None, *, markup: bool = True, xml: bool = False) -> tuple[str, str]:
    """The text of a body and the lower-case name of its encoding; `label` is the header's charset.

    `markup`: look for `<meta>`; `xml`: look for an XML declaration first, and take UTF-8 where there is nothing.
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return _decoded(body[len(mark) :], name), name
    encoding = encoding_of(label) if label else None
    if encoding is None and xml:
        encoding = _declared_in_xml(body)
    if encoding is None and markup:
        encoding = prescan(body) or _declared_late(body)
    if encoding is None:
        return _detected(body)
    return _decoded(body, encoding), encoding


def prescan(body: bytes) -> str | None:
    """The encoding that a `<meta>` in the first 1,024 bytes declares (HTML, "prescan a byte stream").

    Where none does, an XML declaration counts: one in UTF-16 is known by its zeros.
    """
    head = body[:PRESCAN_BYTES]
    for start, encoding in _XML_IN_UTF16:
        if head.startswith(start):
            return encoding
    return _declared(_EARLY, head) or _declared_in_xml(body)


def _declared_late(body: bytes) -> str | None:
    """What a `<meta>` further down declares; a browser begins anew when it meets one ("change the encoding").

    Text that is no markup is passed over as the parser does, so a script that writes a `<meta>` declares nothing.
    """
    if not _MENTION.search(body, PRESCAN_BYTES, LATE_BYTES):
        return None
    return _declared(_LATE, body[:LATE_BYTES])


def _declared(piece: re.Pattern[bytes], head: bytes) -> str | None:
    for found in piece.finditer(head):
        attributes = found["attributes"]
        if attributes is not None and (encoding := _declared_in_meta(attributes)):
            return encoding
    return None


def _declared_in_meta(attributes: bytes) -> str | None:
    values: dict[bytes, bytes] = {}
    for name, value in _ATTRIBUTE.findall(attributes):
        values.setdefault(name.lower(), value.strip(value[:1]) if value[:1] in {b'"', b"'"} else value)
    label = values.get(b"charset")
    if label is None and values.get(b"http-equiv", b"").lower() == b"content-type":
        content = _CONTENT_CHARSET.search(values.get(b"content", b""))
        label = content and (content[1] or content[2] or content[3])
    return _meant(encoding_of(label.decode("latin-1"))) if label else None


def _meant(encoding: str | None) -> str | None:
    """A declaration that could be read as ASCII cannot mean UTF-16 (HTML, prescan, steps 15 and 16)."""
    if encoding in {"utf-16le", "utf-16be"}:
        return "utf-8"
    return _FALLBACK if encoding == "x-user-defined" else encoding


def _declared_in_xml(body: bytes) -> str | None:
    found = _XML_DECLARATION.match(body[:PRESCAN_BYTES])
    return _meant(encoding_of(found[1].decode("latin-1"))) if found else None


def _detected(body: bytes) -> tuple[str, str]:
    """UTF-8 where the bytes are valid UTF-8 (the last character may be cut), else what their frequencies say."""
    try:
        return body.decode(), "utf-8"
    except UnicodeDecodeError as fault:
        is_cut = fault.start >= len(body) - 3 and fault.reason == "unexpected end of data"
        if is_cut and not body[: fault.start].isascii():
            return body.decode("utf-8", "replace"), "utf-8"
    encoding = _by_frequency(body)
    return _decoded(body, encoding), encoding


def _by_frequency(body: bytes) -> str:
    from turbohtml.detect import detect  # only pages that declare nothing need it

    telling = _NON_ASCII.search(body)
    start = max(telling.start() - PRESCAN_BYTES, 0) if telling else 0
    found = detect(body[start : start + DETECTION_BYTES]).encoding
    return (_meant(encoding_of(found)) if found else None) or _FALLBACK


def _decoded(body: bytes, encoding: str) -> str:
    if encoding == "utf-8":
        return body.decode("utf-8", "replace")
    import turbohtml.detect  # noqa: F401 - registers the standard's codecs; Python's own differ from them

    return body.decode(f"whatwg-{encoding}", "replace")
