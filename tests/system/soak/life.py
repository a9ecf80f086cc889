"""A crawl that dies again and again: it is made, killed, goes on, ends, and begins another run."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import apsw

from core.cli import main
from tests.system.children import DEADLINE, ROOT, command, finish, kill, start
from tests.system.soak.shop import IN_FLIGHT, PAGES, pages_of, prices, write_settings
from tests.system.soak.sound import assert_sound, checked, status

if TYPE_CHECKING:
    from pathlib import Path

    from core.demo import SiteThread
    from tests.system.soak.fate import Fate


class Life:
    """One crawl file on a site of its own. `story` is what happened to it, for the one who reads a failure."""

    def __init__(self, folder: Path, site: SiteThread, seed: int, *, sitemaps: bool = True) -> None:
        self.folder = folder
        self.site = site
        self.chance = random.Random(seed)
        self.path = folder / "shop.crawl"
        self.settings = write_settings(folder / "shop.toml", site.root, sitemaps=sitemaps)
        self.run = 1
        self.kills = 0  # of engines
        self.cuts = 0  # of their power
        self.story: list[str] = [f"seed {seed}"]
        self._repeats: Counter[str] = Counter()
        self.interrupted = 0  # how often engines of this run left requests in flight
        self.excusable = 0  # requests that a power cut may have made the crawl forget
        assert main(["new", str(self.path), "--settings", str(self.settings)]) == 0

    # -- engines ------------------------------------------------------------------------------------------------------

    @property
    def goes_on(self) -> list[str]:
        """The command that takes the crawl up where it is: its run, or the next one that has not begun."""
        again = self.run > 1 and status(self.path)["run"] < self.run
        return ["recrawl", str(self.path), "--all"] if again else ["run", str(self.path)]

    def engine(self, fate: Fate | None = None) -> subprocess.Popen[str]:
        return doomed(fate, *self.goes_on) if fate else start(*self.goes_on)

    def kill(self, child: subprocess.Popen[str], how: str) -> None:
        """SIGKILL now, whatever it does."""
        child.kill()
        self.outcome(child, how)

    def outcome(self, child: subprocess.Popen[str], how: str) -> bool:
        """Wait for an engine's end: True where it was killed, and then the file is sound. Else it ended in order."""
        code, err = ended(child)
        killed = code == -signal.SIGKILL
        self.story.append(f"{how}: {'killed' if killed else f'ended with {code}'}")
        assert killed or code == 0, (code, err)
        self.kills += killed
        self.interrupted += killed
        assert_sound(self.path)
        assert status(self.path)["state"] in {"crashed", "finished", "idle"}
        return killed

    def wait_for_requests(self, count: int, child: subprocess.Popen[str]) -> None:
        """Until the site has seen so many more, or the engine has ended."""
        goal, pause = self.site.log.requests + count, threading.Event()
        for _ in range(int(DEADLINE / 0.005)):
            if self.site.log.requests >= goal or child.poll() is not None:
                return
            pause.wait(0.005)
        raise AssertionError(f"only {self.site.log.requests} of {goal} requests")

    # -- the end of a run ---------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Let the run end, and hold what came of it against the site and its log."""
        code, _, err = command(*self.goes_on)
        assert code == 0, err
        self.story.append(f"run {self.run} finished")
        assert_sound(self.path)
        found = status(self.path)
        assert found["state"] == "finished"
        assert found["run"] >= self.run  # settings that bring pages back begin another run of a finished crawl
        self.run = found["run"]
        assert {state: count for state, count in found["urls"].items() if count} == {"done": len(PAGES)}
        assert (found["pages"], found["records"]) == (len(PAGES), len(prices(0)))
        assert self.records() == prices(self.site.options.round)
        self._assert_asked()

    def _assert_asked(self) -> None:
        asked = self.site.log
        pages = pages_of(asked.urls)
        assert pages.keys() == PAGES
        allowed = len(PAGES) + self.interrupted * IN_FLIGHT + self.excusable
        assert sum(pages.values()) <= allowed, (sum(pages.values()), allowed)
        self._repeats.update({path: count - 1 for path, count in pages.items() if count > 1})
        if not self.cuts:  # they may take the list's end with them
            listed = Counter(url.removeprefix(self.site.root) for url in checked(self.path)["possibly_repeated"])
            assert all(listed[path] >= count for path, count in self._repeats.items())

    def next_run(self) -> None:
        """Some pages change, and all are to be asked again."""
        self.run += 1
        self.interrupted = self.excusable = 0
        self.site.control(round=self.site.options.round + 1)
        self.site.reset()

    def records(self) -> dict[str, float]:
        """The price of each record by its key."""
        return {key: float(price) for key, price in self.fields("price").items()}

    def fields(self, name: str) -> dict[str, str]:
        """A field of each record by its key."""
        sql = "SELECT natural_key, json_extract(data, ?) FROM record"
        with closing(apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
            return {str(key): str(found) for key, found in connection.execute(sql, (f"$.{name}",))}


def ended(child: subprocess.Popen[str]) -> tuple[int, str]:
    """Exit status and standard error; one that does not end is ended, and told."""
    try:
        code, _, err = finish(child)
    except subprocess.TimeoutExpired:
        kill(child)
        raise
    return code, err


def doomed(fate: Fate, *arguments: str | Path) -> subprocess.Popen[str]:
    """A command of the program that meets its fate, in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.system.soak.doomed", fate.text, *map(str, arguments)],
        cwd=ROOT,
        start_new_session=True,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
