"""The analyst's seeds as the engine takes them up: typed lines, files, sitemaps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.store.results import FoundLink
from core.urls import Rejected, fetch_form, key_form, parse_seed_line

if TYPE_CHECKING:
    from core.settings import CrawlSettings
    from core.urls import Rules

SeedLine = tuple[str, FoundLink | None, str]


def seed_lines(settings: CrawlSettings, rules: Rules) -> list[SeedLine]:
    """Every seed line as typed, with the URL it means or what is wrong with it."""
    lines = [*settings.seeds.urls]
    for name in settings.seeds.files:
        lines += _lines_of(Path(name).expanduser())
    return [_seed(line.strip(), rules) for line in lines if line.strip()]


def seed_sitemaps(settings: CrawlSettings, rules: Rules) -> list[FoundLink]:
    """The sitemaps written by the analyst; `auto` stands for those that robots.txt names."""
    found = (parse_seed_line(text) for text in settings.seeds.sitemaps if text != "auto")
    return [FoundLink(url, key_form(url, rules), kind="sitemap") for url in found if not isinstance(url, Rejected)]


def _seed(text: str, rules: Rules) -> SeedLine:
    url = parse_seed_line(text)
    if isinstance(url, Rejected):
        return (text, None, url.message)
    return (text, FoundLink(fetch_form(url, rules), key_form(url, rules), kind="seed"), "")


def _lines_of(path: Path) -> list[str]:
    from core.seeds.files import read_seed_file

    return [seed.url.text for seed in read_seed_file(path).good]
