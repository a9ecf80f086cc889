"""Which refusals a change of settings may take back, by the first word of their reason.

A refusal whose reason's rule is as strict as before, or stricter, stays one, whatever else changes. The answer is on
the safe side: it names every word that may be concerned. From one version of the settings to a third, no more is
relaxed than in the two steps between them together.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from core.policy.scope import listed_hosts, scope_hosts
from core.urls import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.settings import Budgets, CrawlSettings, Scope

LIMITS = frozenset({"host-limit", "total-limit", "pattern-limit"})
WORDS = LIMITS | {
    *("depth", "length", "trap", "pattern", "scope", "extension", "block-host", "private", "robots"),
}

COPY = "copy"  # beside them: the links of an exact copy, which are followed by choice


def relaxed(before: CrawlSettings, after: CrawlSettings) -> frozenset[str]:
    """Those of WORDS and COPY that stand for a rule which is less strict after the change."""
    copies = {COPY} if after.pages.follow_duplicates and not before.pages.follow_duplicates else frozenset[str]()
    if Rules.of(before.normalise) != Rules.of(after.normalise):
        return WORDS | copies  # patterns and counts see other key forms
    words = (_budgets(before.budgets, after.budgets), _patterns(before.scope, after.scope), _hosts(before, after))
    return frozenset(chain(*words, copies))


def _budgets(before: Budgets, after: Budgets) -> Iterator[str]:
    limits = {
        "depth": (before.max_depth, after.max_depth),
        "length": (before.max_url_length, after.max_url_length),
        "total-limit": (before.max_pages, after.max_pages),
        "host-limit": (before.max_pages_per_host, after.max_pages_per_host),
    }
    yield from (word for word, limit in limits.items() if _raised(*limit))
    repeats = (before.max_path_repeats, after.max_path_repeats)
    if _raised(*repeats) or _raised(before.max_parameter_sets, after.max_parameter_sets):
        yield "trap"
    old, new = _pattern_limits(before), _pattern_limits(after)
    if any(_raised(limit, new.get(pattern, 0)) for pattern, limit in old.items()):
        yield "pattern-limit"


def _patterns(before: Scope, after: Scope) -> Iterator[str]:
    wider = before.include and (not after.include or set(after.include) - set(before.include))
    if wider or set(before.exclude) - set(after.exclude):
        yield "pattern"
    if set(before.skip_extensions) - set(after.skip_extensions):
        yield "extension"
    if set(before.block_hosts) - set(after.block_hosts):
        yield "block-host"


def _hosts(before: CrawlSettings, after: CrawlSettings) -> Iterator[str]:
    old, new = before.scope, after.scope
    files = before.seeds.files != after.seeds.files  # what stands in them is not known here
    opened = (new.follow and not old.follow) or (new.subdomains and not old.subdomains)
    if files or opened or scope_hosts(after) - scope_hosts(before):
        yield "scope"
    if files or listed_hosts(after) - listed_hosts(before):
        yield "private"
    if before.politeness.nofollow and not after.politeness.nofollow:
        yield "robots"


def _raised(before: int, after: int) -> bool:
    """Whether a limit, where 0 means none, lets in more than before."""
    return bool(before) and (not after or after > before)


def _pattern_limits(budgets: Budgets) -> dict[str, int]:
    """The strictest limit of each pattern that has one."""
    limits: dict[str, int] = {}
    for item in budgets.patterns:
        if item.max_pages:
            limits[item.pattern] = min(item.max_pages, limits.get(item.pattern, item.max_pages))
    return limits
