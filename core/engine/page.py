"""One page's way: from its lease to the value the writer stores. No state, no store; what it asks for comes in."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from core.engine.compression import Compression
from core.engine.reading import HASH_BYTES, Body, read_body
from core.engine.worker import OutOfTime
from core.fetch.request import FetchRequest
from core.fetch.retry import STARVED_DELAY, is_transient, retry_delay
from core.identity.content import content_hash
from core.store.results import Answer, FoundLink, PageResult, Parsed, Response
from core.urls import Rejected, Resolver, Url, key_form, without_user_info

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.engine.chains import Chains
    from core.engine.rules import RulesInForce
    from core.engine.worker import Worker
    from core.fetch.client import Client
    from core.fetch.cookies import ChainCookies
    from core.fetch.response import Fetched
    from core.store.results import Pace, Work

LARGE = 128 * 1024  # bytes: from here on a body is parsed beside the loop


class Host(Protocol):
    """What a page's way asks of the loop."""

    @property
    def rules(self) -> RulesInForce:
        """Those in force now, which may be newer than those a page began with."""

    def pace(self, work: Work, fetched: Fetched, crawl_delay: float | None = None) -> Pace:
        """The host's pace after an answer, and after what its robots.txt asks for."""

    def soft_blocked(self, work: Work, fetched: Fetched, reason: str) -> Pace:
        """The host's pace after a page that fails its content checks: as after any other failure of a busy host."""

    def slow_down(self, host: int, crawl_delay: float) -> float:
        """A host's robots.txt that lay at another asks for this delay: the one that counts from now on."""

    def spared(self, fetched: Fetched) -> bool:
        """Whether the network, or this machine, is to blame for how a request ended: that spends no try."""

    async def hop(self, work: Work, answer: Answer, led_to: str = "") -> None:
        """Count an answer, a page's with where it led, and wait for the host's next turn within the same lease."""


