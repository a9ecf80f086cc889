"""Try something out without touching the crawl: what a seed source would bring, and which better ones a site has."""

from core.preview.sources import Offer, SourcePreview, find_sources, preview_source

__all__ = ["Offer", "SourcePreview", "find_sources", "preview_source"]
