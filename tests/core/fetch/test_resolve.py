"""Names are looked up once, checked, and the checked address is what comes out."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field

import pytest

from core.fetch.fault import Fault
from core.fetch.resolve import KEPT, KEPT_FAILURE, Resolver


@dataclass
class Names:
    """A resolver of the system that answers what it is told, one answer after the other."""

    answers: list[tuple[str, ...] | OSError]
    asked: list[str] = field(default_factory=list)

    def __call__(self, host: str) -> tuple[str, ...]:
        self.asked.append(host)
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, OSError):
            raise answer
        return answer


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def resolver(
    names: Names, clock: Clock | None = None, listed: str = "", fixed: dict[str, str] | None = None
) -> Resolver:
    return Resolver(frozenset(listed.split()), fixed or {}, names, clock or Clock())


def kind_of(made: Resolver, host: str, port: int = 80) -> str:
    with pytest.raises(Fault) as caught:
        asyncio.run(made.addresses(host, port))
    return caught.value.kind


def test_an_answer_is_kept_for_a_minute() -> None:
    names, clock = Names([("8.8.8.8",), ("9.9.9.9",)]), Clock()
    made = resolver(names, clock)
    assert asyncio.run(made.addresses("a.test", 80)) == ("8.8.8.8",)
    clock.now = KEPT - 1
    assert asyncio.run(made.addresses("a.test", 443)) == ("8.8.8.8",)
    clock.now = KEPT
    assert asyncio.run(made.addresses("a.test", 80)) == ("9.9.9.9",)
    assert len(names.asked) == 2


def test_a_name_that_does_not_resolve_is_asked_once_in_half_a_minute() -> None:
    names, clock = Names([OSError(-2, "Name or service not known"), ("8.8.8.8",)]), Clock()
    made = resolver(names, clock)
    assert kind_of(made, "a.test") == "dns"
    assert kind_of(made, "a.test") == "dns"
    assert len(names.asked) == 1
    clock.now = KEPT_FAILURE
    assert asyncio.run(made.addresses("a.test", 80)) == ("8.8.8.8",)


def test_ten_that_wait_for_one_name_ask_once() -> None:
    names = Names([("8.8.8.8",)])
    made = resolver(names)

    async def ten() -> list[tuple[str, ...]]:
        return await asyncio.gather(*(made.addresses("a.test", 80) for _ in range(10)))

    assert asyncio.run(ten()) == [("8.8.8.8",)] * 10
    assert names.asked == ["a.test"]


def test_one_that_gives_up_waiting_does_not_take_the_answer_from_the_others() -> None:
    free = threading.Event()

    def slow(_: str) -> tuple[str, ...]:
        free.wait(5)
        return ("8.8.8.8",)

    made = Resolver(frozenset(), {}, slow, Clock())

    async def two() -> tuple[str, ...]:
        first = asyncio.create_task(made.addresses("a.test", 80))
        second = asyncio.create_task(made.addresses("a.test", 80))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        free.set()
        return await second

    assert asyncio.run(two()) == ("8.8.8.8",)


def test_private_answers_are_blocked_and_public_ones_beside_them_used() -> None:
    assert kind_of(resolver(Names([("10.0.0.1",)])), "a.test") == "blocked"
    assert kind_of(resolver(Names([("::ffff:127.0.0.1",)])), "a.test") == "blocked"
    made = resolver(Names([("10.0.0.1", "8.8.8.8", "::1")]))
    assert asyncio.run(made.addresses("a.test", 80)) == ("8.8.8.8",)


def test_a_listed_host_may_be_private_on_its_listed_port_alone() -> None:
    made = resolver(Names([("10.0.0.1",)]), listed="a.test:8080")
    assert asyncio.run(made.addresses("a.test", 8080)) == ("10.0.0.1",)
    assert kind_of(made, "a.test", 80) == "blocked"


def test_address_literals_are_checked_without_a_look_up() -> None:
    names = Names([("8.8.8.8",)])
    made = resolver(names)
    assert kind_of(made, "169.254.169.254") == "blocked"
    assert kind_of(made, "[::1]") == "blocked"
    assert asyncio.run(made.addresses("[2606:4700::1111]", 80)) == ("2606:4700::1111",)
    assert names.asked == []


def test_the_refusal_says_what_is_wrong_and_begins_with_its_reason() -> None:
    with pytest.raises(Fault, match=r"^private: a\.test leads to 10\.0\.0\.1, which is a private address"):
        asyncio.run(resolver(Names([("10.0.0.1",)])).addresses("a.test", 80))


def test_a_fixed_address_counts_as_named_by_the_analyst() -> None:
    names = Names([("8.8.8.8",)])
    made = resolver(names, fixed={"Staging.example": "203.0.113.7", "six.example": "[::1]"})
    assert asyncio.run(made.addresses("staging.example", 443)) == ("203.0.113.7",)
    assert asyncio.run(made.addresses("six.example", 443)) == ("::1",)
    assert names.asked == []


def test_changed_settings_judge_cached_answers_anew() -> None:
    made = resolver(Names([("10.0.0.1",)]), listed="a.test")
    assert asyncio.run(made.addresses("a.test", 80)) == ("10.0.0.1",)
    made.update(frozenset(), {})
    assert kind_of(made, "a.test") == "blocked"


def test_closing_gives_up_the_look_ups_under_way() -> None:
    free = threading.Event()

    def slow(_: str) -> tuple[str, ...]:
        free.wait(5)
        return ("8.8.8.8",)

    made = Resolver(frozenset(), {}, slow, Clock())

    async def closed() -> str:
        waiting = asyncio.create_task(made.addresses("a.test", 80))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        made.close()
        (fault,) = await asyncio.gather(waiting, return_exceptions=True)
        assert isinstance(fault, Fault)
        return fault.kind

    assert asyncio.run(closed()) == "dns"
    free.set()
