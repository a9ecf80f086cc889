"""The scheduler against a slow oracle that remembers every start."""

from __future__ import annotations

from collections import defaultdict, deque

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.frontier.scheduler import NEVER, Refill, Scheduler, Take, Wait

HOSTS = st.integers(1, 4)
STEPS = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0])  # exact in binary, so that sums compare exactly
MOST_LOOKS = 500


class SchedulerAgainstOracle(RuleBasedStateMachine):
    """The oracle keeps, for each host, its queue and its starts, and computes everything anew."""

    @initialize(concurrency=st.integers(1, 4), per_host=st.integers(1, 3))
    def begin(self, concurrency: int, per_host: int) -> None:
        self.scheduler: Scheduler[str] = Scheduler(concurrency, per_host)
        self.concurrency, self.per_host = concurrency, per_host
        self.now = 0.0
        self.number = 0
        self.stored: defaultdict[int, deque[str]] = defaultdict(deque)  # what a refill would find
        self.buffered: defaultdict[int, deque[str]] = defaultdict(deque)
        self.delay: dict[int, float] = {}
        self.not_before: dict[int, float] = {}
        self.started: dict[int, float] = {}
        self.flying: list[tuple[int, str]] = []

    def ready_at(self, host: int) -> float:
        return max(self.not_before[host], self.started.get(host, -NEVER) + self.delay[host])

    def may_start(self, host: int) -> bool:
        flying = sum(1 for there, _ in self.flying if there == host)
        work = self.stored[host] or self.buffered[host]
        return bool(work) and flying < self.per_host

    @rule(host=HOSTS, delay=STEPS, wait=STEPS)
    def learn_pace(self, host: int, delay: float, wait: float) -> None:
        self.scheduler.host(host, delay, self.now + wait)
        self.delay[host] = delay
        self.not_before[host] = max(self.not_before.get(host, 0.0), self.now + wait)

    @rule(host=HOSTS, count=st.integers(1, 5))
    def find_urls(self, host: int, count: int) -> None:
        if host in self.delay:
            for _ in range(count):
                self.number += 1
                self.stored[host].append(f"{host}/{self.number}")
            self.scheduler.offer(host)

    @rule(wait=STEPS)
    def time_goes_on(self, wait: float) -> None:
        self.now += wait

    @rule(skips=st.booleans())
    def ask(self, skips: bool) -> None:
        step = self.look()
        if isinstance(step, Wait):
            self.check_wait(step.until)
            return
        assert len(self.flying) < self.concurrency
        assert self.may_start(step.host), "more at once than allowed"
        assert self.ready_at(step.host) <= self.now, "two starts nearer than the delay"
        assert step.item == self.buffered[step.host].popleft()
        if skips:
            self.scheduler.skip(step.host)
            return
        self.started[step.host] = self.now
        self.flying.append((step.host, step.item))

    def look(self) -> Take[str] | Wait:
        for _ in range(MOST_LOOKS):
            step = self.scheduler.next(self.now)
            if not isinstance(step, Refill):
                return step
            assert not self.buffered[step.host]
            items = [self.stored[step.host].popleft() for _ in range(min(2, len(self.stored[step.host])))]
            self.buffered[step.host].extend(items)
            self.scheduler.supply(step.host, items, exhausted=len(items) < 2)
        raise AssertionError("refilled for ever")

    def check_wait(self, until: float) -> None:
        if len(self.flying) >= self.concurrency:
            assert until == NEVER
            return
        ready = [self.ready_at(host) for host in self.delay if self.may_start(host)]
        assert all(moment > self.now for moment in ready), "a host that may be asked is passed over"
        assert until <= min(ready, default=NEVER), "woken too late"

    @precondition(lambda self: self.flying)
    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        host, _ = self.flying.pop(data.draw(st.integers(0, len(self.flying) - 1)))
        self.scheduler.release(host)

    @precondition(lambda self: self.flying)
    @rule(data=st.data())
    def redirect_to_itself(self, data: st.DataObject) -> None:
        host, _ = data.draw(st.sampled_from(self.flying))
        start = self.scheduler.occupy(host, self.now)
        assert start == max(self.now, self.ready_at(host))
        self.started[host] = start

    @rule(concurrency=st.integers(1, 4), per_host=st.integers(1, 3))
    def change_limits(self, concurrency: int, per_host: int) -> None:
        self.scheduler.resize(concurrency, per_host)
        self.concurrency, self.per_host = concurrency, per_host

    @rule()
    def change_rules(self) -> None:
        dropped = self.scheduler.clear()
        assert sorted(dropped) == sorted((host, item) for host, items in self.buffered.items() for item in items)
        for host, items in self.buffered.items():
            self.stored[host].extendleft(reversed(items))
            items.clear()

    @invariant()
    def counts_what_is_in_flight(self) -> None:
        if hasattr(self, "flying"):
            assert self.scheduler.in_flight == len(self.flying)


