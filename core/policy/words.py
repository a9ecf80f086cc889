"""What a reason against a URL means, in the words an analyst reads: the machine's word stays what it is elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.policy.verdict import Facts
    from core.settings import CrawlSettings
    from core.urls import Url

UNREACHABLE = "robots: unreachable"
_WHOLE = {
    "robots: nofollow": "all links to it ask not to be followed, and politeness.nofollow is on",
    "scope: scheme": "only http and https addresses are requested",
    "scope: resource": "pages only show it, as an image, a script or a style: that is recorded, not requested",
}


def in_words(reason: str, url: Url, settings: CrawlSettings, facts: Facts) -> str:
    """A documented reason as a clause about this URL; a reason that is not known here is given as it is."""
    return _WHOLE.get(reason) or _by_word(reason, url, settings, facts)


def _by_word(reason: str, url: Url, settings: CrawlSettings, facts: Facts) -> str:
    word, _, rest = reason.partition(":")
    rest = rest.strip()
    match word:
        case "scope":
            return _outside(url, settings, facts)
        case "robots" if reason.startswith(UNREACHABLE):
            return f"its robots.txt cannot be had{reason.removeprefix(UNREACHABLE)}, so nothing may be fetched"
        case "robots":
            return f"robots.txt forbids it by “{rest}”"
        case "authorisation":
            return f"the authorisation for the host ended ({rest}, UTC)"
        case "pattern":
            return "no include pattern matches" if rest == "not included" else f"the exclusion {rest} matches"
        case "unreachable":
            return f"the name of {url.host} does not resolve"
        case "block-host":
            return f"the host {url.host} is blocked by scope.block_hosts"
        case "private":
            return f"{url.host} is a private place, and neither seeds nor scope.hosts name it"
        case "extension":
            return f"the extension .{_extension(url)} is skipped by scope.skip_extensions"
    return _limit(reason, rest, settings, facts)


def _outside(url: Url, settings: CrawlSettings, facts: Facts) -> str:
    if not settings.scope.follow and facts.via in {"link", "canonical"}:
        return "no links are followed (scope.follow is off), and no seed lists it"
    place = "those of scope.hosts" if settings.scope.hosts else "the seeds' hosts"
    return f"the host {url.host} is not among {place}"


def _extension(url: Url) -> str:
    return url.target.partition("?")[0].rpartition("/")[2].partition(";")[0].rpartition(".")[2]


def _limit(reason: str, rest: str, settings: CrawlSettings, facts: Facts) -> str:
    budgets = settings.budgets
    match reason.partition(":")[0]:
        case "depth":
            return f"the depth {facts.depth} is beyond the limit of {budgets.max_depth}"
        case "length":
            return f"it is longer than {budgets.max_url_length:,} characters"
        case "host-limit":
            return f"the host has its {budgets.max_pages_per_host:,} URLs (budgets.max_pages_per_host)"
        case "total-limit":
            return f"the crawl has its {budgets.max_pages:,} URLs (budgets.max_pages)"
        case "pattern-limit":
            return f"the pattern {rest} has the URLs that budgets.patterns grants it"
        case "trap" if rest == "path repeats":
            return f"a segment of the path occurs more than {budgets.max_path_repeats} times"
        case "trap" if rest == "parameters":
            return f"its path has {budgets.max_parameter_sets:,} combinations of parameters already"
    return reason
