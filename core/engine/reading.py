"""What is read out of a page's body: title, links, directives, checks, records. Pure: a value in, a value out.

It runs on the loop for small pages, on a thread for large ones, and in a process of its own where rules that know no
time limit are to be applied (worker.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.fetch.fault import Step, fault_of
from core.identity.content import content_hash
from core.parse import HeaderLinks, failed_check, header_links, header_robots, parse_page
from core.parse.visible import main_text
from core.store.results import FoundLink, Parsed, SkippedLink
from core.urls import Rejected, Resolver, Url, key_form, parse, without_user_info

if TYPE_CHECKING:
    from core.engine.rules import RulesInForce
    from core.parse.page import ParsedPage
    from core.store.results import FoundRecord

HASH_BYTES = 16
LONGEST_CANONICAL = 2048  # characters
SCHEME = "scope: scheme"  # neither http nor https, nor one that leads to no document at all (parse/schemes.py)
NO_ADDRESS = "error: url"


@dataclass(frozen=True, slots=True)
class Body:
    """A body with what its reading depends on. `url` is where it was found: links are relative to it."""

    url: Url
    content: bytes
    content_type: str
    charset: str | None
    headers: tuple[tuple[str, str], ...]

    @property
    def has_link_headers(self) -> bool:
        return any(name.lower() == "link" for name, _ in self.headers)


def read_body(rules: RulesInForce, body: Body, *, records: bool = True) -> Parsed:
    """Everything a page says; without its records where they are not wanted. Never raises.

    Where a rule fails in a way that nobody foresaw the rest is kept, and where the page does, that alone is told.
    """
    try:
        return _read(rules, body, records=records)
    except Exception as error:  # whatever it is, it is this page's outcome, and no worker dies of it
        fault = fault_of(error, Step.READ)
    if not records:
        return Parsed(error=fault.kind, detail=fault.sentence)
    return replace(read_body(rules, body, records=False), error=fault.kind, detail=fault.sentence)


def _read(rules: RulesInForce, body: Body, *, records: bool) -> Parsed:
    page = parse_page(body.content, body.content_type, body.charset, rules.parsing)
    said = page.robots | header_robots(body.headers, rules.token)
    checks = rules.checks(body.url) if page.source or not body.content else ()
    failed = next(filter(None, (failed_check(page.source, check.must, check.must_not) for check in checks)), None)
    if failed is not None:
        return Parsed(title=page.title, encoding=page.encoding, checked=True, soft_block=True, detail=failed)
    base = _base(body.url, page)
    links, skipped = _links(rules, body, base, page, nofollow="nofollow" in said)
    wants_records = records and not (rules.settings.politeness.noindex and "noindex" in said)
    return Parsed(
        title=page.title,
        encoding=page.encoding,
        canonical=_canonical(rules, body, base, page),
        robots=", ".join(sorted(said & {"noindex", "nofollow"})),
        needs_javascript=page.needs_javascript,
        checked=bool(checks),
        content_hash=content_hash(body.content)[:HASH_BYTES],
        simhash=_simhash(rules, page),
        links=links,
        skipped=skipped,
        records=_records(rules, body.url, page) if wants_records else (),
        error=page.error,
        detail=page.detail,
    )


def _simhash(rules: RulesInForce, page: ParsedPage) -> int | None:
    """That of the page's own words: where all pages share their navigation, small ones would all look alike."""
    if rules.settings.pages.near_duplicates < 0:
        return None
    from core.identity.simhash import simhash  # crawls that do not look for near duplicates do without

    return simhash(page.text if page.document is None else main_text(page.document)) or None


def _base(url: Url, page: ParsedPage) -> Url:
    base = parse(page.base, url) if page.base else url
    return url if isinstance(base, Rejected) else base


def _canonical(rules: RulesInForce, body: Body, base: Url, page: ParsedPage) -> str | None:
    """The canonical URL a page names, the header before the element; where it names two, both with a space between.

    RFC 6596 knows one canonical a page; search engines believe none of several, and so does the store. What is no URL
    is kept as it was written.
    """
    header = header_links(body.headers) if body.has_link_headers else HeaderLinks()
    if header.canonical is None and page.canonical is None:
        return None
    named = [(raw, body.url, "utf-8") for raw in (header.canonical, *header.other_canonicals) if raw]
    named += [(raw, base, page.encoding) for raw in (page.canonical, *page.other_canonicals) if raw]
    urls = [url for raw, place, charset in named if isinstance(url := parse(raw, place, charset=charset), Url)]
    if not urls:
        return without_user_info(named[0][0])[:LONGEST_CANONICAL]
    first = key_form(urls[0], rules.urls)
    other = next((url.text for url in urls[1:] if key_form(url, rules.urls) != first), None)
    return urls[0].text if other is None else f"{urls[0].text} {other}"


def _links(
    rules: RulesInForce, body: Body, base: Url, page: ParsedPage, *, nofollow: bool
) -> tuple[tuple[FoundLink, ...], tuple[SkippedLink, ...]]:
    """One link for each page that is named: the first, or the first of those that are followed, if there are any.

    And the links that lead nowhere, each once.
    """
    sources = [(Resolver(base, rules.urls, page.encoding), page.links)]
    if body.has_link_headers:
        sources.append((Resolver(body.url, rules.urls), header_links(body.headers).links))
    found: dict[Url, FoundLink] = {}
    skipped: dict[str, SkippedLink] = {}
    for resolver, links in sources:
        for link in links:
            resolved = resolver.resolve(link.href)
            if isinstance(resolved, Rejected):
                address = _as_told(link.href)
                reason = SCHEME if resolved.code == "scheme" else NO_ADDRESS
                skipped.setdefault(address, SkippedLink(address, reason, link.text, link.rel, link.kind))
                continue
            new = FoundLink(*resolved, link.text, link.rel, link.kind, nofollow or link.nofollow)
            if new.key not in found or (_is_followed(new) and not _is_followed(found[new.key])):
                found[new.key] = new
    return tuple(found.values()), tuple(skipped.values())


def _as_told(href: str) -> str:
    """What was written, without user information and fragment, short, and without characters that act."""
    text = without_user_info(href[:LONGEST_CANONICAL].strip()).partition("#")[0]
    return "".join([char if char.isprintable() else "\ufffd" for char in text])


def _is_followed(link: FoundLink) -> bool:
    return not link.nofollow and link.kind != "resource"


def _records(rules: RulesInForce, url: Url, page: ParsedPage) -> tuple[FoundRecord, ...]:
    types = rules.record_types(url)
    if not types or page.document is None:
        return ()
    from core.engine.records import found_records  # crawls without record types do without

    return found_records(rules, types, url, page)
