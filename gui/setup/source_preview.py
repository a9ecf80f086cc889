"""What one source would bring this crawl: asked over the network, compared with the URLs in the file. For a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.preview import preview_source
from core.store.read.known_reader import KnownReader

if TYPE_CHECKING:
    from pathlib import Path

    from core.preview import SourcePreview
    from core.settings import CrawlSettings
    from gui.setup.source_values import Source


async def previewed(path: Path, source: Source, settings: CrawlSettings) -> SourcePreview:
    """Nothing of the crawl is touched. Raises the FileErrors, BadPattern and SecretMissing."""
    reader = KnownReader(path)
    try:
        return await preview_source(source, settings, reader.which)
    finally:
        reader.close()
