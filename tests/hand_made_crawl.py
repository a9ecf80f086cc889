"""A crawl file filled by hand, row by row, without an engine: for tests of everything that only reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw

from core.settings import CrawlSettings
from core.store.crawl_file import create
from core.store.names import Front, UrlState

if TYPE_CHECKING:
    from pathlib import Path

NOON = 1_800_000_000.0  # 2027-01-15T08:00:00Z


class HandMadeCrawl:
    """Adds rows as an engine would, each in a transaction of its own; what is not given has a plain value."""

    def __init__(self, path: Path, settings: CrawlSettings | None = None) -> None:
        self.path = path
        create(path, settings or CrawlSettings(name="Shop"))
        self.connection = apsw.Connection(str(path))
        self.add("host", id=1, tenant="default", name="shop.test")
        self.add("origin", id=1, host_id=1, scheme="http", port=80, base="http://shop.test")

    def add(self, table: str, **values: Any) -> int:
        """One row of any table."""
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        self.connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))  # noqa: S608
        return self.connection.last_insert_rowid()

    def url(self, path: str, state: UrlState = UrlState.PENDING, **values: Any) -> int:
        known = {"host_id": 1, "origin_id": 1, "key": hash_of(path), "front": int(Front.MIDDLE), "depth": 0}
        return self.add("url", path=path, state=int(state), **{**known, "first_seen": NOON, **values})

    def page(self, path: str, state: UrlState = UrlState.DONE, **values: Any) -> int:
        """A URL with an answer."""
        number = self.url(path, state)
        answer = {"run": 1, "status": 200, "outcome": "ok", "last_fetched": NOON}
        self.add("page", url_id=number, **{**answer, **values})
        return number

    def record(self, key: str, data: str, url: int, **values: Any) -> int:
        plain = {"tenant": "default", "source": "shop.test", "type": "product", "fingerprint": "f", "action": "created"}
        times = {"first_seen": NOON, "last_seen": NOON, "last_changed": NOON, "run": 1}
        return self.add(
            "record", id=f"id-{key}", natural_key=key, data=data, url_id=url, **{**plain, **times, **values}
        )

    def counters(self, run: int = 0, **values: int) -> None:
        for name, value in values.items():
            self.add("counter", name=name.replace("__", "."), run=run, value=value)

    def run(self, **values: Any) -> int:
        return self.add("run", **{"number": 1, "started": NOON, **values})

    def session(self, **values: Any) -> int:
        return self.add("session", **{"run": 1, "pid": 1, "started": NOON, **values})


def hash_of(path: str) -> int:
    """A number for a path that is the same in every process."""
    return int.from_bytes(path.encode().ljust(7, b"\0")[-7:], "big") + len(path)
