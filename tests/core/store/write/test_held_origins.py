"""Origins out of reach: one URL at a time, when its time has come, until one is reached."""

from __future__ import annotations

from core.frontier.scheduler import NEVER
from core.store.write.held_origins import HeldOrigins


def test_one_url_at_a_time_until_one_is_reached() -> None:
    woken: list[int] = []
    held = HeldOrigins(woken.append)
    held.asked(7)
    assert 7 not in held
    held.hold(7, 100.0)
    held.open_due(99.0)
    assert (7 in held, held.dues, woken) == (True, [100.0], [])
    held.open_due(100.0)
    assert (7 in held, woken) == (False, [7])
    held.asked(7)
    assert (7 in held, held.dues) == (True, [NEVER])
    held.open_due(1e12)
    assert 7 in held
    held.try_again(7)
    held.asked(7)
    assert 7 in held
    held.reached(7)
    held.asked(7)
    assert (7 in held, list(held), woken) == (False, [], [7, 7, 7])


def test_a_network_that_is_back_sets_all_free() -> None:
    woken: list[int] = []
    held = HeldOrigins(woken.append)
    held.hold(1, 5.0)
    held.hold(2, NEVER)
    held.release()
    held.asked(1)
    assert (list(held), woken) == ([], [1, 2])
