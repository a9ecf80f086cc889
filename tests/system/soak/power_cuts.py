"""Power that fails: any part of what the disk was not asked to keep is lost, or the WAL ends early, or in rubbish."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from tests.system.children import command
from tests.system.soak.engine_deaths import up_to
from tests.system.soak.fate import Fate
from tests.system.soak.life import ended
from tests.system.soak.shop import PAGES, pages_of, prices
from tests.system.soak.sound import assert_sound, done_pages, status

if TYPE_CHECKING:
    from tests.system.soak.life import Life

KEPT_WITHIN = 1.0  # seconds: what was written earlier is on the disk
LATE = 2.0  # seconds by which a busy machine may be late with it
PAGES_BETWEEN_CHECKPOINTS = (0, 40, 300)  # 0: none while it runs


def power_fails(life: Life) -> None:
    """At any write or sync of an engine: what was written in the last second may have to be asked for again."""
    report = life.folder / "power.json"
    slow = life.cuts % 4 == 3  # a run of some seconds, cut off in its second half
    fate = Fate(
        "power",
        ("write", "fold", "sync", "truncate"),
        at=life.chance.randint(900, 1500) if slow else up_to(life, 2500),
        seed=life.chance.getrandbits(32),
        fold_every=life.chance.choice(PAGES_BETWEEN_CHECKPOINTS),
        report=str(report),
    )
    life.site.control(latency_ms=300 if slow else 5)
    killed = life.outcome(life.engine(fate), f"power fails at write {fate.at}")
    life.site.control(latency_ms=5)
    if not killed:
        return
    life.cuts += 1
    told = json.loads(report.read_text(encoding="utf-8"))
    log = life.site.log
    life.excusable += sum(at >= told["oldest"] for host in log.hosts.values() for at in host.wall)
    assert told["cut"] - told["oldest"] < KEPT_WITHIN + LATE


def goes_on_from_a_torn_copy(life: Life) -> None:
    """A copy of the file and its WAL as they are at one moment, with the WAL cut off anywhere, perhaps in rubbish."""
    child = life.engine()
    life.wait_for_requests(life.chance.randint(1, 60), child)
    os.kill(child.pid, signal.SIGSTOP)
    copy = torn_copy(life)
    os.kill(child.pid, signal.SIGKILL)
    ended(child)
    assert_sound(life.path)
    if copy is None:
        return
    assert_sound(copy)
    done = done_pages(copy)
    life.site.reset()
    code, _, err = command("run", copy)
    assert code == 0, err
    assert_sound(copy)
    asked = pages_of(life.site.log.urls)
    assert asked.keys() == PAGES - done
    assert set(asked.values()) <= {1}
    found = status(copy)
    assert (found["state"], found["urls"]["done"], found["records"]) == ("finished", len(PAGES), len(prices(0)))


def torn_copy(life: Life) -> Path | None:
    """None where the crawl has no WAL any more."""
    copy, wals = life.folder / "torn.crawl", []
    for suffix in ("", "-wal", "-responses", "-responses-wal"):
        part = Path(f"{life.path}{suffix}")
        if not part.exists():
            continue
        to = Path(f"{copy}{suffix}")
        shutil.copyfile(part, to)
        if suffix.endswith("-wal"):
            wals.append(to)
    for wal in wals:
        tear(life, wal)
    return copy if wals else None


def tear(life: Life, wal: Path) -> None:
    data = wal.read_bytes()
    cut = life.chance.randint(0, len(data))
    way = life.chance.choice(("cut", "rubbish", "zeros", "flipped"))
    life.story.append(f"{wal.name}: {way} at {cut} of {len(data)}")
    rest = {
        "cut": b"",
        "rubbish": life.chance.randbytes(len(data) - cut),
        "zeros": bytes(len(data) - cut),
        "flipped": bytes(byte ^ 0x55 for byte in data[cut : cut + 1]) + data[cut + 1 :],
    }
    wal.write_bytes(data[:cut] + rest[way])
