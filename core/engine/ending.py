"""How an engine's session can end, and what the command line says of it."""

from __future__ import annotations

from dataclasses import dataclass

FINISHED = 0
ENDED_EARLY = 3


@dataclass(frozen=True, slots=True)
class Ending:
    """`outcome` is finished or stopped; `reason` begins with a documented word (stop, bytes...)."""

    outcome: str
    reason: str = ""

    @property
    def exit_status(self) -> int:
        return FINISHED if self.outcome == "finished" else ENDED_EARLY
