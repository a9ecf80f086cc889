"""Canonicals not believed, and believed again: stored ones count as if they always had, without a request."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.store.wishes import Wishes
from core.store.write import second_look
from core.store.write.writer import Writer
from tests.core.store.write.naming_pages import (
    ALIASES,
    KEYLESS,
    RECORDS,
    answer_all,
    by_url,
    in_turn,
    naming,
    outcome,
    run_on,
    started,
)
from tests.death import Death, Killed
from tests.small_crawl import SmallCrawl, settings_of, write_settings

if TYPE_CHECKING:
    from core.store.results import PageResult, Work

ANSWERS = {"/": None, "/a": "/b", "/b": "/b", "/c": "/b", "/d": "/e", "/e": "/d", "/f": "/missing", "/g": "/new"}
BODIES = {"/a": "same", "/b": "same"}


def family(path: Path, *, believed: bool) -> SmallCrawl:
    """A site with aliases, a copy, a ring, and canonicals that are missing or not linked."""
    crawl, works = started(path, *list(ANSWERS)[1:], records=[KEYLESS], normalise={"canonical": believed})
    for page, work in works.items():
        data = f'{{"sku":"{page}"}}'
        named = naming(crawl, work, ANSWERS[page] or page, by_url(page, data), body=BODIES.get(page, ""))
        answer_all(crawl, crawl.turn(named).work)
    return crawl


def test_switched_on_again_stored_canonicals_count_as_if_they_always_had_and_nothing_is_asked_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_look, "PIECE", 2)
    always = family(tmp_path / "always.crawl", believed=True)
    run_on(always)
    assert always.ask(ALIASES) == [("/a", "/b"), ("/c", "/b"), ("/g", "/new")]
    never = family(tmp_path / "never.crawl", believed=False)
    run_on(never)
    assert never.ask(ALIASES) == []
    plain = outcome(never)
    never.change(settings_of(records=[KEYLESS]))
    assert sorted(run_on(never)) == ["/missing", "/new"]
    told = [message for (message,) in never.ask("SELECT message FROM log WHERE kind = 'canonical' AND url = ''")]
    assert told == ["By the canonicals they name, 4 known pages became aliases without a request."]
    assert outcome(never) == outcome(always)
    never.assert_sound()
    off = settings_of(records=[KEYLESS], normalise={"canonical": False})
    for crawl in (always, never):
        crawl.change(off)
        assert run_on(crawl) == []
        aliases_, _, useful, records, count, conflicts = outcome(crawl)
        assert (aliases_, useful, records, count, conflicts) == ([], plain[2] + 1, plain[3], plain[4], [])
        crawl.assert_sound()
        crawl.change(settings_of(records=[KEYLESS]))
        assert run_on(crawl) == []
    assert outcome(never) == outcome(always)


def test_switched_on_while_nothing_ran_they_count_after_apply(tmp_path: Path) -> None:
    crawl = family(tmp_path / "a.crawl", believed=False)
    run_on(crawl)
    crawl.finish()
    write_settings(crawl.path, settings_of(records=[KEYLESS]), crawl.at)
    writer = Writer(crawl.path)
    writer.apply(crawl.now, crawl.at)
    writer.close()
    assert crawl.ask(ALIASES)[:2] == [("/a", "/b"), ("/c", "/b")]
    crawl.assert_sound()


def test_killed_while_stored_canonicals_are_looked_at_again_the_outcome_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_look, "PIECE", 2)
    whole = family(tmp_path / "whole.crawl", believed=False)
    run_on(whole)
    whole.change(settings_of(records=[KEYLESS]))
    run_on(whole)
    expected = outcome(whole)
    for number in range(0, 150, 6):
        crawl = family(tmp_path / f"{number}.crawl", believed=False)
        run_on(crawl)
        crawl.change(settings_of(records=[KEYLESS]))
        with suppress(Killed):
            crawl.writer._connection.exec_trace = Death(number)
            run_on(crawl)
        crawl.reopen()
        crawl.assert_sound()
        run_on(crawl)
        assert outcome(crawl) == expected
        crawl.assert_sound()
        crawl.kill()


WORDS = st.sampled_from(["plain", "missing", "redirect", "/a", "/b", "/c", "/d"])


@settings(max_examples=25, deadline=None)
@given(said=st.fixed_dictionaries(dict.fromkeys(("/a", "/b", "/c", "/d"), WORDS)), numbers=st.permutations(range(4)))
def test_outcome_with_missing_and_redirecting_pages_hangs_on_no_order(said: dict[str, str], numbers: list[int]) -> None:
    outcomes = []
    for order in (range(4), numbers):
        with tempfile.TemporaryDirectory() as folder:
            crawl, works = started(Path(folder) / "a.crawl", *said, records=[KEYLESS])
            for path in (list(said)[number] for number in order):
                in_turn(crawl, [answer_to(crawl, works[path], said[path])])
            run_on(crawl)
            crawl.assert_sound()
            outcomes.append((crawl.ask(ALIASES), crawl.counter("useful"), crawl.ask(RECORDS)))
            crawl.kill()
    assert outcomes[0] == outcomes[1]


def answer_to(crawl: SmallCrawl, work: Work, said: str) -> PageResult:
    path = work.url.target
    if said == "missing":
        return crawl.failure(work)
    if said == "redirect":
        return crawl.redirect(work, "/")
    named = path if said == "plain" else said
    return naming(crawl, work, named, by_url(path, f'{{"sku":"{path}"}}'))


@pytest.mark.parametrize("first", ["/p/", "/p"])
def test_alias_of_its_own_spelling_under_other_rules_is_a_page_and_an_alias_again_when_they_are_taken_back(
    tmp_path: Path, first: str
) -> None:
    other = {"/p/": "/p", "/p": "/p/"}[first]
    crawl, works = started(tmp_path / "a.crawl", first, other, records=[KEYLESS])
    data = f'{{"sku":"{first}"}}'
    in_turn(crawl, [naming(crawl, works[first], other, by_url(first, data)), crawl.page(works[other])])
    before = outcome(crawl)
    assert before[0] == [(first, other)]
    for rules, expected in (({"trailing_slash": True}, []), ({}, [(first, other)])):
        crawl.finish()
        wishes = Wishes(crawl.path)
        wishes.set_settings(settings_of(records=[KEYLESS], normalise=rules))
        wishes.close()
        writer = Writer(crawl.path)
        writer.apply(crawl.now, crawl.at)
        writer.close()
        assert crawl.ask(ALIASES.replace("ORDER", "WHERE a.same_as IS NULL ORDER")) == expected
        assert crawl.counter("records") == 1
        crawl.open()
        crawl.assert_sound()
    assert outcome(crawl) == before
