"""WARC 1.1 (ISO 28500:2017): the kept responses as archives read them, one record a response, each its own gzip member.

A response is kept as it was understood: its body is free of content and transfer codings. Headers that say otherwise
stand under the name that archives give them then (`X-Archive-Orig-`), and Content-Length is that of the body here.
Responses that are kept no more are left out.
"""

from __future__ import annotations

import gzip
import uuid
from base64 import b32encode
from dataclasses import dataclass
from hashlib import sha1
from http import HTTPStatus
from typing import TYPE_CHECKING, BinaryIO

from core import __version__
from core.errors import BadInput
from core.store.opened_response import opened
from core.store.responses import Responses
from core.store.times import iso

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from core.store.read.columns import Cell, Column
    from core.store.results import Response

TABLE = "responses"
UNDONE = frozenset({"content-encoding", "transfer-encoding", "content-length", "connection"})
NAMESPACE = uuid.UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")  # RFC 9562, for URLs


@dataclass(frozen=True, slots=True)
class Warc:
    """`name` ends in `.gz` where records are compressed. `crawl` is the file whose responses are written."""

    name: str = "warc"
    crawl: Path | None = None

    def writer(self, file: BinaryIO, columns: tuple[Column, ...], *, raw: bool, bom: bool) -> WarcWriter:  # noqa: ARG002 - a format's shape
        """A writer behind its warcinfo record. Raises BadInput for any other table."""
        names = [column.name for column in columns]
        if self.crawl is None or not {"url", "at", "hash"}.issubset(names):
            raise BadInput("A WARC holds responses.", f"Export the table `{TABLE}`, or choose another format.")
        return WarcWriter(file, self.crawl, names, packed=self.name.endswith(".gz"))


class WarcWriter:
    """A response record for each row whose response is kept still."""

    native = False

    def __init__(self, file: BinaryIO, crawl: Path, names: list[str], *, packed: bool) -> None:
        self._file = file
        self._responses = Responses(crawl)
        self._places = [names.index(name) for name in ("url", "at", "hash")]
        self._packed = packed
        self._begun = False
        self._name = crawl.name

    def write(self, rows: Sequence[tuple[Cell, ...]]) -> None:
        """A record a row, in their order."""
        for row in rows:
            url, at, name = (row[place] for place in self._places)
            response = self._responses.read(bytes.fromhex(str(name))) if name else None
            content = _http(response) if response is not None else None
            if content is None or not isinstance(at, int | float):
                continue
            self._begin(at)
            self._put("response", str(url), at, content, "application/http;msgtype=response")

    def close(self) -> None:
        """Let go of the responses."""
        self._begin(0.0)
        self._responses.close()

    def drop(self) -> None:
        """The same: nothing lies outside the file."""
        self._responses.close()

    def _begin(self, at: float) -> None:
        if self._begun:
            return
        self._begun = True
        fields = {
            "software": f"Fronteira {__version__}",
            "format": "WARC File Format 1.1",
            "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
            "isPartOf": self._name,
        }
        content = "".join(f"{name}: {_line(text)}\r\n" for name, text in fields.items()).encode()
        self._put("warcinfo", "", at, content, "application/warc-fields")

    def _put(self, kind: str, url: str, at: float, content: bytes, type_: str) -> None:
        digest = b32encode(sha1(content, usedforsecurity=False).digest()).decode()
        fields = {
            "WARC-Type": kind,
            "WARC-Record-ID": f"<urn:uuid:{uuid.uuid5(NAMESPACE, f'{kind} {url} {at} {digest}')}>",
            "WARC-Date": iso(at),
            "Content-Type": type_,
            "WARC-Block-Digest": f"sha1:{digest}",
            "Content-Length": str(len(content)),
        }
        if url:
            body = content.partition(b"\r\n\r\n")[2]
            fields["WARC-Target-URI"] = url
            fields["WARC-Payload-Digest"] = f"sha1:{b32encode(sha1(body, usedforsecurity=False).digest()).decode()}"
        head = "".join(f"{name}: {_line(text)}\r\n" for name, text in fields.items())
        record = b"WARC/1.1\r\n" + head.encode() + b"\r\n" + content + b"\r\n\r\n"
        self._file.write(gzip.compress(record, 6, mtime=0) if self._packed else record)


def _http(response: Response) -> bytes | None:
    """The response as HTTP/1.1 would have sent it without codings; None where the stored bytes are not whole."""
    kept = opened(response.head, response.body)
    if kept is None or kept.status is None:
        return None
    lines = [f"HTTP/1.1 {kept.status} {_phrase(kept.status)}".rstrip()]
    lines += [f"{_kept_name(name)}: {_line(text)}" for name, text in kept.headers]
    lines.append(f"Content-Length: {len(kept.body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + kept.body


def _kept_name(name: str) -> str:
    return _line(f"X-Archive-Orig-{name}" if name.lower() in UNDONE else name)


def _line(text: str) -> str:
    """Without what would end the line."""
    return " ".join(text.split("\0")).replace("\r", " ").replace("\n", " ")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
