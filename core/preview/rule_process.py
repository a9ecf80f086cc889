"""A process that tries rules which a person is still writing, and that is killed when one finds no end.

`(a+)+$` as an expression costs a second; an XPath can take minutes inside a library that holds the interpreter's lock,
and would freeze the window from any of its threads. So the window's questions about pages are all answered here.
"""

from __future__ import annotations

import subprocess
import threading
import weakref
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from core.killable import begin, command, end_after, environment, frame, next_value

if TYPE_CHECKING:
    from subprocess import Popen

    from core.parse import ParsedPage
    from core.preview.page_source import PageSource

WORD = "try-rules"  # as the only argument
PROGRAM = ("-P", "-m", "core", WORD)  # what Python runs
LIMIT = 4.0  # seconds a question
START = 10.0  # seconds more for the first one


class Question(Protocol):
    """Asks about one page, and is answered from it. Question and answer can be pickled."""

    @property
    def page(self) -> PageSource:
        """What it is about."""

    def answer(self, page: ParsedPage) -> Any:
        """Never raises, whatever the page holds."""


class OutOfTime(Exception):
    """No answer within the time, or within the memory. The process is gone; the next question starts another."""


class RuleProcess:
    """At most one process and one question at a time; threads wait for one another. Nothing starts before the first."""

    def __init__(self, limit: float = LIMIT, start: float = START) -> None:
        self._limit, self._start_limit = limit, start
        self._turn = threading.Lock()
        self._process: Popen[bytes] | None = None
        self._ending: weakref.finalize[[Popen[bytes]], RuleProcess] | None = None

    def ask(self, question: Question) -> Any:
        """The answer, for which the calling thread waits. Raises OutOfTime."""
        with self._turn:
            fresh = self._process is None or self._process.poll() is not None
            try:
                process = self._start() if fresh or self._process is None else self._process
            except OSError as fault:  # the system has no room for another process
                raise OutOfTime from fault
            alarm = threading.Timer(self._limit + (self._start_limit if fresh else 0), process.kill)
            alarm.daemon = True
            alarm.start()
            try:
                return _exchange(process, question)
            except (EOFError, OSError) as fault:
                self._end()
                raise OutOfTime from fault
            finally:
                alarm.cancel()

    def close(self) -> None:
        """End the process, whatever it does; who waits for an answer gets OutOfTime."""
        process = self._process
        if process is not None:
            process.kill()
        with self._turn:
            self._end()

    def _start(self) -> Popen[bytes]:
        self._end()
        self._process = subprocess.Popen(  # noqa: S603 # this program itself
            command(*PROGRAM), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
        )
        self._ending = weakref.finalize(self, _end, self._process)
        return self._process

    def _end(self) -> None:
        if self._ending is not None:
            self._ending()
        self._process = self._ending = None


def _end(process: Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue  # what was still to be written has nobody to read it
    process.wait()


def _exchange(process: Popen[bytes], question: Question) -> Any:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the rule process was started without pipes")
    process.stdin.write(frame(question))
    process.stdin.flush()
    return next_value(process.stdout)


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """The process's own side: questions in, answers out, until the window goes away. The last page is kept parsed."""
    begin()
    known: PageSource | None = None
    page: ParsedPage | None = None
    while True:
        try:
            question: Question = next_value(source)
        except EOFError:
            return
        end_after(LIMIT + START)
        try:
            if page is None or question.page != known:
                known, page = question.page, question.page.read()
            answer = frame(question.answer(page))
        except MemoryError:
            return  # the window sees that the process is gone
        end_after(0)
        sink.write(answer)
        sink.flush()
