"""One connection to a server, which carries one exchange after another."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.fetch.exchange import Exchange

_DRAINING = 5.0  # seconds an unwanted body may take to be read over


class Connection(asyncio.Protocol):
    """Sends a request and feeds what comes back to its exchange. `freed` is called when a drained one is free again."""

    def __init__(self, freed: Callable[[Connection], None]) -> None:
        self.closed = False
        self.used = False
        self._freed = freed
        self._transport: asyncio.Transport | None = None
        self._exchange: Exchange | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def free(self) -> bool:
        """Whether the next request may be sent."""
        return self._exchange is None and not self.closed

    async def ask(self, payload: bytes, exchange: Exchange) -> None:
        """Send a request and wait until its exchange is done. Whoever gives up waiting closes the connection."""
        self._exchange = exchange
        if self._transport is None or self.closed:
            exchange.end()
            return
        waiter = self._waiter = asyncio.get_running_loop().create_future()
        exchange.again, exchange.sent = exchange.sent, True
        self._transport.write(payload)
        try:
            await waiter
        except asyncio.CancelledError:
            self.close()
            exchange.close()
            raise
        finally:
            self.used = True

    def close(self) -> None:
        """End the connection at once, with whatever was still under way."""
        self.closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._transport is not None:
            self._transport.abort()

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection stands."""
        self._transport = transport  # type: ignore[assignment]  # the base class says less than asyncio gives

    def data_received(self, data: bytes) -> None:
        """Bytes for the exchange; when nothing was asked they are nobody's, and the connection is not trusted again."""
        exchange = self._exchange
        if exchange is None or self.closed:
            self.close()
            return
        exchange.feed(data)
        if exchange.done:
            self._settle(exchange)

    def eof_received(self) -> bool:
        """The server will send no more."""
        self._ended("")
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self.closed = True
        self._ended(getattr(exc, "strerror", None) or str(exc or ""))

    def _ended(self, reason: str) -> None:
        exchange = self._exchange
        self.closed = True
        if exchange is not None:
            exchange.end(reason)
            self._settle(exchange)

    def _settle(self, exchange: Exchange) -> None:
        """The answer is known: wake the waiter, and free, drain or close the connection."""
        if exchange.reusable and not self.closed:
            self._let_go(exchange)
        elif not exchange.draining or self.closed:
            self._exchange = None
            exchange.close()
            self.close()
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)
            if self._exchange is not None:
                self._timer = asyncio.get_running_loop().call_later(_DRAINING, self.close)

    def _let_go(self, exchange: Exchange) -> None:
        self._exchange = None
        exchange.close()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._freed(self)
