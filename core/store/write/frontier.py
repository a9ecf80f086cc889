"""The door to the frontier: a found URL is known, new in its host's queue, or refused.

A URL enters the known set when it is queued. What is refused costs no place here, only a `refused` row. Every method
runs inside the writer's transaction; counts go through its Tally.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.policy.verdict import Facts
from core.store.results import FoundLink
from core.store.seed_chains import way_of_refusal, way_of_url
from core.store.write.known import DEPTH, DEPTH_BITS
from core.store.write.refusals import NOFOLLOW, RESOURCE, Refusal, first_word
from core.store.write.shortest_way import shorten
from core.urls import Rules, Url, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw

    from core.policy.policy import Policy
    from core.policy.scope import HostSet
    from core.policy.verdict import Verdict
    from core.settings import CrawlSettings
    from core.store.results import SkippedLink
    from core.store.write.hosts import Host, Hosts
    from core.store.write.known import KnownUrls
    from core.store.write.limits import Limits
    from core.store.write.queue import Queue
    from core.store.write.refusals import Refusals


@dataclass(frozen=True, slots=True)
class Context:
    """Where URLs were found: what `admit` needs beside the link itself."""

    depth: int
    at: float
    found_on: int | None = None
    source: int | None = None
    via: str = "link"
    seed: bool = False  # judged as a seed
    typed: bool = False  # stored as one: the analyst wrote it


@dataclass(frozen=True, slots=True)
class Admission:
    """What became of a found URL. `target` is its id, or minus the id of its refusal; 0 where it was only counted."""

    target: int
    new: bool
    known: bool


class Frontier:
    """Used by the writer's thread alone."""

    def __init__(
        self,
        connection: apsw.Connection,
        hosts: Hosts,
        known: KnownUrls,
        refusals: Refusals,
        limits: Limits,
        queue: Queue,
    ) -> None:
        self._connection = connection
        self._hosts = hosts
        self._known = known
        self._refusals = refusals
        self._limits = limits
        self._queue = queue
        self.policy: Policy
        self._settings: CrawlSettings
        self._rules: Rules

    def use(self, settings: CrawlSettings, policy: Policy) -> None:
        """These rules count from now on."""
        self._settings = settings
        self._rules = Rules.of(settings.normalise)
        self.policy = policy
        self._known.use(self._rules)
        self._limits.use(settings, policy)
        self._queue.use(settings.priority.order)

    def widen(self, host: str) -> None:
        """The same rules with one more host in scope."""
        self.policy = self.policy.widened(host)
        self._limits.widen(self.policy)

    def admit(self, found: FoundLink, context: Context, lastmod: float | None = None) -> Admission:
        """A URL was found: known (its smaller depth is kept), new in the frontier, or refused."""
        packed = self._known.recall(found.key.text)
        if packed is not None and context.depth >= packed & DEPTH:
            return Admission(packed >> DEPTH_BITS, False, True)
        host = self._hosts.find(found.key.host)
        known = self._known.find(host, found.fetch, found.key) if host is not None else None
        if known is None:
            return self._judge(found, context, host, lastmod)
        number, depth = known
        if context.depth < depth:
            self._shorten(number, context)
        self._known.remember(found.key.text, number, min(depth, context.depth))
        return Admission(number, False, True)

    def admit_seed(self, found: FoundLink, at: float) -> Admission:
        """The analyst typed a URL: one that a link led to before is a seed from now on."""
        admission = self.admit(found, Context(0, at, via="seed", seed=True, typed=True))
        if admission.known and admission.target > 0:
            self._known.was_typed(admission.target)
        return admission

    def skip(self, links: Iterable[SkippedLink], context: Context) -> Iterator[tuple[int, SkippedLink]]:
        """Links that can never be requested are kept as refusals: each with the target of its link, or 0."""
        for link in links:
            number = self._refusals.skip(
                link.address, link.reason, depth=context.depth, found_on=context.found_on, at=context.at
            )
            yield -number, link

    def readmit(self, words: tuple[str, ...], after: int, limit: int, at: float) -> tuple[int, int | None]:
        """Judge refused URLs again, `limit` of them behind id `after`: how many got in, and where to go on or None."""
        found = self._refusals.page(words, after, limit)
        admitted = sum(self._readmit_one(refusal, at) for refusal in found if not self._still_full(refusal))
        return admitted, found[-1].id if len(found) == limit else None

    def readmit_at(self, hosts: HostSet, after: int, limit: int, at: float) -> tuple[int, int | None]:
        """The same for those that were refused because of their host, where it is one of these."""
        found = self._refusals.page(("scope",), after, limit)
        there = (refusal for refusal in found if refusal.reason == "scope" and parse(refusal.url) in hosts)
        admitted = sum(self._readmit_one(refusal, at) for refusal in there)
        return admitted, found[-1].id if len(found) == limit else None

    def excluded(self, number: int, origin: int, path: str) -> str | None:
        """Why a known URL may not be requested: a pattern, a blocked host or extension, the scope; or None.

        How it was found is looked up only where the scope, or the include patterns, would not have a mere link in.
        """
        url = self._hosts.url(origin, path)
        key = key_form(url, self._rules)
        reason = self.policy.excluded(key, url)
        if reason or not self.policy.leaves_out(key, url):
            return reason
        via, seed = way_of_url(self._connection, number)
        return self.policy.leaves_out(key, url, via, seed=seed) or None

    def barred(self, url: Url) -> str:
        """Why nothing of a URL's host may be requested, whatever it is: `block-host` or `private`; or ""."""
        if not self.policy.forbids_host(url):
            return ""
        return "block-host" if self.policy.blocks_host(url) else "private"

    def forget_counts(self, found_on: int) -> None:
        """A page (or minus a source) is read anew: what it revealed and was only counted is counted anew."""
        self._refusals.counts.forget(found_on)

    def leave_links(self, copy: int) -> None:
        """The links of an exact copy are not followed, for now."""
        self._refusals.counts.leave(copy)

    def answered_without_body(self, page: int) -> None:
        """A 304 came for a page whose links are waited for."""
        self._refusals.counts.answered_without_body(page)

    def respell(self, number: int, url: Url) -> None:
        """A redirect led to another spelling of a URL's own key."""
        self._known.respell(number, self._hosts.of(key_form(url, self._rules).host), url)

    # -- new at the door --------------------------------------------------------------------------------------------

    def _judge(self, found: FoundLink, context: Context, host: Host | None, lastmod: float | None) -> Admission:
        if found.kind == "resource":
            return self._refuse(found, context, RESOURCE)
        if found.nofollow and self._settings.politeness.nofollow and not context.seed:
            return self._refuse(found, context, NOFOLLOW)
        verdict = self._verdict(found, context, host, lastmod)
        if not verdict.allowed:
            return self._refuse(found, context, verdict.reason)
        return Admission(self._enter(found, context, verdict, lastmod), True, False)

    def _verdict(self, found: FoundLink, context: Context, host: Host | None, lastmod: float | None) -> Verdict:
        limits = self._limits
        facts = Facts(
            depth=context.depth,
            is_seed=context.seed,
            host_known=host.admitted if host else 0,
            total_known=limits.total,
            pattern_counts=limits.pattern_counts,
            parameter_sets=limits.parameter_sets(host, found.key) if host else 0,
            via=context.via,
            lastmod_age=max(0.0, context.at - lastmod) if lastmod else None,
        )
        return self.policy.judge(found.fetch, found.key, facts)

    def _enter(self, found: FoundLink, context: Context, verdict: Verdict, lastmod: float | None) -> int:
        host = self._hosts.of(found.key.host)
        origin = self._hosts.origin(host, found.fetch)
        place = (int(verdict.front), verdict.priority)
        way = (context.depth, context.found_on, context.source)
        number = self._known.add(found, origin, place, way, typed=context.typed, at=context.at, lastmod=lastmod)
        self._known.remember(found.key.text, number, context.depth)
        self._limits.admitted(host, found.key)
        self._refusals.withdraw(found.key, number)
        self._queue.entered(host.id)
        return number

    def _refuse(self, found: FoundLink, context: Context, reason: str) -> Admission:
        number, known = self._refusals.add(
            *(found.fetch, found.key, reason),
            depth=context.depth,
            found_on=context.found_on,
            source=context.source,
            seed=context.typed,
            at=context.at,
        )
        return Admission(-number, not known, known)

    # -- again at the door ------------------------------------------------------------------------------------------

    def _readmit_one(self, refusal: Refusal, at: float) -> bool:
        fetch = parse(refusal.url)
        if not isinstance(fetch, Url) or refusal.reason == RESOURCE:
            return False
        if refusal.reason == NOFOLLOW and self._settings.politeness.nofollow:
            return False
        found = FoundLink(fetch, key_form(fetch, self._rules))
        if not self._refusals.is_ours(refusal, found.key):
            return False
        via, seed = way_of_refusal(self._connection, refusal.id, refusal.found_on, typed=bool(refusal.seed))
        context = Context(refusal.depth, at, refusal.found_on, via=via, seed=seed, typed=bool(refusal.seed))
        verdict = self._verdict(found, context, self._hosts.find(found.key.host), None)
        if verdict.allowed:
            self._let_in(refusal, found, context, verdict)
        else:
            self._refusals.again(refusal, verdict.reason, refusal.depth, refusal.found_on)
        return verdict.allowed

    def _let_in(self, refusal: Refusal, found: FoundLink, context: Context, verdict: Verdict) -> None:
        """Rules that were given later may have made it the same as a URL that is known."""
        host = self._hosts.find(found.key.host)
        known = self._known.find(host, found.fetch, found.key) if host is not None else None
        number = known[0] if known else self._enter(found, context, verdict, None)
        self._refusals.withdraw_row(refusal.id, number)

    def _still_full(self, refusal: Refusal) -> bool:
        """Whether the limit a URL was refused for is still reached: the quick answer for the many."""
        budgets = self._settings.budgets
        word = first_word(refusal.reason)
        if word == "total-limit":
            return 0 < budgets.max_pages <= self._limits.total
        if word != "host-limit" or not budgets.max_pages_per_host:
            return False
        host = self._hosts.find(refusal.url.split("/", 3)[2])
        return host is not None and host.admitted >= budgets.max_pages_per_host

    def _shorten(self, number: int, context: Context) -> None:
        """A shorter way to a URL was found: its descendants follow, and links refused for depth come back."""
        nearer = shorten(self._connection, number, context.depth)
        deepest = self._settings.budgets.max_depth
        for page, below in nearer.pages:
            if not deepest or below <= deepest:
                self._refusals.counts.mark_one(page, "depth")
        for refusal in nearer.refusals:
            self._readmit_one(refusal, context.at)
        if context.found_on is not None and not self._settings.pages.link_graph:
            self._known.found_nearer(number, context.found_on)
        self._known.forget_recent()
