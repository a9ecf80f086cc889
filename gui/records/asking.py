"""The window's questions about pages, asked off its thread of a process that can be killed: the newest one counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.preview.rule_process import OutOfTime
from gui.latest import PAUSE_MS, Latest

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from core.preview.rule_process import Question, RuleProcess


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its answer; `in_time` is false where it took too long and the process was ended."""

    question: Any
    answer: Any = None
    in_time: bool = True


def ask(process: RuleProcess, question: Question) -> Answered:
    """Wait for the answer. For a thread."""
    try:
        return Answered(question, process.ask(question))
    except OutOfTime:
        return Answered(question, in_time=False)


def latest(process: RuleProcess, parent: QObject, pause_ms: int = PAUSE_MS) -> Latest:
    """Asks after a pause in typing; `ready` brings an Answered."""
    return Latest(lambda question: ask(process, question), parent, pause_ms)
