"""The ways an engine dies in a soak. Each starts one on a life's crawl, and says whether that was killed."""

from __future__ import annotations

import math
import signal
import threading
from typing import TYPE_CHECKING

from tests.system.soak.fate import SYSTEM, Fate
from tests.system.soak.life import ended
from tests.system.soak.shop import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.system.soak.life import Life

FOLDS = 40  # pages between two checkpoints, where those are what is met


def while_it_runs(life: Life) -> bool:
    """After some requests."""
    child = life.engine()
    life.wait_for_requests(life.chance.randint(1, 60), child)
    child.kill()
    return life.outcome(child, "while it runs")


def at_any_time(life: Life) -> bool:
    """So many seconds after its start: mostly while it runs, before the first request, or after the last."""
    child = life.engine()
    threading.Event().wait(life.chance.uniform(0.05, 1.5))
    child.kill()
    return life.outcome(child, "at any time")


def as_it_starts(life: Life) -> bool:
    """Between two of its first steps: opening, taking back leases, a session, a run, the seeds."""
    steps = (SYSTEM, "open", "write", "sync", "truncate", "delete")
    fate = Fate("kill", steps, at=up_to(life, 420), seed=life.chance.getrandbits(32))
    return life.outcome(life.engine(fate), f"as it starts, step {fate.at}")


def as_it_seeds(life: Life) -> bool:
    """In one of the first transactions."""
    fate = Fate("kill", ("write",), at=life.chance.randint(1, 120), seed=life.chance.getrandbits(32))
    return life.outcome(life.engine(fate), f"as it seeds, write {fate.at}")


def in_a_write(life: Life) -> bool:
    """In the middle of a page of the WAL."""
    fate = Fate("kill", ("write",), at=up_to(life, 3000), seed=life.chance.getrandbits(32))
    return life.outcome(life.engine(fate), f"in write {fate.at}")


def in_a_checkpoint(life: Life) -> bool:
    """In the middle of a page that goes from the WAL into the file."""
    at = up_to(life, 400)
    fate = Fate("kill", ("fold",), at=at, seed=life.chance.getrandbits(32), fold_every=FOLDS)
    return life.outcome(life.engine(fate), f"in a checkpoint, page {fate.at}")


def at_a_sync(life: Life) -> bool:
    """As it asks the disk to keep something, or has the WAL begin anew."""
    at = up_to(life, 40)
    fate = Fate("kill", ("sync", "truncate", "delete"), at=at, seed=life.chance.getrandbits(32), fold_every=FOLDS)
    return life.outcome(life.engine(fate), f"at sync {fate.at}")


def before_a_rival(life: Life) -> bool:
    """While another engine starts on its file, which is told who holds it or takes the crawl over, and dies too."""
    life.site.control(latency_ms=100)
    child = life.engine()
    life.wait_for_requests(life.chance.randint(1, 20), child)
    rival = life.engine()
    threading.Event().wait(life.chance.uniform(0.0, 1.0))
    child.kill()
    threading.Event().wait(life.chance.uniform(0.0, 0.5))
    rival.kill()
    code, err = ended(rival)
    assert code in {0, 4, -signal.SIGKILL}, err
    life.interrupted += code == -signal.SIGKILL
    life.site.control(latency_ms=OPTIONS.latency_ms)
    return life.outcome(child, f"before a rival, which ended with {code}")


def up_to(life: Life, most: int) -> int:
    """Early steps are met as often as late ones, of which there are many more."""
    return round(math.pow(most, life.chance.random()))


DEATHS: tuple[Callable[[Life], bool], ...] = (
    while_it_runs,
    as_it_seeds,
    in_a_checkpoint,
    as_it_starts,
    in_a_write,
    before_a_rival,
    at_a_sync,
    at_any_time,
)
