"""What is to become of a process: at which of its steps it ends, and how."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

FILES = (
    "open",
    "write",
    "fold",
    "sync",
    "truncate",
    "delete",
)  # steps on SQLite's files; fold: a write by a checkpoint
SYSTEM = "system"  # a file opened, renamed, linked or removed otherwise
READ = "read"


@dataclass(frozen=True, slots=True)
class Fate:
    """`kill`: SIGKILL to its group. `power`: what the disk was not asked to keep is lost, then a kill. `full`: no room.

    The process ends at the step number `at` among those named in `steps`. `room` is what the disk has left, in bytes.
    """

    kind: str
    steps: tuple[str, ...] = ()
    at: int = 0
    seed: int = 0
    room: int = 0
    fold_every: int = 0  # pages between two checkpoints; 0: as the program has it
    report: str = ""  # a file that says of a power cut when the disk had last been asked to keep everything

    @property
    def text(self) -> str:
        """As an argument of the command line."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> Fate:
        fields = json.loads(text)
        return cls(**{**fields, "steps": tuple(fields["steps"])})
