"""What one version of the settings means for the engine, worked out once: rules, agents, record types, limits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from core.parse.page import ParseOptions
from core.policy.authorisation import Authorisations, reason_of
from core.policy.overrides import RobotsOverrides
from core.policy.patterns import compile_pattern
from core.policy.policy import Policy
from core.policy.robots import product_token
from core.urls import Rules, Url, key_form

if TYPE_CHECKING:
    from core.extract import Extractor
    from core.settings import Check, CrawlSettings


class RulesInForce:
    """Built anew when the settings change; pages in flight end by the rules they began with."""

    def __init__(self, settings: CrawlSettings) -> None:
        self.settings = settings
        self.urls = Rules.of(settings.normalise)
        self.token = product_token(settings.fetch.user_agent)
        self.parsing = ParseOptions(
            forms=settings.scope.forms, resources=settings.pages.resources, product_token=self.token
        )
        self.authorisations = Authorisations(settings)
        self.overrides = RobotsOverrides(settings)
        compiled = partial(
            compile_pattern, lower_path=settings.normalise.lower_path, ignore_www=settings.normalise.ignore_www
        )
        self._checks = [(compiled(check.pattern), check) for check in settings.pages.checks]
        self._matches = [compiled(kind.match) for kind in settings.records]
        self._with_regex = frozenset(
            number for number, kind in enumerate(settings.records) if any(rule.regex for rule in kind.fields.values())
        )
        self._extractor: Extractor | None = None
        self._policy: Policy | None = None

    def excluded(self, url: Url) -> str:
        """Why a URL that is known already may not be requested: a blocked host or extension, an exclusion, or ""."""
        return self._judge.excluded(key_form(url, self.urls), url) or ""

    def takes_out(self, url: Url, before: RulesInForce) -> str:
        """Why a request that began under other rules may not go on, or ""."""
        reason = self.excluded(url)
        if reason or before is self or before._leaves_out(url):
            return reason
        return self._leaves_out(url)

    def _leaves_out(self, url: Url) -> str:
        return self._judge.leaves_out(key_form(url, self.urls), url)

    def barred(self, url: Url, at: float) -> str:
        """Why nothing at all of a URL's host may be requested at this wall time, in place of a page too, or ""."""
        if self._judge.forbids_host(url):
            return "block-host" if self._judge.blocks_host(url) else "private"
        item = self.authorisations.expired(url, at)
        return reason_of(item) if item is not None else ""

    def record_types(self, url: Url) -> tuple[int, ...]:
        """The numbers of the record types that a page's URL matches."""
        if not self._matches:
            return ()
        key = key_form(url, self.urls)
        return tuple(number for number, pattern in enumerate(self._matches) if pattern.matches(key))

    def unbounded(self, url: Url) -> bool:
        """Whether a page has record types whose rules know no time limit: they are applied where they can be killed."""
        return bool(self.settings.records) and bool(self.record_types(url)) and self.extractor.unbounded

    def slow(self, url: Url) -> bool:
        """Whether a page has record types with regular expressions, which may take their time, if a bounded one."""
        return bool(self._with_regex) and not self._with_regex.isdisjoint(self.record_types(url))

    def checks(self, url: Url) -> tuple[Check, ...]:
        """The content checks that a page's URL matches."""
        if not self._checks:
            return ()
        key = key_form(url, self.urls)
        return tuple(check for pattern, check in self._checks if pattern.matches(key))

    @property
    def _judge(self) -> Policy:
        """Compiled when the first redirect within a lease asks: most crawls have none."""
        if self._policy is None:
            self._policy = Policy(self.settings)
        return self._policy

    @property
    def extractor(self) -> Extractor:
        """Made when the first page of a record type comes: what it needs takes time to import."""
        if self._extractor is None:
            from core.extract import Extractor

            self._extractor = Extractor(self.settings.records)
        return self._extractor
