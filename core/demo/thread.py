"""The sample site in a thread of its own, for programs without an event loop."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from core.demo.server import SampleSite

if TYPE_CHECKING:
    from types import TracebackType

    from core.demo.log import LogSnapshot
    from core.demo.options import SiteOptions

START_LIMIT = 30.0  # seconds for the thread to come up


class SiteThread:
    """A sample site in a background thread, for programs without an event loop: `with SiteThread(options) as site`."""

    def __init__(self, options: SiteOptions, host: str = "127.0.0.1", port: int = 0) -> None:
        self._site = SampleSite(options, host, port)
        self._ready = threading.Event()
        self._failure: OSError | None = None
        self._thread = threading.Thread(target=self._run, name="sample-site", daemon=True)

    def __enter__(self) -> Self:
        """Start the thread; raises what kept the site from coming up."""
        self._thread.start()
        if not self._ready.wait(START_LIMIT):
            raise TimeoutError(f"The sample site did not come up within {START_LIMIT:g} seconds.")
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the site and wait for its thread."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @property
    def root(self) -> str:
        """Where the first host listens, without a slash at the end."""
        return self._site.root

    @property
    def roots(self) -> tuple[str, ...]:
        """Every host's base address."""
        return self._site.roots

    @property
    def log(self) -> LogSnapshot:
        """The log now, as a value."""
        return self._site.log.snapshot()

    @property
    def live(self) -> int:
        """Requests open now."""
        return self._site.log.live

    @property
    def options(self) -> SiteOptions:
        """The options in force."""
        return self._site.options

    def control(self, **changes: Any) -> None:
        """Change options by name, with effect from the next request; BadInput or TypeError for impossible ones."""
        self._site.options = replace(self._site.options, **changes)

    def reset(self) -> None:
        """Empty the log; failing URLs start to fail again."""
        self._site.log.reset()

    def expect(self) -> dict[str, object]:
        """What the site holds: see Pages.expect."""
        return self._site.expect()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except OSError as failure:
            self._failure = failure
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        await self._site.start()
        self._ready.set()
        try:
            await self._stop.wait()
        finally:
            await self._site.close()
