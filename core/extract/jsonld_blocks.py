"""The JSON-LD blocks of a page, decoded as loosely as search engines do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Document

    from core.identity import JsonValue


MEDIA_TYPE = "application/ld+json"
MAX_BLOCKS = 100


def read_blocks(document: Document) -> list[JsonValue]:
    """Every block that is JSON, in document order; raw line breaks in texts are allowed."""
    blocks: list[JsonValue] = []
    for script in document.iter_elements("script"):
        if (script.attr("type") or "").partition(";")[0].strip().lower() != MEDIA_TYPE:
            continue
        try:
            blocks.append(json.loads(script.text, strict=False))
        except (ValueError, RecursionError):
            continue  # a page's broken block is no fault of ours, and its fields are null
        if len(blocks) == MAX_BLOCKS:
            break
    return blocks
