"""What exports cost. Run by hand: `python -m tests.bench.bench_export [ROWS]`."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from core.export import export
from core.store.read.tables import TableQuery
from tests.bench.bench_tables import fill


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.crawl"
        fill(path, rows)
        for name in ("csv", "jsonl"):
            to = path.with_suffix(f".{name}")
            start = time.perf_counter()
            export(path, TableQuery("urls", order=("url", False)), to, name)
            seconds = time.perf_counter() - start
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            size = to.stat().st_size / 1e6
            each = seconds / rows * 1e6
            print(f"{name}: {each:.1f} microseconds a row, {size:.0f} MB, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
