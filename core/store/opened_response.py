"""A kept response opened: what was answered, where the stored bytes are what was kept."""

from __future__ import annotations

import json
from dataclasses import dataclass

LONGEST = 256 * 1024 * 1024  # bytes of a body: no page that was kept comes near it


@dataclass(frozen=True, slots=True)
class OpenedResponse:
    """`status` is None where it was not noted."""

    status: int | None
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header_lines(self, name: str) -> list[bytes]:
        """The values of a header, given in lower case, as they were answered."""
        return [value.encode() for known, value in self.headers if known.lower() == name]


def opened(head: bytes, body: bytes, longest: int = LONGEST) -> OpenedResponse | None:
    """None where the stored bytes are damaged, or would be longer than `longest` bytes."""
    import zstandard  # only crawls that keep responses need it

    try:
        said = json.loads(head)
        status = said.get("status")
        headers = tuple((str(name), str(value)) for name, value in said["headers"])
        if zstandard.frame_content_size(body) > longest:
            return None
        content = zstandard.decompress(body, longest)
        return OpenedResponse(None if status is None else int(status), headers, content)
    except (zstandard.ZstdError, ValueError, KeyError, TypeError, AttributeError):
        return None
