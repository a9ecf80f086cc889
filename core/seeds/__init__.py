"""Where a crawl begins: sitemaps, feeds, lists, pasted text, files.

Each source gives addresses as written, and warnings; the crawl's scope and patterns decide what becomes of them.
"""

from core.seeds.base import Found, Warned
from core.seeds.files import read_seed_file
from core.seeds.robots import sitemaps_named
from core.seeds.sitemap import Sitemap, read_sitemap
from core.seeds.text import BadLine, Seed, SeedText, read_seed_text

__all__ = [
    "BadLine",
    "Found",
    "Seed",
    "SeedText",
    "Sitemap",
    "Warned",
    "read_seed_file",
    "read_seed_text",
    "read_sitemap",
    "sitemaps_named",
]
