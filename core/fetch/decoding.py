"""Content encodings undone while the body streams in, within a bound, and with a proof that the stream was whole.

A bomb stops at the limit, whatever it was compressed with; a stream cut short is told from a complete one; and how the
bytes were split on the wire never changes the result. Only what is advertised (gzip, deflate) is undone.
"""

from __future__ import annotations

import zlib
from typing import Protocol

from core.fetch.fault import Fault, Step, fault_of

MAX_MEMBERS = 64  # of a gzip body; logs and sitemaps are concatenated, but never in thousands
ADVERTISED = "gzip, deflate"

_GZIP = b"\x1f\x8b"
_GZIP_NAMES = frozenset({"gzip", "x-gzip"})
_REFUSED = frozenset({"br", "zstd", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip"})


class Decoder(Protocol):
    """Takes the body in pieces of any size. `feed` raises Fault (`too_large`, `decode`)."""

    def feed(self, data: bytes) -> None:
        """Undo the next piece."""

    def complete(self) -> bool:
        """Whether what was fed so far is a whole stream."""

    def body(self) -> bytes:
        """What has been undone so far."""


def decoder_for(encoding: str, limit: int) -> Decoder:
    """The decoder for a Content-Encoding header; raises Fault where it cannot be undone.

    Names that are no encoding (`utf-8`, `none`) are read past, as browsers do.
    """
    names = [name for name in encoding[:256].lower().replace(" ", "").split(",") if name not in ("", "identity")]
    if len(names) > 1:
        raise Fault("decode", f"The body is encoded {len(names)} times over, which no honest server does.")
    name = names[0] if names else ""
    if name in _REFUSED:
        raise Fault("decode", f"The body is encoded as {name}, which was not asked for.")
    if name in _GZIP_NAMES:
        return Gzip(limit)
    return Deflate(limit) if name == "deflate" else Plain(limit)


class Plain:
    """A body without encoding. Most arrive in one piece, which is kept as it is; a flood of tiny ones costs no more."""

    __slots__ = ("_kept", "_left")

    def __init__(self, limit: int) -> None:
        self._left = limit
        self._kept: bytes | bytearray = b""

    def feed(self, data: bytes) -> None:
        """Keep the piece, as far as the limit goes."""
        if len(data) > self._left:
            self._keep(data[: self._left])
            raise too_large()
        self._keep(data)

    def complete(self) -> bool:
        """Always: the framing alone says whether something is missing."""
        return True

    def body(self) -> bytes:
        """What was kept."""
        return bytes(self._kept)

    def _keep(self, data: bytes) -> None:
        self._left -= len(data)
        if not self._kept:
            self._kept = data
            return
        if isinstance(self._kept, bytes):
            self._kept = bytearray(self._kept)
        self._kept += data


class Gzip:
    """RFC 1952: up to 64 members one after the other; what follows the last one and is no member is ignored."""

    __slots__ = ("_held", "_members", "_out", "_stream")

    def __init__(self, limit: int) -> None:
        self._out = Plain(limit)
        self._stream: zlib._Decompress | None = None
        self._members = 0
        self._held = b""

    def feed(self, data: bytes) -> None:
        """Undo as many members as the piece holds."""
        data = self._held + data
        self._held = b""
        while data:
            if self._stream is None and not self._begins(data):
                return
            data = self._inflate(data)

    def _begins(self, data: bytes) -> bool:
        """Whether a member starts here; holds back what is too short to tell."""
        if len(data) < 2 and data == _GZIP[:1]:
            self._held = data
            return False
        if not data.startswith(_GZIP):
            if not self._members:
                raise Fault("decode", "The body is announced as gzip and is none.")
            self._members = MAX_MEMBERS + 1  # trailing bytes: whatever they hold, no member follows
            return False
        if self._members > MAX_MEMBERS:
            return False
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise Fault("decode", f"The body has more than {MAX_MEMBERS} gzip members.")
        self._stream = zlib.decompressobj(wbits=31)
        return True

    def _inflate(self, data: bytes) -> bytes:
        """Feed the open member; gives what lies behind its end."""
        stream = self._stream
        if stream is None:
            return b""
        inflate(stream, data, self._out)
        if not stream.eof:
            return b""
        self._stream = None
        return stream.unused_data

    def complete(self) -> bool:
        """No member is open, and none was about to be."""
        return self._stream is None and (not self._held or self._members > 0)

    def body(self) -> bytes:
        """The members' contents joined."""
        return self._out.body()


class Deflate:
    """RFC 9110 section 8.4.1.2 means zlib (RFC 1950); the raw stream (RFC 1951) that many servers send is taken too."""

    __slots__ = ("_held", "_out", "_stream")

    def __init__(self, limit: int) -> None:
        self._out = Plain(limit)
        self._stream: zlib._Decompress | None = None
        self._held = b""

    def feed(self, data: bytes) -> None:
        """Undo the piece; bytes behind the end are ignored."""
        if self._stream is None:
            data = self._held + data
            if len(data) < 2:
                self._held = data
                return
            self._stream = zlib.decompressobj(wbits=15 if _is_zlib(data) else -15)
        if not self._stream.eof:
            inflate(self._stream, data, self._out)

    def complete(self) -> bool:
        """The stream ended; an empty body is whole."""
        return self._stream.eof if self._stream is not None else not self._held

    def body(self) -> bytes:
        """What the stream held."""
        return self._out.body()


def inflate(stream: zlib._Decompress, data: bytes, out: Plain) -> None:
    """Undo one piece into `out`, never holding more than one step beyond its limit."""
    step = 1 << 20
    while True:
        try:
            piece = stream.decompress(data, step)
        except zlib.error as error:
            raise fault_of(error, Step.ASK) from error
        if piece:
            out.feed(piece)
        data = stream.unconsumed_tail
        if stream.eof or (not data and len(piece) < step):
            return


def too_large() -> Fault:
    """The body went past its limit."""
    return Fault("too_large", "The body is larger than max_body_bytes allows.")


def _is_zlib(data: bytes) -> bool:
    return data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0