class PageFetch:
    """Carries out page leases under one version of the rules."""

    def __init__(
        self,
        client: Client,
        rules: RulesInForce,
        host: Host,
        chance: Callable[[], float],
        worker: Worker,
        chains: Chains,
    ) -> None:
        self._client = client
        self._worker = worker
        self._rules = rules
        self._host = host
        self._chance = chance
        self._chains = chains
        self._compression = Compression()
        self._one_at_a_time = asyncio.Semaphore(1)  # several parsers at once are no faster, and the loop waits for each

    async def run(self, work: Work) -> PageResult:
        """Fetch, follow a redirect to the page's own key once, parse, extract."""
        key = key_form(work.url, self._rules.urls)
        brought = self._chains.take(key, time.monotonic())
        fetched = await self._client.fetch(self._request(work, work.url, brought))
        cookies = brought.after(work.url, fetched.set_cookies)
        spelling: Url | None = None
        if fetched.outcome == "redirect":
            target = self._target(work.url, fetched)
            if isinstance(target, FoundLink) and target.key == key:
                await self._host.hop(work, answer_of(fetched), target.fetch.text)
                if self._host.rules.takes_out(target.fetch, self._rules):
                    return self._withdrawn(work, fetched)
                spelling = target.fetch
                fetched = await self._client.fetch(self._request(work, spelling, cookies))
                cookies = cookies.after(spelling, fetched.set_cookies)
        result = await self._result(work, fetched, spelling)
        self._keep_chain(result, key, brought, cookies)
        return result

    def _withdrawn(self, work: Work, fetched: Fetched) -> PageResult:
        """Changed settings took the page out while its second request waited for its turn: it is not sent."""
        answer = answer_of(fetched)
        pace = self._host.pace(work, fetched)
        return PageResult(work, answer, pace, retry_at=answer.at, counts=False, withdrawn=True)

    def _keep_chain(self, result: PageResult, key: Url, brought: ChainCookies, cookies: ChainCookies) -> None:
        """A redirect hands its chain's cookies to its target, a retry begins with the same; a jar needs neither."""
        if self._rules.settings.fetch.accept_cookies:
            return
        if result.redirect is not None:
            self._chains.keep(result.redirect.key, cookies, time.monotonic())
        elif result.retry_at is not None:
            self._chains.keep(key, brought, time.monotonic())

    def _request(self, work: Work, url: Url, cookies: ChainCookies) -> FetchRequest:
        settings = self._rules.settings
        return FetchRequest(
            *(url, settings.budgets.max_body_bytes, settings.fetch.timeout, work.etag, work.last_modified),
            referer=work.referer,
            accept=settings.fetch.content_types,
            cookies=cookies.of(url),
        )

    async def _result(self, work: Work, fetched: Fetched, spelling: Url | None) -> PageResult:
        answer = answer_of(fetched)
        pace = self._host.pace(work, fetched)
        settings = self._rules.settings
        if fetched.starved:
            return PageResult(work, answer, pace, retry_at=answer.at + STARVED_DELAY, counts=False)
        if fetched.unreached or self._host.spared(fetched):  # no fault of the page: its origin is held, ever longer
            return PageResult(work, answer, pace, retry_at=answer.at, counts=False)
        if is_transient(fetched) and work.tries < settings.fetch.retries:
            delay = retry_delay(
                *(work.tries + 1, self._chance(), fetched.retry_after), cap=settings.politeness.retry_after_max
            )
            return PageResult(work, answer, pace, retry_at=answer.at + delay)
        url = spelling or work.url
        if fetched.outcome == "redirect":
            return self._redirected(work, url, fetched, answer, pace, spelling)
        accepted = fetched.accepted and fetched.status is not None and 200 <= fetched.status < 300
        reads = accepted and fetched.outcome in {"ok", "truncated"}
        keeps = settings.pages.keep_responses and bool(fetched.body)
        parsed, response = await self._digested(url, fetched, reads=reads, keeps=keeps)
        if parsed and parsed.soft_block:
            pace = self._host.soft_blocked(work, fetched, parsed.detail)
        if parsed and fetched.outcome == "truncated":
            parsed = replace(parsed, content_hash=None, records=())
        return PageResult(
            *(work, answer, pace, accepted, parsed),
            response=response,
            spelling=None if spelling == work.url else spelling,
        )

    # -- redirects --------------------------------------------------------------------------------------------------

    def _target(self, url: Url, fetched: Fetched) -> FoundLink | Rejected:
        location = fetched.location
        if not location:
            return Rejected("empty", "The redirect names no target.")
        resolved = Resolver(url, self._rules.urls).resolve(location)
        return resolved if isinstance(resolved, Rejected) else FoundLink(*resolved, kind="redirect")

    def _redirected(
        self, work: Work, url: Url, fetched: Fetched, answer: Answer, pace: Pace, spelling: Url | None
    ) -> PageResult:
        target = self._target(url, fetched)
        text = without_user_info(fetched.location or "")[:2048]
        fault = target.message if isinstance(target, Rejected) else ""
        if isinstance(target, FoundLink) and target.key == key_form(url, self._rules.urls):
            fault = "It leads to itself."
        if fault or isinstance(target, Rejected):
            broken = replace(answer, outcome="error:redirect", error=f"The redirect cannot be followed: {fault}")
            return PageResult(work, broken, pace, redirect_text=text)
        return PageResult(work, answer, pace, redirect=target, redirect_text=target.fetch.text, spelling=spelling)

    # -- the body ---------------------------------------------------------------------------------------------------

    async def _digested(
        self, url: Url, fetched: Fetched, *, reads: bool, keeps: bool
    ) -> tuple[Parsed | None, Response | None]:
        """What was read out of the body, and the body as it is kept; beside the loop where that may take long."""
        body = Body(url, fetched.body, fetched.content_type, fetched.charset, fetched.headers)
        unbounded = reads and self._rules.unbounded(url)

        def digest() -> tuple[Parsed | None, Response | None]:
            parsed = read_body(self._rules, body, records=not unbounded) if reads else None
            return parsed, kept_response(fetched, self._compression) if keeps else None

        if len(fetched.body) < LARGE and not (reads and self._rules.slow(url)):
            parsed, response = digest()
        else:
            async with self._one_at_a_time:
                parsed, response = await asyncio.to_thread(digest)
        return (await self._extracted(body, parsed) if unbounded and parsed else parsed), response

    async def _extracted(self, body: Body, parsed: Parsed) -> Parsed:
        """The same with its records; a page on which the rules find no end keeps its links, and says so."""
        try:
            return await self._worker.read(self._rules, body)
        except OutOfTime:
            return replace(parsed, error="parse", detail="A record rule took too much time or memory on this page.")


def answer_of(fetched: Fetched) -> Answer:
    """What the file keeps of a request's answer."""
    return Answer(
        *(fetched.at, fetched.status, fetched.outcome, fetched.content_type, fetched.wire_bytes, len(fetched.body)),
        seconds=fetched.seconds,
        etag=fetched.etag,
        last_modified=fetched.last_modified,
        error=fetched.error,
        again=fetched.again,
        unreached=fetched.unreached,
    )


def kept_response(fetched: Fetched, compression: Compression | None = None) -> Response:
    """A response as it is kept: named by its content, compressed."""
    head = json.dumps({"status": fetched.status, "headers": fetched.headers}).encode()
    name = content_hash(head + b"\0" + fetched.body)[:HASH_BYTES]
    return Response(name, head, (compression or Compression()).compress(fetched.body))
