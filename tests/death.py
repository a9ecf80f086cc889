"""The end of an engine between two statements, for a connection's `exec_trace`."""

from __future__ import annotations

from typing import Any


class Killed(BaseException):
    """Stands for the end of the process."""


class Death:
    """Lets so many statements through, and none after them."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, _cursor: Any, _sql: str, _bindings: Any) -> bool:
        self.left -= 1
        if self.left < 0:
            raise Killed
        return True
