"""The analyst's seeds as the engine takes them up: typed lines, files, sources that are fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from core.policy.scope import has_port, is_private, parsed_host
from core.store.results import FoundLink
from core.urls import Rejected, Url, fetch_form, key_form, parse, parse_seed_line, without_user_info

if TYPE_CHECKING:
    from core.settings import CrawlSettings
    from core.urls import Rules

SeedLine = tuple[str, FoundLink | None, str]


def with_files(settings: CrawlSettings) -> CrawlSettings:
    """The settings with the lines of their seed files among the typed ones: they count for the scope alike.

    Raises BadInput for a file that cannot be read.
    """
    if not settings.seeds.files:
        return settings
    from core.seeds.files import read_seed_file  # few crawls have one

    lines = list(settings.seeds.urls)
    for name in settings.seeds.files:
        read = read_seed_file(name)
        lines += [seed.url.text for seed in read.good] + [bad.text for bad in read.problems]
    seeds = msgspec.structs.replace(settings.seeds, urls=tuple(lines), files=())
    return msgspec.structs.replace(settings, seeds=seeds)


def seed_lines(settings: CrawlSettings, rules: Rules) -> list[SeedLine]:
    """Every seed line as typed, with the URL it means or what is wrong with it."""
    return [_seed(line.strip(), rules) for line in settings.seeds.urls if line.strip()]


def seed_sources(settings: CrawlSettings, rules: Rules) -> list[FoundLink]:
    """The sources to be fetched that the analyst wrote: sitemaps, feeds, archives; `kind` says which."""
    seeds = settings.seeds
    if not (seeds.sitemaps or seeds.feeds or seeds.archives):
        return []
    from core.seeds.sources import SOURCES  # a start waits for no import that only some crawls need

    written = ((kind.name, parse_seed_line(text)) for kind in SOURCES for text in kind.written(seeds))
    return [FoundLink(url, key_form(url, rules), kind=name) for name, url in written if not isinstance(url, Rejected)]


def places_to_ask(settings: CrawlSettings, rules: Rules) -> list[FoundLink]:
    """Whose robots.txt is asked for sitemaps (`auto`) though no seed leads there: hosts that only the scope names.

    Such a host has no scheme: https, but http for a private place, and for a port that is not that of https.
    """
    if "auto" not in settings.seeds.sitemaps:
        return []
    seeded = {url.host for text in settings.seeds.urls if isinstance(url := parse_seed_line(text), Url)}
    named = [host for host in map(parsed_host, settings.scope.hosts) if host]
    urls = (parse(f"{_scheme(host)}://{host}/") for host in dict.fromkeys(named))
    return [FoundLink(url, key_form(url, rules)) for url in urls if isinstance(url, Url) and url.host not in seeded]


def _scheme(host: str) -> str:
    secure = host.endswith(":443") if has_port(host) else not is_private(host)
    return "https" if secure else "http"


def _seed(text: str, rules: Rules) -> SeedLine:
    url, text = parse_seed_line(text), without_user_info(text)
    if isinstance(url, Rejected):
        return (text, None, url.message)
    return (text, FoundLink(fetch_form(url, rules), key_form(url, rules), kind="seed"), "")
