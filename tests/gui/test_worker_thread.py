"""The thread behind tables and charts ends in good order."""

from __future__ import annotations

import threading

import pytest

from gui.worker_thread import WorkerThread


class Recorder:
    def __init__(self) -> None:
        self.seen: list[str] = []
        self.ended = threading.Event()
        self.release = threading.Event()

    def note(self, word: str) -> None:
        self.seen.append(word)

    def wait(self) -> None:
        assert self.release.wait(5)

    def interrupt(self) -> None:
        self.release.set()

    def end(self) -> None:
        self.ended.set()


def test_jobs_are_done_in_order_and_the_end_comes_last() -> None:
    worker = Recorder()
    thread = WorkerThread(worker, "test")
    for word in ("a", "b", "c"):
        thread.post(worker.note, word)
    thread.finish()
    assert worker.seen == ["a", "b", "c"]
    assert worker.ended.is_set()
    thread.post(worker.note, "d")
    assert worker.seen == ["a", "b", "c"]


def test_letting_it_go_interrupts_and_closes() -> None:
    worker = Recorder()
    thread = WorkerThread(worker, "test")
    thread.post(worker.wait)
    del thread
    assert worker.ended.wait(5)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_dead_thread_is_told_and_the_next_job_begins_another() -> None:
    worker = Recorder()
    told: list[str] = []
    thread = WorkerThread(worker, "test", told.append)

    def break_down() -> None:
        raise ZeroDivisionError("nothing to divide by")

    thread.post(break_down)
    dying = thread._threads[:]
    for each in dying:
        each.join(5)
    assert told == ["ZeroDivisionError: nothing to divide by"]
    thread.post(worker.note, "again")
    thread.finish()
    assert worker.seen == ["again"]


def test_a_thread_that_was_never_needed_is_never_begun() -> None:
    before = threading.active_count()
    thread = WorkerThread(Recorder(), "test")
    assert threading.active_count() == before
    thread.finish()
