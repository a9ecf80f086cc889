"""The engine as a process: exit statuses, signals, the window's pipe, a second engine, a full disk, a foreign lock."""

from __future__ import annotations

import os
import re
import resource
import select
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import apsw
import pytest

from core.settings import CrawlSettings, FieldRule, Header, RecordType
from core.store.crawl_file import create
from core.store.lock import holder
from core.store.read.audit import audit
from core.store.read.reader import Reader
from core.store.wishes import Wishes
from tests.core.engine.crawl import fetch, politeness, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, page
from tests.system.children import DEADLINE, ROOT, command, finish, kill, start, status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def gate() -> threading.Event:
    """Set, it lets the site's pages answer."""
    return threading.Event()


@pytest.fixture
def site(gate: threading.Event) -> Iterator[ScriptedSite]:
    with ScriptedSite({"/": page(*(f"/p/{number}" for number in range(30)))}) as made:
        made.answers |= {f"/p/{number}": Reply(page(title=str(number)), gate=gate) for number in range(30)}
        yield made
        gate.set()


@pytest.fixture
def path(tmp_path: Path, site: ScriptedSite) -> Path:
    crawl = tmp_path / "a.crawl"
    create(crawl, held(site))
    return crawl


def held(site: ScriptedSite) -> CrawlSettings:
    return quick(f"{site.root}/", politeness=politeness(concurrency=3))


def in_flight(site: ScriptedSite) -> None:
    """robots.txt, the seed, and three pages that wait for the gate."""
    site.wait_for(lambda: len(site.asked) >= 5)


def test_interrupting_once_drains_and_the_rest_is_kept(path: Path, site: ScriptedSite, gate: threading.Event) -> None:
    child = start("run", path)
    in_flight(site)
    os.kill(child.pid, signal.SIGINT)
    wait_for_state(path, "stopping")
    gate.set()
    code, _, err = finish(child)
    assert (code, err) == (3, "Stopped by Ctrl-C.\n")
    found = status(path)
    assert (found["state"], found["urls"]["done"], found["urls"]["pending"]) == ("stopped", 4, 27)
    assert command("run", path)[0] == 0
    assert len(site.asked) == 32


def wait_for_answered_wish(path: Path) -> None:
    pause = threading.Event()
    connection = apsw.Connection(str(path))
    for _ in range(int(DEADLINE / 0.02)):
        if connection.execute("SELECT 1 FROM wish WHERE done IS NOT NULL").fetchall():
            break
        pause.wait(0.02)
    connection.close()


def wait_for_state(path: Path, state: str) -> None:
    pause = threading.Event()
    reader = Reader(path)
    for _ in range(int(DEADLINE / 0.02)):
        if reader.status().state == state:
            break
        pause.wait(0.02)
    assert reader.status().state == state
    reader.close()


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="terminals that close say so on POSIX alone")
@pytest.mark.parametrize(("before", "expected"), [(signal.SIG_DFL, 3), (signal.SIG_IGN, 0)], ids=["plain", "nohup"])
def test_a_terminal_that_closes_drains_the_engine_unless_it_was_told_not_to_care(
    path: Path, site: ScriptedSite, gate: threading.Event, before: signal.Handlers, expected: int
) -> None:
    child = start("run", path, preexec_fn=lambda: signal.signal(signal.SIGHUP, before))
    in_flight(site)
    os.kill(child.pid, signal.SIGHUP)
    if expected:
        wait_for_state(path, "stopping")
    gate.set()
    assert finish(child)[0] == expected
    assert status(path)["state"] == ("stopped" if expected else "finished")


def test_interrupting_twice_kills_and_the_next_run_goes_on(
    path: Path, site: ScriptedSite, gate: threading.Event
) -> None:
    child = start("run", path)
    in_flight(site)
    os.kill(child.pid, signal.SIGINT)
    wait_for_state(path, "stopping")
    os.kill(child.pid, signal.SIGINT)
    assert finish(child)[0] == 130
    gate.set()
    found = status(path)
    assert found["state"] == "crashed"
    assert found["reason"] == "killed: by a second Ctrl-C, before its requests in flight were finished"
    assert command("run", path)[0] == 0
    assert len(site.asked) == 32 + 3
    assert len(audit(path).possibly_repeated) == 3


