"""Whether settings make sense as a whole: what `core.settings` cannot see in one value alone.

`check` gives every error, with which no crawl may start, and every warning, which the analyst should read. Each message
says what is wrong and what is allowed; keys are dotted names as in the settings file.
"""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from core.errors import BadPattern, Problem
from core.policy import Facts, Policy, compile_pattern, product_token
from core.policy.scope import parsed_host
from core.settings import CrawlSettings
from core.urls import Rejected, Rules, Url, key_form, parse, parse_seed_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.settings import FieldRule, RecordType, Seeds

NOT_YET = (
    "seeds.archives",
    "seeds.feeds",
    "scope.authorised",
    "budgets.hold_growing",
    "budgets.price_per_gb",
    "recrawl.every",
    "recrawl.at",
    "notify.file",
    "notify.webhook",
)
"""Keys that are read and kept, and whose feature is missing."""

REFERENCES = ("env:", "keyring:")
_RULES = ("css", "xpath", "regex", "jsonld", "meta")
_AT = re.compile(r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?(?:[01]\d|2[0-3]):[0-5]\d")
_CREDENTIAL = re.compile(r"authorization|cookie|token|secret|passw|api-?key|session|credential", re.IGNORECASE)
_OWN_HEADERS = frozenset(("host", "content-length", "connection", "transfer-encoding", "accept-encoding", "user-agent"))


def check(settings: CrawlSettings) -> tuple[list[Problem], list[Problem]]:
    """Errors and warnings, in the order of the settings file."""
    errors = list(
        chain(
            _seed_errors(settings),
            _host_errors(settings),
            _pattern_errors(settings),
            _fetch_errors(settings),
            _recrawl_errors(settings),
            _record_errors(settings.records),
        )
    )
    warnings = list(chain(_missing_features(settings), _agent_warnings(settings), _field_warnings(settings.records)))
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
    for number, archive in enumerate(seeds.archives):
        yield from _rejected(f"seeds.archives[{number}].endpoint", archive.endpoint, parse_seed_line(archive.endpoint))
    for number, name in enumerate(seeds.files):
        if not name.strip() or "\0" in name:
            yield Problem(
                f"seeds.files[{number}]", "This is no file name; allowed is the path of a text, CSV or HTML file."
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


def _fetch_errors(settings: CrawlSettings) -> Iterator[Problem]:
    fetch = settings.fetch
    if not fetch.user_agent.isprintable() or not fetch.user_agent.isascii():
        yield Problem("fetch.user_agent", "The user agent may hold printable ASCII characters only.")
    yield from _content_type_errors(fetch.content_types)
    yield from _credential_errors(settings)
    for key, text in (("fetch.proxy", fetch.proxy), ("notify.webhook", settings.notify.webhook)):
        yield from _endpoint_errors(key, text)
    for host, address in fetch.resolve.items():
        if not _is_address(address):
            yield Problem(f"fetch.resolve.{host}", f"“{address}” is no IP address; allowed is one such as 203.0.113.7.")


def _content_type_errors(types: tuple[str, ...]) -> Iterator[Problem]:
    for number, text in enumerate(types):
        if not re.fullmatch(r"[\w.+*-]+/[\w.+*-]+", text):
            yield Problem(
                f"fetch.content_types[{number}]", f"“{text}” is no content type; allowed is one such as text/html."
            )


def _credential_errors(settings: CrawlSettings) -> Iterator[Problem]:
    fetch = settings.fetch
    for number, header in enumerate(fetch.headers):
        key = f"fetch.headers[{number}]"
        yield from _origin_errors(f"{key}.origin", header.origin)
        if header.name.lower() in _OWN_HEADERS:
            yield Problem(f"{key}.name", f"The header {header.name} is set by the program; any other name is allowed.")
        if _CREDENTIAL.search(header.name):
            yield from _secret_errors(f"{key}.value", header.value)
        elif not header.value.isprintable():
            yield Problem(f"{key}.value", "A header's value may hold no line break and no control character.")
    for number, login in enumerate(fetch.auth):
        yield from _origin_errors(f"fetch.auth[{number}].origin", login.origin)
        yield from _secret_errors(f"fetch.auth[{number}].password", login.password)
        if ":" in login.user:
            yield Problem(f"fetch.auth[{number}].user", "A user name for basic authentication holds no colon.")
    for number, cookie in enumerate(fetch.cookies):
        yield from _origin_errors(f"fetch.cookies[{number}].origin", cookie.origin)
        yield from _secret_errors(f"fetch.cookies[{number}].value", cookie.value)


def _secret_errors(key: str, value: str) -> Iterator[Problem]:
    # The value itself is never shown: it may be the secret.
    if not any(value.startswith(prefix) and len(value) > len(prefix) for prefix in REFERENCES):
        yield Problem(key, "A secret is never written here; allowed is a reference, env:NAME or keyring:NAME.")


def _origin_errors(key: str, text: str) -> Iterator[Problem]:
    url = parse(text)
    if not isinstance(url, Url) or url.target != "/" or any(mark in text for mark in "?#@"):
        yield Problem(key, f"“{_without_login(text)}” is no origin; allowed is scheme://host or scheme://host:port.")


def _endpoint_errors(key: str, text: str) -> Iterator[Problem]:
    if not text:
        return
    if not isinstance(parse(text), Url):
        yield Problem(key, f"“{_without_login(text)}” is no address; allowed is http://… or https://…")
    elif "@" in text.partition("://")[2].partition("/")[0]:
        yield Problem(key, "The address holds a user name or password; allowed is an address without them.")


def _without_login(text: str) -> str:
    return text.rpartition("@")[2]


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _recrawl_errors(settings: CrawlSettings) -> Iterator[Problem]:
    recrawl = settings.recrawl
    if recrawl.at and not _AT.fullmatch(recrawl.at):
        yield Problem("recrawl.at", f"“{recrawl.at}” is no time; allowed is 06:30, or a day and a time: Mon 06:30.")
    if recrawl.shortest > recrawl.longest:
        yield Problem(
            "recrawl.shortest", f"{recrawl.shortest} is more than recrawl.longest; allowed is up to {recrawl.longest}."
        )


def _record_errors(records: tuple[RecordType, ...]) -> Iterator[Problem]:
    names = Counter(kind.name for kind in records)
    unclear: set[str] = set()
    for number, kind in enumerate(records):
        key = f"records[{number}]"
        if names[kind.name] > 1:
            yield Problem(f"{key}.name", f"Two record types are called “{kind.name}”; each name is allowed once.")
        if not kind.fields:
            yield Problem(f"{key}.fields", "The record type has no field; at least one is needed.")
        for name, rule in kind.fields.items():
            for problem in _rule_errors(f"{key}.fields.{name}", rule):
                unclear.add(f"{key}.fields.{name}.")
                yield problem
        yield from _key_errors(key, kind)
    if records:
        yield from _selector_errors(records, tuple(unclear))


def _rule_errors(key: str, rule: FieldRule) -> Iterator[Problem]:
    given = [name for name in _RULES if getattr(rule, name)]
    if len(given) != 1:
        found = " and ".join(given) if given else "none of them"
        yield Problem(key, f"A field is read by exactly one of {', '.join(_RULES)}; here stands {found}.")


def _key_errors(key: str, kind: RecordType) -> Iterator[Problem]:
    for name in kind.key_fields:
        if name not in kind.fields:
            known = ", ".join(kind.fields) or "none yet"
            yield Problem(f"{key}.key", f"“{name}” is no field of this record type; its fields are: {known}.")
    if kind.rows and not kind.key_fields:
        yield Problem(f"{key}.key", "A page with many rows needs a key that tells them apart: name one or more fields.")
    if len(set(kind.key_fields)) < len(kind.key_fields):
        yield Problem(f"{key}.key", "A field is named twice; each is allowed once.")


def _selector_errors(records: tuple[RecordType, ...], unclear: tuple[str, ...]) -> Iterator[Problem]:
    from core.extract import problems  # brings the HTML parser, which only crawls with records need here

    return (problem for problem in problems(records) if not problem.key.startswith(unclear))


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
        yield Problem("fetch.user_agent", "It begins with no name that a robots.txt can call the crawler by.")
    if "http" not in agent and "@" not in agent:
        yield Problem("fetch.user_agent", "It names no contact; a web address or e-mail address is good manners.")
    if settings.politeness.per_host > settings.politeness.concurrency:
        yield Problem("politeness.per_host", "More requests for one host than politeness.concurrency allows in all.")


def _field_warnings(records: tuple[RecordType, ...]) -> Iterator[Problem]:
    for number, kind in enumerate(records):
        for name, rule in kind.fields.items():
            if rule.unordered and rule.cast != "list":
                yield Problem(
                    f"records[{number}].fields.{name}.unordered", 'This has an effect with cast = "list" only.'
                )


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
