"""From a host to the addresses that may be connected to: cached, checked, and never asked twice for one connection.

What is answered here is what is connected to, so a name that changes its address between check and connection (DNS
rebinding) gains nothing. Names are looked up on daemon threads: a resolver that hangs costs a thread, not the engine.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.fetch.fault import Fault
from core.urls.addresses import is_listed, literal, restriction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Lookup = Callable[[str], tuple[str, ...]]
    Clock = Callable[[], float]

KEPT = 60.0  # seconds; the system's resolver does not tell us the records' own time to live
KEPT_FAILURE = 1.5  # shorter than the first wait of a host without an address, so that each of its probes is a look
_MOST_ADDRESSES = 4
_MOST_NAMES = 20_000
_MOST_THREADS = 32


def system_lookup(host: str) -> tuple[str, ...]:
    """The addresses of a name, in the system's order of preference (RFC 6724). Blocks; raises OSError."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a look-up gave: addresses, or why there are none. Good until `until` on the resolver's clock."""

    addresses: tuple[str, ...]
    fault: str | None
    until: float


class Resolver:
    """A DNS cache with the address policy in front. `fixed` maps host to address and counts as named by the analyst.

    `listed` are the hosts that may be private, `lookup` is called on a thread, `clock` is monotonic, in seconds.
    """

    def __init__(
        self,
        listed: frozenset[str],
        fixed: Mapping[str, str],
        lookup: Lookup = system_lookup,
        clock: Clock = time.monotonic,
    ) -> None:
        self._lookup = lookup
        self._clock = clock
        self._answers: dict[str, Answer] = {}
        self._asking: dict[str, asyncio.Task[Answer]] = {}
        self._threads = asyncio.Semaphore(_MOST_THREADS)
        self.listed: frozenset[str] = frozenset()
        self._fixed: dict[str, str] = {}
        self.update(listed, fixed)

    def update(self, listed: frozenset[str], fixed: Mapping[str, str]) -> None:
        """Take over changed settings; what is cached stays, what is allowed is judged anew."""
        self.listed = listed
        self._fixed = {host.lower(): address.strip("[]") for host, address in fixed.items()}

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """The addresses to connect to, best first, at most four.

        Raises Fault: `blocked` where none of them may be reached, `dns` where there are none.
        """
        fixed = self._fixed.get(host) or self._fixed.get(f"{host}:{port}")
        if fixed:
            return (fixed,)
        written = literal(host)
        found = (written,) if written else await self._resolved(host)
        if is_listed(host, port, self.listed):
            return found
        allowed = tuple(address for address in found if restriction(address) is None)
        if not allowed:
            raise Fault("blocked", _refusal(host, found[0]))
        return allowed

    async def unchecked(self, host: str) -> tuple[str, ...]:
        """The addresses of a host that the analyst wrote as a way out (a proxy); raises Fault (`dns`)."""
        written = literal(host)
        return (written,) if written else await self._resolved(host)

    def close(self) -> None:
        """Give up the look-ups under way."""
        for task in self._asking.values():
            task.cancel()
        self._asking.clear()

    async def _resolved(self, host: str) -> tuple[str, ...]:
        answer = self._answers.get(host)
        if answer is None or answer.until <= self._clock():
            task = self._ask(host)
            await asyncio.wait({task})  # which, unlike awaiting it, leaves the look-up to those who still wait for it
            if task.cancelled():
                raise Fault("dns", f"The look-up of {host} was given up.")
            answer = task.result()
        if answer.fault is not None:
            raise Fault("dns", answer.fault)
        return answer.addresses

    def _ask(self, host: str) -> asyncio.Task[Answer]:
        """The look-up under way for this host: ten requests that wait for one name ask once."""
        task = self._asking.get(host)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._looked_up(host))
            self._asking[host] = task
            task.add_done_callback(lambda _: self._asking.pop(host, None))
        return task

    async def _looked_up(self, host: str) -> Answer:
        async with self._threads:
            try:
                found = (await _on_a_daemon_thread(self._lookup, host))[:_MOST_ADDRESSES]
                fault = None if found else f"{host} has no address."
            except (OSError, UnicodeError) as error:
                found, fault = (), f"{host} could not be resolved ({_reason(error)})."
        answer = Answer(found, fault, self._clock() + (KEPT if found else KEPT_FAILURE))
        if len(self._answers) >= _MOST_NAMES:
            self._answers.pop(next(iter(self._answers)))
        self._answers[host] = answer
        return answer


def _refusal(host: str, address: str) -> str:
    place = "" if literal(host) else f" leads to {address}, which"
    return f"private: {host}{place} is a {restriction(address)} address, and neither seeds nor scope.hosts name it."


def _reason(error: OSError | UnicodeError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "no valid name"


async def _on_a_daemon_thread(call: Lookup, host: str) -> tuple[str, ...]:
    """Run a blocking look-up; unlike an executor's threads, one that hangs does not keep the process from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[tuple[str, ...]] = loop.create_future()

    def deliver(result: tuple[str, ...] | Exception) -> None:
        if future.done():
            return
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)

    def run() -> None:
        result: tuple[str, ...] | Exception
        try:
            result = call(host)
        except Exception as error:  # whatever it is, it is raised where the answer is awaited
            result = error
        with suppress(RuntimeError):  # the loop was closed meanwhile, and nobody waits any more
            loop.call_soon_threadsafe(deliver, result)

    threading.Thread(target=run, name=f"resolve {host}", daemon=True).start()
    return await future
