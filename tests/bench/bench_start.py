"""How long an engine takes from its process's start to its first request: `python tests/bench/bench_start.py [times]`.

The target is half a second, the limit 0.8. With `--imports`, the modules that cost most to import. Not a
test.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from core.demo import SiteOptions, SiteThread
from core.settings import CrawlSettings, FieldRule, Politeness, RecordType, Seeds
from core.store.crawl_file import create

ROOT = Path(__file__).parents[2]
TIMES = 10
NEVER_AT_START = "PySide6 peewee keyring lxml numpy httpx aiohttp pydantic turbohtml.detect".split()


def settings(root: str) -> CrawlSettings:
    product = RecordType(name="product", match="/product/*", key="sku", fields={"sku": FieldRule(css=".sku")})
    return CrawlSettings(
        seeds=Seeds(urls=(f"{root}/list/0",)), politeness=Politeness(delay=0.0, robots=False), records=(product,)
    )


def first_request(site: SiteThread, folder: Path, number: int, *before: str) -> tuple[float, str]:
    """Seconds until the site is asked, and what the engine said on standard error until it was killed."""
    path = folder / f"{number}.crawl"
    create(path, settings(site.root))
    site.reset()
    pause = threading.Event()
    started = time.monotonic()
    command = [sys.executable, *before, "-m", "core", "run", str(path)]
    child = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    while not site.log.requests and child.poll() is None:
        pause.wait(0.001)
    seconds = time.monotonic() - started
    child.kill()
    return seconds, child.communicate()[1]


def imports(text: str) -> list[tuple[int, str]]:
    """Microseconds (with what it imports) and name of each module, the dearest first."""
    lines = (line.removeprefix("import time:").split("|") for line in text.splitlines() if "|" in line)
    found = [(int(parts[1]), parts[2].strip()) for parts in lines if parts[1].strip().isdigit()]
    return sorted(found, reverse=True)


def main() -> None:
    times = next((int(text) for text in sys.argv[1:] if text.isdigit()), TIMES)
    with tempfile.TemporaryDirectory() as name, SiteThread(SiteOptions(latency_ms=200)) as site:
        folder = Path(name)
        first_request(site, folder, -1)  # what is compiled once is compiled now
        seconds = [first_request(site, folder, number)[0] for number in range(times)]
        print(f"first request: median {statistics.median(seconds):.3f} s, slowest {max(seconds):.3f} s")
        found = imports(first_request(site, folder, times, "-X", "importtime")[1])
        needless = [name for _, name in found if name.split(".")[0] in NEVER_AT_START or name in NEVER_AT_START]
        print("imported needlessly:", ", ".join(needless) or "nothing")
        if "--imports" in sys.argv:
            print("\n".join(f"{micros / 1000:8.1f} ms  {name}" for micros, name in found[:40]))


if __name__ == "__main__":
    main()
