"""Fuzz tests: bounded where all tests run, as long as wished elsewhere, and none without an end.

`FRONTEIRA_FUZZ_SECONDS=300` makes each of them go on for so long, with other chances every time.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypothesis.strategies import SearchStrategy

SECONDS = float(os.environ.get("FRONTEIRA_FUZZ_SECONDS", "0"))
EXAMPLES = 150
HANGS = 60.0 if SECONDS else 10.0  # seconds that one example may take, on a machine that has other things to do


class NoEnd(BaseException):
    """The example found no end. No handler of the code under test may take it for an error of its own."""


def fuzz(*strategies: SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """A test of whatever the strategies give: it fails for any exception, and for an example that finds no end."""

    def decorate(test: Callable[..., None]) -> Callable[[], None]:
        def bounded(values: tuple[Any, ...]) -> None:
            with _deadline():
                test(*values)

        bounded.__name__ = test.__name__
        tried = settings(
            max_examples=1000 if SECONDS else EXAMPLES,
            deadline=None,
            database=None,
            derandomize=not SECONDS,
            suppress_health_check=list(HealthCheck),
        )(given(st.tuples(*strategies))(bounded))

        def repeated() -> None:
            until = time.monotonic() + SECONDS
            tried()
            while time.monotonic() < until:
                tried()

        repeated.__name__, repeated.__doc__ = test.__name__, test.__doc__
        return repeated

    return decorate


@contextmanager
def _deadline() -> Iterator[None]:
    """An alarm where the system has one, so that a hang is a failure with a place; elsewhere a look at the clock."""
    if not hasattr(signal, "setitimer"):
        began = time.monotonic()
        yield
        if time.monotonic() - began > HANGS:
            raise NoEnd
        return
    before = signal.signal(signal.SIGALRM, _on_alarm)
    signal.setitimer(signal.ITIMER_REAL, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _on_alarm(*_: object) -> None:
    raise NoEnd(f"no end within {HANGS:g} seconds")
