"""A crawl driven by hand through the writer's public methods, on a real file and a clock that only moves when told."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import apsw
import msgspec

from core.settings import CrawlSettings
from core.store.crawl_file import create
from core.store.names import UrlState
from core.store.query import rows, value
from core.store.read.audit import audit
from core.store.results import (
    Answer,
    FoundLink,
    FoundRecord,
    Pace,
    PageReadAgain,
    PageResult,
    Parsed,
    RobotsResult,
)
from core.store.write.writer import Writer
from core.urls import Rules, Url, fetch_form, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from core.store.results import Result, StoredPage, Turn, Work

NOON = 1_800_000_000.0  # 2027-01-15T08:00:00Z
SITE = "http://shop.test"
PACE = Pace(0.0)
MOST_TURNS = 10_000


def settings_of(**sections: Any) -> CrawlSettings:
    """Settings as a file would have them; what is not given suits a test: no robots.txt, no delay, many at once."""
    plain: dict[str, Any] = {
        "seeds": {"urls": [f"{SITE}/"]},
        "politeness": {"robots": False, "delay": 0.0, "per_host": 16, "concurrency": 16},
        "pages": {"keep_responses": False},
    }
    merged = {
        name: {**plain.get(name, {}), **part} if isinstance(part, dict) else part for name, part in sections.items()
    }
    return msgspec.convert({**plain, **merged}, CrawlSettings)


class SmallCrawl:
    """Open from the start; `kill` and `reopen` behave as a dead engine and its successor."""

    most_refused: int | None = None  # rows of refusals; None: as many as any crawl

    def __init__(self, path: Path, settings: CrawlSettings | None = None, most_refused: int | None = None) -> None:
        self.path = path
        self.most_refused = most_refused
        self.settings = settings or settings_of()
        self.now = 1000.0
        create(path, self.settings)
        self.open()

    def open(self, *, recrawl: str = "") -> None:
        self.writer = Writer(self.path, self.most_refused)
        self.settings = self.writer.settings
        self.rules = Rules.of(self.settings.normalise)
        self.begun = self.writer.begin(4711, self.now, self.at, recrawl=recrawl)
        self.writer.seed([(text, self.link(text), "") for text in self.settings.seeds.urls], [], self.at)

    def kill(self) -> None:
        """The engine is gone in the middle of whatever it did; the kernel drops its locks and its open transaction."""
        self.writer._connection.close(force=True)

    def reopen(self, *, recrawl: str = "") -> None:
        self.kill()
        self.open(recrawl=recrawl)

    def finish(self) -> None:
        self.writer.end(self.now, self.at, "finished", "")
        self.writer.close()

    @property
    def at(self) -> float:
        return NOON + self.now

    # -- one step at a time -----------------------------------------------------------------------------------------

    def turn(self, *results: Result, after: float = 0.01, granting: bool = True) -> Turn:
        """Store results and take what may be sent, `after` seconds later."""
        self.now += after
        return self.writer.cycle(results, self.now, self.at, granting=granting)

    def change(self, settings: CrawlSettings) -> None:
        """Another program writes new settings; the engine sees them and puts them in force."""
        write_settings(self.path, settings, self.at)
        asked = self.writer.ask()
        assert asked.settings is not None
        self.settings = asked.settings
        self.writer.use(asked.settings, self.now, self.at)

    def link(self, text: str, **more: Any) -> FoundLink:
        url = parse(text, Url("http", "shop.test", 80, "/"))
        assert isinstance(url, Url), text
        return FoundLink(fetch_form(url, self.rules), key_form(url, self.rules), **more)

    def page(self, work: Work, *links: str | FoundLink, body: str = "", **more: Any) -> PageResult:
        """A 200 with links; every URL has a body of its own unless one is given."""
        found = tuple(self.link(link) if isinstance(link, str) else link for link in links)
        content = hashlib.sha256((body or work.url.text).encode()).digest()[:16]
        parsed = {"links": found, "content_hash": content, "title": "A page", **more.pop("parsed", {})}
        answer = Answer(self.at, 200, "ok", "text/html", 100, 200, 0.1, **more.pop("answer", {}))
        return PageResult(work, answer, PACE, accepted=True, parsed=Parsed(**parsed), **more)

    def read_again(self, page: StoredPage, *links: str) -> PageReadAgain:
        """What the engine finds in a kept response."""
        return PageReadAgain(page, Parsed(links=tuple(self.link(link) for link in links)))

    def failure(self, work: Work, status: int | None = 404, *, retry_in: float | None = None) -> PageResult:
        answer = Answer(self.at, status, "ok" if status else "error:timeout", wire_bytes=10)
        return PageResult(work, answer, PACE, retry_at=None if retry_in is None else self.at + retry_in)

    def redirect(self, work: Work, to: str) -> PageResult:
        answer = Answer(self.at, 301, "redirect", wire_bytes=10)
        target = self.link(to, kind="redirect")
        return PageResult(work, answer, PACE, redirect=target, redirect_text=target.fetch.text)

    def not_modified(self, work: Work, **more: Any) -> PageResult:
        return PageResult(work, Answer(self.at, 304, "not_modified", wire_bytes=10, **more), PACE)

    def robots(self, work: Work, text: str, **more: Any) -> RobotsResult:
        answer = Answer(self.at, 200, "ok", "text/plain", len(text))
        known: dict[str, Any] = {"access": "rules", "body": text.encode(), "due": self.at + 86_400, **more}
        return RobotsResult(work, answer, PACE, **known)

    # -- until nothing is left --------------------------------------------------------------------------------------

    def crawl(
        self, site: Callable[[str], Iterable[str]] | dict[str, list[str]], in_flight: Iterable[Work] = ()
    ) -> list[str]:
        """Answer every request with the links of its page until the crawl is idle: the paths requested, in order."""
        links = site if callable(site) else (lambda target: site.get(target, []))
        requested: list[str] = []
        turn = self.turn(*(self.page(work, *links(work.url.target)) for work in in_flight))
        for _ in range(MOST_TURNS):
            requested += [work.url.target for work in turn.work]
            if turn.idle and not turn.work:
                return requested
            busy = turn.work or turn.stored or turn.until <= self.now
            later = 0.01 if busy else min(turn.until - self.now, 10_000.0) + 0.01
            answers = [self.page(work, *links(work.url.target)) for work in turn.work]
            parsed = [self.read_again(page, *links(page.url.target)) for page in turn.stored]
            turn = self.turn(*answers, *parsed, after=later)
        raise AssertionError(f"not idle after {MOST_TURNS} turns: {requested[-5:]}")

    # -- what the file says -----------------------------------------------------------------------------------------

    def ask(self, sql: str, *parameters: Any) -> list[Any]:
        connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            return rows(connection, sql, parameters)
        finally:
            connection.close()

    def one(self, sql: str, *parameters: Any) -> Any:
        found = self.ask(sql, *parameters)
        return found[0][0] if found else None

    def states(self) -> dict[str, str]:
        return {path: UrlState(state).label for path, state in self.ask("SELECT path, state FROM url")}

    def reasons(self) -> dict[str, str]:
        """Of what was refused, by URL without the site's name."""
        return {url.removeprefix(SITE): reason for url, reason in self.ask("SELECT url, reason FROM refused")}

    def counter(self, name: str, run: int = 0) -> int:
        return self.one("SELECT value FROM counter WHERE name = ? AND run = ?", name, run) or 0

    def assert_sound(self) -> None:
        """The file's own certificate holds, and each URL is in one state that its lease agrees with."""
        certificate = audit(self.path)
        assert certificate.ok, certificate
        leased = {number for (number,) in self.ask("SELECT id FROM url WHERE state = 1")}
        assert leased == {number for (number,) in self.ask("SELECT url_id FROM lease WHERE url_id IS NOT NULL")}
        doubled = self.ask("SELECT host_id, origin_id, path, count(*) FROM url GROUP BY 1, 2, 3 HAVING count(*) > 1")
        assert not doubled


def write_settings(path: Path, settings: CrawlSettings, at: float) -> None:
    """As `fronteira set` does."""
    from core.settings import encode

    connection = apsw.Connection(str(path))
    version = value(connection, "SELECT max(version) FROM setting")
    connection.execute("INSERT INTO setting(version, at, json) VALUES (?, ?, ?)", (version + 1, at, encode(settings)))
    connection.close()


def record(key: str | None, data: str, kind: str = "product") -> FoundRecord:
    """A record with a natural key; its fingerprint is that of its data."""
    from core.identity.record import record_id

    number = record_id("default", "shop.test", kind, key) if key is not None else ""
    print_ = hashlib.sha256(data.encode()).hexdigest()
    return FoundRecord(kind, key, number, "shop.test", data, print_, reason="" if key else "the key sku is missing")
