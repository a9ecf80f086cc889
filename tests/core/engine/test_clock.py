"""The engine's time under a clock that jumps, a machine that sleeps and a process that is stopped."""

from __future__ import annotations

from dataclasses import dataclass

from core.engine.clock import EVERY, Clock

NOON = 1_800_000_000.0


@dataclass
class Machine:
    """Its clocks, as a test turns them."""

    awake: float = 100.0
    asleep: float = 0.0
    set_by: float = 0.0

    def clock(self) -> Clock:
        return Clock(lambda: self.awake, lambda: self.awake + self.asleep, self.wall)

    def wall(self) -> float:
        return NOON + self.awake + self.asleep + self.set_by

    def run(self, clock: Clock, seconds: float) -> float:
        """So long, with a look in every second; the lapses it saw."""
        lapses = 0.0
        for _ in range(int(seconds)):
            self.awake += EVERY
            lapses += clock.look()
        return lapses


def test_running_is_no_lapse() -> None:
    machine = Machine()
    clock = machine.clock()
    now, at = clock.now(), clock.at()
    assert machine.run(clock, 100) == 0.0
    assert (clock.now() - now, clock.at() - at) == (100.0, 100.0)


def test_a_wall_clock_set_by_a_day_moves_nothing() -> None:
    machine = Machine()
    clock = machine.clock()
    at = clock.at()
    for day in (86_400.0, -86_400.0):
        machine.set_by = day
        assert machine.run(clock, 10) == 0.0
    assert clock.at() - at == 20.0


def test_a_stopped_process_is_a_lapse_that_does_not_count_as_running() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.run(clock, 10)
    now, at = clock.now(), clock.at()
    machine.awake += 61.0
    assert clock.look() == 60.0
    assert (clock.now() - now, clock.at() - at) == (1.0, 61.0)
    assert machine.run(clock, 10) == 0.0


def test_a_machine_that_slept_is_a_lapse_whose_hours_the_wall_time_has() -> None:
    machine = Machine()
    clock = machine.clock()
    now, at = clock.now(), clock.at()
    machine.awake += 1.0
    machine.asleep += 8 * 3600.0
    assert clock.look() == 8 * 3600.0
    assert (clock.now() - now, clock.at() - at) == (1.0, 8 * 3600.0 + 1.0)


def test_a_look_that_comes_a_little_late_is_none() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.awake += 4.0
    assert clock.look() == 0.0
    assert clock.now() == 104.0
