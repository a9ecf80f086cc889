"""The cookies of redirect chains between two hops: in the engine's memory alone, for a short time, and never stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.fetch.cookies import ChainCookies

if TYPE_CHECKING:
    from core.urls import Url

MOST_CHAINS = 1_000
KEPT = 600.0  # seconds until a hop that was not fetched begins without cookies, as a link would


class Chains:
    """What a redirect's target is to be asked with, by the target's key form. `now` is monotonic, in seconds."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[float, ChainCookies]] = {}

    def keep(self, key: Url, cookies: ChainCookies, now: float) -> None:
        """Remember them for the chain's next hop; the chain that waits longest makes room."""
        if not cookies.by_origin:
            return
        self._waiting.pop(key.text, None)
        self._waiting[key.text] = (now + KEPT, cookies)
        if len(self._waiting) > MOST_CHAINS:
            self._waiting.pop(next(iter(self._waiting)))

    def take(self, key: Url, now: float) -> ChainCookies:
        """The cookies of the chain that leads here, once; none where no chain does, or it is too old."""
        until, cookies = self._waiting.pop(key.text, (0.0, ChainCookies()))
        return cookies if now < until else ChainCookies()
