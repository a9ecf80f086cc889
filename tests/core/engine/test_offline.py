"""Offline or not: the rule over how the last requests ended."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.offline import MANY, PROBE_EVERY, STILL_ACTIVE, End, Ended, Offline


def rule(*answered: int, routes: bool = True) -> Offline:
    return Offline(set(answered), lambda host: None if host.startswith("local") else routes)


def ended(place: int, end: End, now: float, *, took: float = 0.1, delay: float = 0.0, host: str = "") -> Ended:
    return Ended(place, host or f"h{place}.example", end, now - took, now, delay, "It cannot be reached")


def fail(rule: Offline, place: int, now: float, *, took: float = 0.1, host: str = "") -> bool:
    rule.ended(ended(place, End.UNREACHED, now, took=took, host=host))
    return rule.since is not None


def answer(rule: Offline, place: int, now: float, *, took: float = 0.1, delay: float = 0.0) -> None:
    rule.ended(ended(place, End.ANSWERED, now, took=took, delay=delay))


def test_every_active_host_failing_is_offline() -> None:
    network = rule()
    answer(network, 1, 0.0)
    answer(network, 2, 0.0)
    assert not fail(network, 1, 1.0)
    assert fail(network, 2, 1.0)
    assert (network.since, network.cause) == (1.0, "It cannot be reached")


def test_one_host_that_still_answers_is_not() -> None:
    network = rule(1, 2)
    for second in range(100):
        answer(network, 1, second)
        assert not fail(network, 2, second + 0.5)


def test_one_that_answered_lately_has_to_fail_too() -> None:
    network = rule(1)
    answer(network, 2, 0.0, delay=5.0)
    assert not fail(network, 1, 1.0)
    assert not fail(network, 1, 2.0)
    assert not fail(network, 1, 19.0)
    assert fail(network, 1, STILL_ACTIVE + 10.1)


def test_many_that_fail_together_need_no_further_witness() -> None:
    network = rule(*range(MANY))
    answer(network, 99, 0.0, delay=600.0)
    assert [fail(network, place, 1.0) for place in range(MANY)] == [False] * (MANY - 1) + [True]


def test_a_lone_host_that_answered_once_is_offline_at_its_second_failure() -> None:
    network = rule(1)
    assert not fail(network, 1, 1.0)
    assert fail(network, 1, 3.0)


def test_a_burst_that_fails_together_is_one_failure() -> None:
    network = rule(1)
    assert not any(fail(network, 1, 1.0 + n / 100, took=1.0) for n in range(20))


def test_a_host_that_never_answered_is_down_and_not_the_network() -> None:
    network = rule()
    assert not any(fail(network, 1, float(n)) for n in range(1000))
    answer(network, 2, 1000.0)
    assert not any(fail(network, 1, 1001.0 + n) for n in range(1000))


def test_without_a_route_the_first_failure_tells_as_much() -> None:
    assert fail(rule(routes=False), 1, 1.0)


def test_many_strangers_that_all_fail_are_a_network_that_is_gone() -> None:
    network = rule()
    assert [fail(network, place, 1.0) for place in range(MANY)] == [False] * (MANY - 1) + [True]
    here = rule()
    assert not any(fail(here, place, 1.0, host=f"local{place}") for place in range(50))


def test_a_missing_route_says_nothing_of_this_machines_own_servers() -> None:
    network = rule(routes=False)
    assert not any(fail(network, 1, float(n), host="localhost") for n in range(100))


def test_an_answer_that_was_in_the_air_proves_nothing_and_the_next_one_does() -> None:
    network = rule(1)
    fail(network, 1, 1.0)
    fail(network, 1, 3.0)
    answer(network, 1, 4.0, took=2.0)
    assert network.since == 3.0
    answer(network, 1, 5.0)
    assert network.since is None


def test_a_connection_that_is_accepted_ends_it_and_one_that_breaks_before_tells_nothing() -> None:
    network = rule(1)
    network.ended(ended(1, End.BROKEN, 0.5))
    assert not fail(network, 1, 1.0)
    network.ended(ended(1, End.BROKEN, 2.0))
    assert fail(network, 1, 3.0)
    network.ended(ended(1, End.BROKEN, 13.1))
    assert network.since is None


def test_a_probe_every_ten_seconds_the_first_at_once_after_a_sleep() -> None:
    network = rule(1)
    fail(network, 1, 1.0)
    fail(network, 1, 3.0)
    assert [second for second in range(40) if network.probe(second)] == [13, 23, 33]
    network.slept(33.5, "slept")
    assert network.probe(33.5)
    assert not network.probe(33.5 + PROBE_EVERY - 1)


def test_a_sleep_is_offline_until_somebody_answers() -> None:
    network = rule()
    answer(network, 1, 0.0)
    network.slept(10.0, "slept")
    assert (network.since, network.cause) == (10.0, "slept")
    answer(network, 1, 10.5)
    assert network.since is None


@pytest.mark.parametrize(("longest", "over"), [(50.0, False), (47.0, True)])
def test_how_long_it_has_lasted(longest: float, over: bool) -> None:
    network = rule(1)
    fail(network, 1, 1.0)
    assert not network.lasted(1e9, longest)
    fail(network, 1, 3.0)
    assert network.lasted(50.0, longest) is over


@given(st.lists(st.tuples(st.integers(1, 4), st.sampled_from(End), st.floats(0, 40)), max_size=60))
def test_nobody_is_offline_who_has_just_heard_an_answer(story: list[tuple[int, End, float]]) -> None:
    network, now = rule(1, 2), 0.0
    for place, end, pause in story:
        now += pause + 1.0
        network.ended(ended(place, end, now))
        if end is End.ANSWERED:
            assert network.since is None
        if network.since is not None:
            assert network.cause
            assert network.since <= now
