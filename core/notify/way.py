"""What a way of telling is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.store.notices import Notice


class Undelivered(Exception):
    """It did not get through; the sentence is for a person. `after` is how long the receiver asked for, in seconds."""

    def __init__(self, sentence: str, after: float = 0.0) -> None:
        super().__init__(sentence)
        self.after = after


class Way(Protocol):
    """`name` is its key in the settings, `most` how many notices it takes at once."""

    @property
    def name(self) -> str: ...

    @property
    def most(self) -> int: ...

    async def deliver(self, notices: Sequence[Notice]) -> None:
        """All of them are delivered, and safe with the receiver, when this returns. Raises Undelivered."""

    async def close(self) -> None:
        """Let go of what is open."""
