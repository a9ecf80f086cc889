"""Counters stay exact, and no URL is both queued and done, whatever comes back in whatever order."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.store.write import aliases
from tests.small_crawl import SmallCrawl, record, settings_of

if TYPE_CHECKING:
    from core.store.results import Work

PATHS = st.lists(
    st.sampled_from(
        [f"/p/{number}" for number in range(12)]
        + [f"/bad/{number}" for number in range(4)]
        + [f"/list?page={number}" for number in range(4)]
        + ["http://other.test/", "http://shop.test:8080/", "/p/1#x", "/a/a/a/a/a/b", "/file.zip"]
    ),
    max_size=8,
)
CANONICALS = st.sampled_from([None, *(f"http://shop.test/{path}" for path in ("p/1", "p/2", "bad/1", "list?page=1"))])
BODIES = st.sampled_from(["", "", "same", "other"])
RECORDS = st.lists(
    st.builds(record, st.sampled_from(["1", "2", None]), st.sampled_from(['{"n":1}', '{"n":2}'])), max_size=2
)
SETTINGS = st.sampled_from(
    [
        settings_of(),
        settings_of(scope={"exclude": ["/bad/"]}),
        settings_of(scope={"exclude": ["/p/", "/list?page"]}, budgets={"max_depth": 3}),
        settings_of(budgets={"max_pages": 6, "max_depth": 2}),
        settings_of(budgets={"patterns": [{"pattern": "/p/", "max_pages": 3}]}),
        settings_of(politeness={"robots": True}, scope={"hosts": ["shop.test", "shop.test:8080"]}),
        settings_of(normalise={"canonical": False}),
        settings_of(pages={"link_graph": False, "follow_duplicates": True}),
    ]
)
ROBOTS = st.sampled_from(["", "User-agent: *\nDisallow: /p/1", "User-agent: *\nDisallow: /"])


class AnyCrawl(RuleBasedStateMachine):
    """Random answers, kills, expiries and settings on one real file."""

    @initialize(chosen=SETTINGS)
    def begin(self, chosen: object) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.crawl = SmallCrawl(Path(self.folder.name) / "a.crawl", chosen)  # type: ignore[arg-type] # of SETTINGS
        self.flying: list[Work] = []
        self.late: list[Work] = []
        self.take(self.crawl.turn().work)

    def teardown(self) -> None:
        if hasattr(self, "crawl"):
            self.crawl.kill()
            self.folder.cleanup()

    def take(self, works: tuple[Work, ...]) -> None:
        self.flying += works

    def drawn(self, data: st.DataObject, purpose: str = "page") -> Work | None:
        found = [work for work in self.flying if work.purpose == purpose]
        if not found:
            return None
        work = data.draw(st.sampled_from(found))
        self.flying.remove(work)
        return work

    @rule(data=st.data(), links=PATHS, body=BODIES, records=RECORDS, canonical=CANONICALS)
    def page_comes(
        self, data: st.DataObject, links: list[str], body: str, records: list[object], canonical: str | None
    ) -> None:
        work = self.drawn(data)
        if work:
            said = {"records": tuple(records), "canonical": canonical}
            page = self.crawl.page(work, *links, body=body, parsed=said)
            self.take(self.crawl.turn(page).work)

    @rule(data=st.data(), status=st.sampled_from([404, 410, 500, None]), wait=st.sampled_from([None, 5.0, 5000.0]))
    def failure_comes(self, data: st.DataObject, status: int | None, wait: float | None) -> None:
        work = self.drawn(data)
        if work:
            self.take(self.crawl.turn(self.crawl.failure(work, status, retry_in=wait)).work)

    @rule(data=st.data(), to=PATHS.filter(bool))
    def redirect_comes(self, data: st.DataObject, to: list[str]) -> None:
        work = self.drawn(data)
        if work and self.crawl.link(to[0]).key.text != work.url.text:
            self.take(self.crawl.turn(self.crawl.redirect(work, to[0])).work)
        elif work:
            self.flying.append(work)

    @rule(data=st.data())
    def unchanged_comes(self, data: st.DataObject) -> None:
        work = self.drawn(data)
        if work:
            self.take(self.crawl.turn(self.crawl.not_modified(work)).work)

    @rule(data=st.data(), text=ROBOTS, access=st.sampled_from(["rules", "allow", "disallow", "retry"]))
    def robots_comes(self, data: st.DataObject, text: str, access: str) -> None:
        work = self.drawn(data, "robots")
        if work:
            due = self.crawl.at + (10 if access in {"retry", "disallow"} else 86_400)
            self.take(self.crawl.turn(self.crawl.robots(work, text, access=access, due=due)).work)

    @rule(seconds=st.sampled_from([0.1, 6.0, 2000.0, 90_000.0]))
    def time_goes_on(self, seconds: float) -> None:
        if seconds > 1000.0:  # everything in flight expires
            self.late, self.flying = self.flying, []
        self.take(self.crawl.turn(after=seconds).work)

    @precondition(lambda self: self.late)
    @rule(links=PATHS)
    def late_answer_comes(self, links: list[str]) -> None:
        page = self.crawl.page(self.late.pop(), *links)
        if page.work.purpose == "page":
            self.take(self.crawl.turn(page).work)

    @rule(chosen=SETTINGS)
    def settings_change(self, chosen: object) -> None:
        self.crawl.change(chosen)  # type: ignore[arg-type] # of SETTINGS
        self.take(self.crawl.turn().work)

    @rule()
    def engine_dies(self) -> None:
        self.late, self.flying = self.flying, []
        self.crawl.reopen()
        self.take(self.crawl.turn().work)

    @rule(everything=st.booleans())
    def next_run_begins(self, everything: bool) -> None:
        if self.flying:
            return
        self.crawl.finish()
        self.crawl.now += 100_000.0
        self.crawl.open(recrawl="all" if everything else "due")
        self.take(self.crawl.turn().work)

    @rule()
    def refused_get_another_chance(self) -> None:
        self.crawl.writer.readmit_limited(self.crawl.at)
        self.take(self.crawl.turn().work)

    @invariant()
    def file_is_sound(self) -> None:
        if not hasattr(self, "crawl"):
            return
        self.crawl.assert_sound()
        flying = {work.id for work in self.flying if work.purpose == "page"}
        assert flying == {number for (number,) in self.crawl.ask("SELECT id FROM url WHERE state = 1")}
        admitted = self.crawl.one("SELECT count(*) FROM url WHERE state NOT IN (5, 6)")
        assert self.crawl.writer._limits.total == admitted


@pytest.fixture(autouse=True)
def few_contents_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aliases, "MOST_CONTENTS", 3)
    monkeypatch.setattr(aliases, "PIECE", 2)


AnyCrawl.TestCase.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnyCrawl = AnyCrawl.TestCase
