"""The one judge: may this URL enter the frontier, why not, and how soon is its turn?

Engine, pattern editor and Explain ask the same object, compiled once for each version of the settings. It is pure: what
it has to know about counts comes in as `Facts`. A refusal's reason begins with one word of the documented list.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import TYPE_CHECKING

from core.policy import priority
from core.policy.pattern_set import PatternSet
from core.policy.scope import HostSet, is_private, listed_hosts, scope_hosts
from core.policy.verdict import Case, Facts, Step, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.settings import CrawlSettings
    from core.urls import Url

    Ask = Callable[["Case"], str]  # the reason against it, or ""
    Rule = tuple[str, str, Ask]  # its name, what Explain says where it passes, the question

LISTED = frozenset(("seed", "sitemap", "feed", "archive", "file", "redirect"))
"""Ways of being found that list mode (`follow = false`) lets in: what the analyst listed, and where it redirects to."""

_REMEMBERED_HOSTS = 20_000


class Policy:
    """The settings of a crawl, compiled into decisions; raises BadPattern for a pattern that cannot be compiled."""

    def __init__(self, settings: CrawlSettings, extra_hosts: frozenset[str] = frozenset()) -> None:
        scope, budgets, normalise = settings.scope, settings.budgets, settings.normalise
        www = normalise.ignore_www

        def patterns(texts: tuple[str, ...], *, undecided: bool = False) -> PatternSet:
            return PatternSet(texts, lower_path=normalise.lower_path, ignore_www=www, undecided=undecided)

        self._follow = scope.follow
        self._budgets = budgets
        self._order = settings.priority.order
        self._bonuses = tuple(item.bonus for item in settings.priority.patterns)
        self._hosts = HostSet(scope_hosts(settings) | extra_hosts, subdomains=scope.subdomains, ignore_www=www)
        self._blocked = HostSet(scope.block_hosts, ignore_www=www)
        self._listed = listed_hosts(settings)
        self._listed_set = HostSet(self._listed)
        self._extensions = frozenset(text.lower().lstrip(".") for text in scope.skip_extensions)
        self._exclude = patterns(scope.exclude, undecided=True)
        self._include = patterns(scope.include)
        self._limited = patterns(tuple(item.pattern for item in budgets.patterns))
        self._favoured = patterns(tuple(item.pattern for item in settings.priority.patterns))
        self._bind()

    def widened(self, host: str) -> Policy:
        """The same judge with one more host in scope, where a seed's redirect leads; compiled once for all of them."""
        judge = copy(self)
        judge._hosts = self._hosts.joined_by(host)
        judge._bind()
        return judge

    def judge(self, fetch: Url, key: Url, facts: Facts, *, explain: bool = False) -> Verdict:
        """The decision for a new URL. With `explain` every rule is asked, also after the first refusal."""
        if explain:
            return self._explained(fetch, key, facts)
        case = Case(fetch, key, facts)
        for ask in self._all:
            reason = ask(case)
            if reason:
                return Verdict(False, reason, "refused")
        points = priority.total(self._parts(key, facts))
        return Verdict(True, "", "pending", points, priority.front(points))

    def static(self, fetch: Url, key: Url, facts: Facts) -> str:
        """The reason against a URL that no count and no depth can change, or ""; the same for the same settings."""
        case = Case(fetch, key, facts)
        for _, _, ask in self._static:
            reason = ask(case)
            if reason:
                return reason
        return ""

    def excluded(self, key: Url, fetch: Url | None = None) -> str | None:
        """Why a URL that is known already may not be requested: a blocked host or extension, an exclusion, or None.

        `fetch` is the spelling that is asked for, where that is not the key form.
        """
        if self._host_reason(key)[1] == "block-host":
            return "block-host"
        case = Case(fetch or key, key, _KNOWN)
        return self._skipped(case) or self._excluding(case) or None

    def leaves_out(self, key: Url, fetch: Url, via: str = "link", *, seed: bool = False) -> str:
        """Why a URL that is known already is no part of the crawl (any more): `scope`, not included, or "".

        By default one that a link led to; no other is treated harder, so that most need no look at their way.
        """
        case = Case(fetch, key, _KNOWN if via == "link" and not seed else Facts(depth=0, is_seed=seed, via=via))
        return self._outside(case) or (self._not_included(case) if self._include else "")

    def budget_patterns(self, key: Url) -> tuple[int, ...]:
        """The numbers, from 0, of `budgets.patterns` that count this URL."""
        return self._limited.matching(key) if self._limited else ()

    def listed(self) -> frozenset[str]:
        """Hosts (`host` or `host:port`) whose private addresses may be connected to."""
        return self._listed

    def in_scope(self, url: Url) -> bool:
        """Whether the URL's host belongs to the crawl, the seeds' redirects not counted."""
        return self._host_reason(url)[0]

    def blocks_host(self, url: Url) -> bool:
        """Whether the analyst blocked the URL's host: nothing of it is requested, no sitemap and no robots.txt."""
        return self._host_reason(url)[1] == "block-host"

    def forbids_host(self, url: Url) -> bool:
        """Whether no URL of this host may be requested: it is blocked, or private and not listed."""
        return bool(self._host_reason(url)[1])

    def _explained(self, fetch: Url, key: Url, facts: Facts) -> Verdict:
        case = Case(fetch, key, facts)
        steps: list[Step] = []
        reasons: list[str] = []
        for rule, good, ask in (*self._static, *self._counted):
            reason = ask(case)
            steps.append(Step(rule, not reason, reason or good, reason))
            reasons += [reason] if reason else []
        numbers = self._parts(key, facts)
        named = zip(priority.PART_NAMES, numbers, strict=True)
        steps.extend(Step(f"priority: {name}", True, f"{number:+d}") for name, number in named if number)
        points = priority.total(numbers)
        place = priority.front(points)
        return Verdict(
            not reasons, reasons[0] if reasons else "", "refused" if reasons else "pending", points, place, tuple(steps)
        )

    def _parts(self, key: Url, facts: Facts) -> tuple[int, ...]:
        bonus = sum(self._bonuses[number] for number in self._favoured.matching(key)) if self._favoured else 0
        return priority.parts(
            self._order,
            facts.depth,
            is_seed=facts.is_seed,
            bonus=bonus,
            lastmod_age=facts.lastmod_age,
            inlinks=facts.inlinks,
            changes=facts.changes,
        )

    def _bind(self) -> None:
        self._host_reasons: dict[tuple[str, int], tuple[bool, str]] = {}
        self._static = self._static_checks()
        self._counted = self._counted_checks()
        self._all = tuple(ask for _, _, ask in (*self._static, *self._counted))

    # Each rule: its name, what Explain says where it passes, and the question. Rules that are off are not asked.

    def _static_checks(self) -> tuple[Rule, ...]:
        budgets = self._budgets
        rules: list[Rule] = [
            ("scope", "the host is in scope", self._outside),
            ("host", "neither blocked nor private", self._host_refused),
            ("length", f"at most {budgets.max_url_length} characters", self._too_long),
        ]
        if self._extensions:
            rules.append(("extension", "the extension is not skipped", self._skipped))
        if self._exclude:
            rules.append(("exclude", "no exclusion matches", self._excluding))
        if self._include:
            rules.append(("include", "an include pattern matches, or a seed", self._not_included))
        if budgets.max_path_repeats:
            words = f"no segment of the path occurs more than {budgets.max_path_repeats} times"
            rules.append(("path repeats", words, self._repeating))
        return tuple(rules)

    def _counted_checks(self) -> tuple[Rule, ...]:
        budgets = self._budgets
        rules: list[tuple[bool, Rule]] = [
            (budgets.max_depth > 0, ("depth", f"at most {budgets.max_depth}", self._too_deep)),
            (
                budgets.max_parameter_sets > 0,
                ("parameters", f"under {budgets.max_parameter_sets} combinations for the path", self._too_varied),
            ),
            (
                budgets.max_pages_per_host > 0,
                ("host-limit", f"under {budgets.max_pages_per_host} URLs of the host", self._host_full),
            ),
            (budgets.max_pages > 0, ("total-limit", f"under {budgets.max_pages} URLs in all", self._crawl_full)),
            (bool(self._limited), ("pattern-limit", "under the limit of every pattern", self._pattern_full)),
        ]
        return tuple(rule for is_on, rule in rules if is_on)

    def _outside(self, case: Case) -> str:
        if case.facts.is_seed:
            return ""
        if not self._follow and case.facts.via not in LISTED:
            return "scope"
        if self._host_reason(case.fetch)[0]:
            return ""
        host, widened = case.fetch.host, case.facts.extra_hosts
        return "" if host in widened or f"{host}:{case.fetch.port}" in widened else "scope"

    def _host_refused(self, case: Case) -> str:
        return self._host_reason(case.fetch)[1]

    def _host_reason(self, url: Url) -> tuple[bool, str]:
        place = (url.host, url.port)
        known = self._host_reasons.get(place)
        if known is None:
            if len(self._host_reasons) >= _REMEMBERED_HOSTS:
                self._host_reasons.clear()
            known = self._host_reasons[place] = (url in self._hosts, self._host_fault(url))
        return known

    def _host_fault(self, url: Url) -> str:
        if url in self._blocked:
            return "block-host"
        return "private" if is_private(url.host) and url not in self._listed_set else ""

    def _too_long(self, case: Case) -> str:
        most = self._budgets.max_url_length
        if len(case.fetch.host) + len(case.fetch.target) + 14 <= most:  # "https://", and at most ":65535"
            return ""
        return "length" if len(case.fetch.text) > most else ""

    def _skipped(self, case: Case) -> str:
        segment = case.fetch.target.partition("?")[0].rpartition("/")[2].partition(";")[0]
        _, dot, extension = segment.rpartition(".")
        return "extension" if dot and extension.lower() in self._extensions else ""

    def _excluding(self, case: Case) -> str:
        found = self._exclude.first_match(case.key) if self._exclude else None
        return f"pattern: {found.text}" if found else ""

    def _not_included(self, case: Case) -> str:
        if case.facts.is_seed or self._include.first_match(case.key):
            return ""
        return "pattern: not included"

    def _repeating(self, case: Case) -> str:
        most = self._budgets.max_path_repeats
        segments = case.key.target.partition("?")[0].split("/")
        if len(segments) <= most + 1:
            return ""
        counts = Counter(segments)
        counts[""] = 0
        return "trap: path repeats" if max(counts.values()) > most else ""

    def _too_deep(self, case: Case) -> str:
        return "depth" if case.facts.depth > self._budgets.max_depth else ""

    def _too_varied(self, case: Case) -> str:
        if case.facts.parameter_sets < self._budgets.max_parameter_sets:
            return ""
        return "trap: parameters" if "?" in case.key.target else ""

    def _host_full(self, case: Case) -> str:
        return "host-limit" if case.facts.host_known >= self._budgets.max_pages_per_host else ""

    def _crawl_full(self, case: Case) -> str:
        return "total-limit" if case.facts.total_known >= self._budgets.max_pages else ""

    def _pattern_full(self, case: Case) -> str:
        limits, counts = self._budgets.patterns, case.facts.pattern_counts
        for number in self._limited.matching(case.key):
            most = limits[number].max_pages
            if most and number < len(counts) and counts[number] >= most:
                return f"pattern-limit: {limits[number].pattern}"
        return ""


_KNOWN = Facts(depth=0)