def test_a_second_engine_is_told_who_holds_the_file(path: Path, site: ScriptedSite) -> None:
    child = start("run", path)
    in_flight(site)
    code, _, err = command("run", path)
    assert code == 4
    assert re.search(rf"process {child.pid} since \d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ", err)
    assert len(err.splitlines()) == 1
    engine = status(path)["engine"]
    assert engine["pid"] == child.pid
    kill(child)
    assert status(path)["engine"] is None
    assert status(path)["state"] == "crashed"


def test_the_stop_command_stops_a_running_engine(path: Path, site: ScriptedSite, gate: threading.Event) -> None:
    child = start("run", path)
    in_flight(site)
    assert command("stop", path)[0] == 0
    wait_for_answered_wish(path)
    gate.set()
    assert finish(child)[0] == 3
    assert (status(path)["state"], status(path)["reason"]) == ("stopped", "stop")
    code, _, err = command("stop", path)
    assert (code, err) == (0, "No engine runs this crawl.\n")


def test_an_attached_engine_ends_when_its_window_dies(path: Path, site: ScriptedSite, gate: threading.Event) -> None:
    """Its standard error is gone too: that it cannot be written ends nothing, and the exit status stays."""
    child = start("run", path, "--attached", stdin=subprocess.PIPE)
    in_flight(site)
    assert child.stdin
    assert child.stdout
    assert child.stderr
    for pipe in (child.stdin, child.stdout, child.stderr):
        pipe.close()
    wait_for_state(path, "stopping")
    gate.set()
    assert child.wait(DEADLINE) == 3
    assert status(path)["reason"] == "stop: the window closed"


