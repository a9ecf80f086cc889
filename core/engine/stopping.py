"""What asks a running engine to stop: Ctrl-C and SIGTERM, a wish in the file, the window that started it going away."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

INTERRUPTED = 130  # what a shell calls a process ended by Ctrl-C


class Stopping:
    """Once `requested` is set, nothing new is leased; what is in flight is finished until `deadline` (monotonic)."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wake: Callable[[], None], now: Callable[[], float]) -> None:
        self._loop = loop
        self._wake = wake
        self._now = now
        self._leave_word: Callable[[str], None] = _say_nothing
        self.requested = False
        self.reason = ""
        self.deadline: float | None = None
        self.window_closed = False

    def request(self, reason: str, within: float | None = None) -> None:
        """Stop; `within` seconds at the most."""
        if not self.requested:
            self.requested, self.reason = True, reason
        if within is not None and self.deadline is None:
            self.deadline = self._now() + within
        self._wake()

    def left(self, most: float) -> float:
        """How many seconds are left until the deadline, at most so many."""
        return most if self.deadline is None else min(most, max(0.0, self.deadline - self._now()))

    def listen_to_signals(self, leave_word: Callable[[str], None]) -> None:
        """The first Ctrl-C (or SIGTERM) drains, the second kills. A terminal that closes drains, unless under nohup.

        `leave_word` notes the reason of that death, and is quick about it.
        """
        self._leave_word = leave_word
        hangup = getattr(signal, "SIGHUP", None)
        if hangup is not None and signal.getsignal(hangup) == signal.SIG_DFL:
            self._loop.add_signal_handler(hangup, self.request, "stop: the terminal closed")
        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                self._loop.add_signal_handler(number, self._on_signal, number)
            except NotImplementedError:  # Windows: the handler runs between two bytecodes of the main thread
                signal.signal(number, lambda met, _: self._loop.call_soon_threadsafe(self._on_signal, met))

    def listen_to_stdin(self) -> None:
        """The window holds the other end; when it dies, the pipe closes."""
        threading.Thread(target=self._await_end_of_stdin, name="stdin", daemon=True).start()

    def _await_end_of_stdin(self) -> None:
        while sys.stdin is not None and os.read(sys.stdin.fileno(), 4096):
            pass  # whatever is written there means nothing
        with suppress(RuntimeError):  # the loop is closed: the engine has ended already
            self._loop.call_soon_threadsafe(self._on_window_closed)

    def _on_window_closed(self) -> None:
        self.window_closed = True
        self._wake()

    def _on_signal(self, number: int) -> None:
        if self.requested:
            who = "Ctrl-C" if number == signal.SIGINT else "signal of the system"
            self._leave_word(f"killed: by a second {who}, before its requests in flight were finished")
            os._exit(INTERRUPTED)  # a kill, as asked: what is committed is safe, the next start takes back the rest
        self.request("stop: interrupted" if number == signal.SIGINT else "stop: terminated")


def _say_nothing(_reason: str) -> None:
    """Until somebody listens to signals there is nothing to say."""