SchedulerAgainstOracle.TestCase.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
TestSchedulerAgainstOracle = SchedulerAgainstOracle.TestCase


def served(scheduler: Scheduler[int], hosts: dict[int, int], seconds: float, step: float = 0.5) -> dict[int, int]:
    """Starts a host in so many seconds, where every request takes no time and every host has its number of URLs."""
    left = dict(hosts)
    starts: dict[int, int] = dict.fromkeys(hosts, 0)
    now = 0.0
    while now < seconds:
        found = scheduler.next(now)
        if isinstance(found, Refill):
            count = min(16, left[found.host])
            left[found.host] -= count
            scheduler.supply(found.host, range(count), exhausted=not left[found.host])
        elif isinstance(found, Take):
            starts[found.host] += 1
            scheduler.release(found.host)
            now += step
        else:
            now = max(now + step, min(found.until, seconds))
    return starts


def test_large_host_does_not_starve_a_small_one() -> None:
    scheduler: Scheduler[int] = Scheduler(1, 1)
    hosts = {1: 1_000_000, 2: 20, 3: 20}
    for host in hosts:
        scheduler.host(host, 0.0, 0.0)
        scheduler.offer(host)
    starts = served(scheduler, hosts, seconds=35.0)
    assert starts[2] == starts[3] == 20


def test_slow_host_does_not_hold_up_another() -> None:
    scheduler: Scheduler[int] = Scheduler(4, 1)
    hosts = {1: 100, 2: 100}
    scheduler.host(1, 60.0, 0.0)
    scheduler.host(2, 0.5, 0.0)
    for host in hosts:
        scheduler.offer(host)
    starts = served(scheduler, hosts, seconds=20.0)
    assert starts[1] == 1
    assert starts[2] >= 38


def test_host_that_becomes_slower_is_not_asked_once_more_at_the_old_pace() -> None:
    scheduler: Scheduler[str] = Scheduler(1, 1)
    scheduler.host(1, 1.0, 0.0)
    scheduler.supply(1, ["a", "b"], exhausted=True)
    assert isinstance(scheduler.next(0.0), Take)
    scheduler.host(1, 5.0, 0.0)
    scheduler.release(1)
    assert scheduler.next(1.0) == Wait(5.0)


def test_host_that_becomes_faster_is_asked_as_soon_as_it_may() -> None:
    scheduler: Scheduler[str] = Scheduler(1, 1)
    scheduler.host(1, 60.0, 0.0)
    scheduler.supply(1, ["a", "b"], exhausted=True)
    assert isinstance(scheduler.next(0.0), Take)
    scheduler.host(1, 2.0, 0.0)
    scheduler.release(1)
    assert scheduler.next(1.0) == Wait(2.0)


def test_backoff_outlasts_a_shorter_delay() -> None:
    scheduler: Scheduler[str] = Scheduler(1, 1)
    scheduler.host(1, 1.0, 30.0)
    scheduler.supply(1, ["a"], exhausted=True)
    scheduler.host(1, 0.5, 0.0)
    assert scheduler.next(29.0) == Wait(30.0)


@pytest.mark.parametrize("hosts", [0, 3])
def test_without_work_the_answer_is_to_wait_for_some(hosts: int) -> None:
    scheduler: Scheduler[str] = Scheduler(4, 1)
    for host in range(hosts):
        scheduler.host(host, 0.0, 0.0)
    assert scheduler.next(1.0) == Wait(NEVER)
