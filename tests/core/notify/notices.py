"""Notices and an outbox in memory."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.store.notices import Notice, Waiting
from tests.hand_made_crawl import NOON


def notice(number: int, **values: object) -> Notice:
    plain: dict[str, object] = {"key": f"r{number}:1", "event": "created", "record_id": f"r{number}"}
    plain |= {"type": "product", "source": "shop.test", "url": "http://shop.test/", "version": 1, "run": 1, "at": NOON}
    return Notice(number, **{**plain, "data": '{"a":1}', **values})  # type: ignore[arg-type] # names are checked at run time


@dataclass
class MemoryOutbox:
    """`dies` stands for a kill after a delivery, before the cursor moved."""

    notices: list[Notice]
    cursor: int = 0
    dies: bool = False
    complaints: list[str] = field(default_factory=list)
    recoveries: int = 0

    async def waiting(self, way: str, most: int) -> Waiting:  # noqa: ARG002 - one way's outbox
        found = [each for each in self.notices if each.id > self.cursor][:most]
        return Waiting(found[-1].id if found else self.cursor, tuple(found))

    async def told(self, way: str, through: int) -> None:  # noqa: ARG002 - one way's outbox
        if self.dies:
            raise KeyboardInterrupt
        self.cursor = through

    async def complain(self, way: str, message: str) -> None:  # noqa: ARG002 - one way's outbox
        self.complaints.append(message)

    async def recovered(self, way: str) -> None:  # noqa: ARG002 - one way's outbox
        self.recoveries += 1
