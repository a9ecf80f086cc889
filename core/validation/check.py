"""Whether settings make sense as a whole: what `core.settings` cannot see in one value alone.

`check` gives every error, with which no crawl may start, and every warning, which the analyst should read. Each message
says what is wrong and what is allowed; keys are dotted names as in the settings file.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from core.errors import BadPattern, BadSelector, Problem
from core.json_path import steps_of
from core.policy import Facts, Policy, compile_pattern, product_token
from core.policy.schedule import AT
from core.policy.scope import parsed_host, queried_host
from core.settings import CrawlSettings
from core.urls import Rejected, Rules, Url, key_form, parse, parse_seed_line
from core.validation.fetch import fetch_errors
from core.validation.records import field_warnings, record_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.settings import Seeds

NOT_YET = (
    "budgets.hold_growing",
    "budgets.price_per_gb",
)
"""Keys that are read and kept, and whose feature is missing."""


def check(settings: CrawlSettings) -> tuple[list[Problem], list[Problem]]:
    """Errors and warnings, in the order of the settings file."""
    errors = list(
        chain(
            _seed_errors(settings),
            _host_errors(settings),
            _pattern_errors(settings),
            fetch_errors(settings),
            _recrawl_errors(settings),
            record_errors(settings.records),
        )
    )
    warnings = list(chain(_missing_features(settings), _agent_warnings(settings), field_warnings(settings.records)))
    if not errors:
        warnings += _refused_seeds(settings)
    return errors, warnings


def _seed_errors(settings: CrawlSettings) -> Iterator[Problem]:
    seeds = settings.seeds
    if not (seeds.urls or seeds.sitemaps or seeds.feeds or seeds.archives or seeds.files):
        yield Problem("seeds", "A crawl needs a seed: at least one of urls, sitemaps, feeds, archives, files.")
    for number, text in enumerate(seeds.urls):
        yield from _rejected(f"seeds.urls[{number}]", text, parse_seed_line(text))
    for number, text in enumerate(seeds.sitemaps):
        if text != "auto":
            yield from _rejected(f"seeds.sitemaps[{number}]", text, parse_seed_line(text))
        elif not (seeds.urls or settings.scope.hosts):
            yield Problem(f"seeds.sitemaps[{number}]", "“auto” needs a host: allowed beside seeds.urls or scope.hosts.")
    yield from _source_errors(seeds)


def _source_errors(seeds: Seeds) -> Iterator[Problem]:
    for number, feed in enumerate(seeds.feeds):
        yield from _rejected(f"seeds.feeds[{number}].url", feed.url, parse_seed_line(feed.url))
        if feed.format in {"json", "jsonl"} and not feed.path:
            yield Problem(
                f"seeds.feeds[{number}].path", "A JSON feed needs the path of its URLs, as in $.items[*].url."
            )
        elif feed.format in {"json", "jsonl"}:
            yield from _path_errors(f"seeds.feeds[{number}].path", feed.path)
    for number, archive in enumerate(seeds.archives):
        yield from _rejected(f"seeds.archives[{number}].endpoint", archive.endpoint, parse_seed_line(archive.endpoint))
        yield from _query_errors(f"seeds.archives[{number}].query", archive.query)
    for number, name in enumerate(seeds.files):
        if not name.strip() or "\0" in name:
            yield Problem(
                f"seeds.files[{number}]", "This is no file name; allowed is the path of a text, CSV or HTML file."
            )


def _path_errors(key: str, path: str) -> Iterator[Problem]:
    try:
        steps_of(path)
    except BadSelector as fault:
        yield Problem(key, str(fault))


def _query_errors(key: str, query: str) -> Iterator[Problem]:
    if not queried_host(query):
        yield Problem(
            key,
            f"“{query}” asks for no host; allowed is a host or prefix: shop.example, *.shop.example, shop.example/a/*.",
        )


def _rejected(key: str, text: str, url: Url | Rejected) -> Iterator[Problem]:
    if isinstance(url, Rejected):
        shown = text if len(text) <= 100 else text[:99] + "…"
        yield Problem(key, f"“{shown}” cannot be fetched: {url.message}")


def _host_errors(settings: CrawlSettings) -> Iterator[Problem]:
    scope, fetch = settings.scope, settings.fetch
    written = chain(
        _numbered("scope.hosts", scope.hosts),
        _numbered("scope.block_hosts", scope.block_hosts),
        ((f"scope.authorised[{n}].host", item.host) for n, item in enumerate(scope.authorised)),
        ((f"politeness.robots_override[{n}].host", o.host) for n, o in enumerate(settings.politeness.robots_override)),
        _numbered("fetch.untrusted_tls", fetch.untrusted_tls),
        ((f"fetch.resolve.{host}", host) for host in fetch.resolve),
    )
    for key, host in written:
        if not parsed_host(host.removeprefix("*.")):
            yield Problem(
                key, f"“{host}” is no host; allowed is a name or address, with or without a port: shop.example:8080."
            )
    for number, extension in enumerate(scope.skip_extensions):
        if not re.fullmatch(r"\.?[\w+~-]{1,20}", extension):
            yield Problem(
                f"scope.skip_extensions[{number}]", f"“{extension}” is no extension; allowed is one such as pdf."
            )


def _numbered(key: str, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((f"{key}[{number}]", text) for number, text in enumerate(texts))


def _pattern_errors(settings: CrawlSettings) -> Iterator[Problem]:
    written = chain(
        _numbered("scope.include", settings.scope.include),
        _numbered("scope.exclude", settings.scope.exclude),
        ((f"budgets.patterns[{n}].pattern", item.pattern) for n, item in enumerate(settings.budgets.patterns)),
        ((f"priority.patterns[{n}].pattern", item.pattern) for n, item in enumerate(settings.priority.patterns)),
        ((f"pages.checks[{n}].pattern", item.pattern) for n, item in enumerate(settings.pages.checks)),
        ((f"records[{n}].match", kind.match) for n, kind in enumerate(settings.records)),
    )
    for key, text in written:
        try:
            compile_pattern(text)
        except BadPattern as fault:
            yield Problem(key, str(fault))
    for number, item in enumerate(settings.pages.checks):
        if not (item.must or item.must_not):
            yield Problem(f"pages.checks[{number}]", "A check needs a text that must or must_not stand in the page.")


def _recrawl_errors(settings: CrawlSettings) -> Iterator[Problem]:
    recrawl = settings.recrawl
    if recrawl.at and not AT.fullmatch(recrawl.at):
        yield Problem("recrawl.at", f"“{recrawl.at}” is no time; allowed is 06:30, or a day and a time: Mon 06:30.")
    if recrawl.shortest > recrawl.longest:
        yield Problem(
            "recrawl.shortest", f"{recrawl.shortest} is more than recrawl.longest; allowed is up to {recrawl.longest}."
        )


def _missing_features(settings: CrawlSettings) -> Iterator[Problem]:
    usual = CrawlSettings()
    for key in NOT_YET:
        section, _, name = key.partition(".")
        value = getattr(getattr(settings, section), name)
        if value != getattr(getattr(usual, section), name):
            yield Problem(key, "This is kept, but has no effect: the feature is missing in this version.")


def _agent_warnings(settings: CrawlSettings) -> Iterator[Problem]:
    agent = settings.fetch.user_agent
    if not product_token(agent):
        yield Problem("fetch.user_agent", "The user agent begins with no name a robots.txt could call the crawler by.")
    if "http" not in agent and "@" not in agent:
        yield Problem("fetch.user_agent", "The user agent names no contact; a web or e-mail address is good manners.")
    if settings.politeness.per_host > settings.politeness.concurrency:
        yield Problem("politeness.per_host", "More than politeness.concurrency, which bounds all hosts together.")


def _refused_seeds(settings: CrawlSettings) -> Iterator[Problem]:
    """Seeds the crawl's own exclusions and limits keep out: allowed, but seldom meant."""
    policy = Policy(settings)
    rules = Rules()
    facts = Facts(depth=0, is_seed=True, via="seed")
    for number, text in enumerate(settings.seeds.urls):
        url = parse(text)
        reason = policy.static(url, key_form(url, rules), facts) if isinstance(url, Url) else ""
        if reason:
            yield Problem(f"seeds.urls[{number}]", f"This seed will not be fetched ({reason}).")