def test_a_window_that_is_killed_leaves_no_engine(path: Path, site: ScriptedSite, gate: threading.Event) -> None:
    window = (
        "import subprocess, sys, time\n"
        "arguments = [sys.executable, '-m', 'core', 'run', sys.argv[1], '--attached']\n"
        "engine = subprocess.Popen(arguments, stdin=subprocess.PIPE, start_new_session=True)\n"
        "print(engine.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", window, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    engine = int(parent.stdout.readline())
    in_flight(site)
    holds = holder(path)
    assert holds is not None
    assert holds.pid == engine
    parent.kill()
    parent.wait()
    wait_for_state(path, "stopping")
    gate.set()
    wait_for_state(path, "stopped")
    assert status(path)["reason"] == "stop: the window closed"
    for _ in range(int(DEADLINE / 0.02)):
        if holder(path) is None:
            break
        threading.Event().wait(0.02)
    assert holder(path) is None
    parent.stdout.close()


PATIENT = (
    "import sys, core.engine.clock as clock\n"
    "clock.LAPSE, clock.EVERY = 0.5, 0.1\n"
    "from core.cli import main\n"
    "sys.exit(main(sys.argv[1:]))"
)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes are stopped on POSIX alone")
def test_a_stopped_process_goes_on_as_if_nothing_had_been(tmp_path: Path, site: ScriptedSite) -> None:
    """Its deadline of a second passes while it is stopped: what was in flight is asked again without a try."""
    path, wakes = tmp_path / "b.crawl", threading.Event()
    for number in range(30):
        site.answers[f"/p/{number}"] = lambda asked: Reply(page(title="P"), gate=None if asked.number else wakes)
    create(path, quick(f"{site.root}/", fetch=fetch(timeout=1.0), politeness=politeness(concurrency=3)))
    child = subprocess.Popen([sys.executable, "-c", PATIENT, "run", str(path)], cwd=ROOT, start_new_session=True)
    in_flight(site)
    os.kill(child.pid, signal.SIGSTOP)
    threading.Event().wait(2.0)  # as long as the process is to lie still
    os.kill(child.pid, signal.SIGCONT)
    wait_for_log(path, "online")
    wakes.set()
    assert child.wait(DEADLINE) == 0
    found = status(path)
    assert (found["state"], found["urls"]["done"], found["urls"]["failed"]) == ("finished", 31, 0)
    assert found["elapsed"] < 30
    connection = apsw.Connection(str(path))
    assert connection.execute("SELECT max(tries), max(reclaims) FROM url").fetchall() == [(0, 0)]
    assert connection.execute("SELECT count(*) FROM log WHERE kind = 'offline'").fetchall() == [(1,)]
    connection.close()


WITHOUT_NETWORK = """
import os, sys, core.engine.offline as offline, core.store.write.unreachable as unreachable
from core.fetch.dial import Dialler
from core.fetch.fault import Fault

offline.PROBE_EVERY, unreachable.FIRST_WAIT, opens, gone = 0.1, 0.1, Dialler.open, sys.argv.pop(1)

async def opened(self, url, freed):
    if os.path.exists(gone):
        raise Fault("connect", "It cannot be reached (Network is unreachable).")
    return await opens(self, url, freed)

Dialler.open = opened
from core.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_without_a_network_the_status_says_offline_and_a_kill_meanwhile_costs_nothing(
    path: Path, site: ScriptedSite, gate: threading.Event
) -> None:
    gone = path.with_name("gone")

    def unplugged(_asked: object) -> Reply:
        gone.touch()
        return Reply(page(title="5"), headers=(("Connection", "close"),))

    for number in range(30):
        site.answers[f"/p/{number}"] = Reply(page(title=str(number)), headers=(("Connection", "close"),))
    site.answers["/p/5"] = unplugged
    arguments = [sys.executable, "-c", WITHOUT_NETWORK, str(gone), "run", str(path)]
    child = subprocess.Popen(arguments, cwd=ROOT, start_new_session=True)
    wait_for_state(path, "offline")
    assert status(path)["reason"] == "unreachable: It cannot be reached (Network is unreachable)"
    child.kill()
    child.wait(DEADLINE)
    assert (status(path)["state"], status(path)["reason"]) == ("crashed", "error: the engine ended without a word")
    child = subprocess.Popen(arguments, cwd=ROOT, start_new_session=True)
    wait_for_state(path, "offline")
    gone.unlink()
    site.answers["/p/5"] = page(title="5")
    assert child.wait(DEADLINE) == 0
    found = status(path)
    assert (found["state"], found["reason"], found["urls"]["done"]) == ("finished", "", 31)
    assert audit(path).ok
    assert not gate.is_set()


def wait_for_log(path: Path, kind: str) -> None:
    pause = threading.Event()
    reader = Reader(path)
    for _ in range(int(DEADLINE / 0.02)):
        if reader.log(kind=kind):
            break
        pause.wait(0.02)
    assert reader.log(kind=kind)
    reader.close()


def test_an_attached_engine_goes_on_when_it_was_asked_to(path: Path, site: ScriptedSite, gate: threading.Event) -> None:
    child = start("run", path, "--attached", stdin=subprocess.PIPE)
    in_flight(site)
    wishes = Wishes(path)
    wishes.keep()
    wishes.close()
    for pipe in (child.stdin, child.stdout, child.stderr):
        assert pipe
        pipe.close()
    gate.set()
    assert child.wait(DEADLINE) == 0
    assert status(path)["state"] == "finished"


def test_without_the_flag_standard_input_means_nothing(path: Path, gate: threading.Event) -> None:
    gate.set()
    assert command("run", path)[0] == 0  # its standard input is /dev/null


def test_no_progress_line_where_nobody_watches_and_one_on_a_terminal(path: Path, gate: threading.Event) -> None:
    gate.set()
    code, out, err = command("run", path)
    assert (code, out, err) == (0, "", "")
    main, end = os.openpty()
    child = start("run", path, stderr=end)
    os.close(end)
    shown = b""
    while select.select([main], [], [], DEADLINE)[0]:
        try:
            shown += os.read(main, 4096)
        except OSError:  # the other end is closed
            break
    os.close(main)
    finish(child)
    assert b"finished" in shown
    assert b"31 pages" in shown


def test_an_engine_without_any_standard_stream_crawls(path: Path, gate: threading.Event) -> None:
    gate.set()

    def close() -> None:
        for descriptor in range(3):
            os.close(descriptor)

    child = start("run", path, stdin=None, stdout=None, stderr=None, preexec_fn=close)
    assert child.wait(DEADLINE) == 0
    assert status(path)["state"] == "finished"


def test_records_by_xpath_are_read_by_a_process_that_ends_with_the_engine(
    path: Path, site: ScriptedSite, gate: threading.Event
) -> None:
    gate.set()
    record = RecordType(name="page", match="/p/", fields={"title": FieldRule(xpath="//title/text()")})
    wishes = Wishes(path)
    wishes.set_settings(quick(f"{site.root}/", records=(record,)))
    wishes.close()
    child = start("run", path)
    code, _, err = finish(child)  # standard error is inherited: it closes when the last process of the group has ended
    assert (code, err) == (0, "")
    assert status(path)["records"] == 30


def test_a_missing_secret_is_bad_input(path: Path, site: ScriptedSite) -> None:
    header = Header(origin=site.root, name="X-Key", value="env:NOT_THERE_AT_ALL")
    wishes = Wishes(path)
    wishes.set_settings(quick(f"{site.root}/", fetch=fetch(headers=(header,))))
    wishes.close()
    code, _, err = command("run", path)
    assert code == 2
    assert "env:NOT_THERE_AT_ALL" in err
    assert len(err.splitlines()) == 1
    assert site.asked == []


def test_a_full_disk_ends_with_one_sentence_and_nothing_is_lost(
    path: Path, site: ScriptedSite, gate: threading.Event
) -> None:
    gate.set()
    heavy = "<p>" + "".join(f"{number:x} " for number in range(60_000)) + "</p>"
    for number in range(30):
        site.answers[f"/p/{number}"] = page(title=str(number)) + heavy.encode() + str(number).encode() * 5000

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    code, _, err = command("run", path, preexec=limited)
    assert code == 1, err
    assert len(err.splitlines()) == 1, err
    assert "full" in err
    assert "Traceback" not in err
    code, _, err = command("run", path)
    assert code == 0, err
    assert status(path)["urls"]["done"] == 31
    assert audit(path).ok


def program(source: str, path: Path) -> subprocess.CompletedProcess[str]:
    """`run` on the crawl file in a process of its own that first changes something of the program's."""
    return subprocess.run(
        [sys.executable, "-c", source, "run", str(path)],
        cwd=path.parents[0],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )


def test_a_foreign_lock_ends_with_one_sentence(path: Path, site: ScriptedSite, gate: threading.Event) -> None:
    gate.set()
    foreign = apsw.Connection(str(path))
    foreign.execute("BEGIN IMMEDIATE")
    child = program(
        "import sys, core.store.crawl_file as crawl_file\n"
        "crawl_file.WRITER_WAITS = 1000\n"
        "from core.cli import main\n"
        "sys.exit(main(sys.argv[1:]))",
        path,
    )
    assert child.returncode == 1
    assert len(child.stderr.splitlines()) == 1, child.stderr
    assert "lock" in child.stderr
    foreign.execute("ROLLBACK")
    foreign.close()
    assert command("run", path)[0] == 0
    assert len(site.asked) == 32


def test_a_fault_of_ours_leaves_a_traceback_and_a_whole_file(
    path: Path, site: ScriptedSite, gate: threading.Event
) -> None:
    gate.set()
    child = program(
        "import sys, core.engine.engine as engine\n"
        "def broken(*_): raise ZeroDivisionError('a broken invariant')\n"
        "engine.Engine._rest = broken\n"
        "from core.cli import main\n"
        "sys.exit(main(sys.argv[1:]))",
        path,
    )
    assert child.returncode == 1
    assert child.stderr.startswith("Traceback")
    assert "ZeroDivisionError: a broken invariant" in child.stderr
    assert status(path)["state"] == "crashed"
    assert command("run", path)[0] == 0
    assert audit(path).ok
    assert status(path)["urls"]["done"] == 31
