"""The sample of stored answers that advice is drawn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.advice import advise
from core.settings import Normalise
from core.store.read.evidence import Sample, read_evidence
from tests.small_crawl import SITE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.store.results import PageResult, Work


def said(path: Path) -> dict[str, bytes | str | None]:
    found = read_evidence(path)
    return {answer.url.target: "missing" if answer.missing else answer.leads_to or answer.content for answer in found}


def test_a_crawl_is_read_without_a_change_and_gives_its_advice(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of())
    (root,) = crawl.turn().work
    links = [f"/p{number}{slash}" for number in range(12) for slash in ("", "/")]
    works = crawl.turn(crawl.page(root, *links)).work
    for _ in range(3):
        works = crawl.turn(*(crawl.page(work, body=work.url.path.rstrip("/")) for work in works)).work
    crawl.finish()
    before = crawl.ask("SELECT * FROM url")
    (advice,) = advise(read_evidence(crawl.path), Normalise())
    assert (advice.setting, advice.compared, advice.same) == ("trailing_slash = true", 12, 12)
    assert crawl.ask("SELECT * FROM url") == before


def test_what_says_nothing_of_a_page_is_left_out(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    works = crawl.turn(crawl.page(root, "/a", "/a/", "/A", "/a?x=1", "/a?x=2", "/alone")).work
    answers: dict[str, Callable[[Work, str], PageResult]] = {
        "/a": crawl.redirect,
        "/a/": lambda work, _to: crawl.page(work, body="a"),
        "/A": lambda work, _to: crawl.failure(work, 404),
        "/a?x=1": lambda work, _to: crawl.failure(work, 503),
        "/a?x=2": lambda work, _to: crawl.failure(work, None),
        "/alone": lambda work, _to: crawl.page(work),
    }
    crawl.turn(*(answers[work.url.target](work, f"{SITE}/a/") for work in works))
    found = said(crawl.path)
    assert found.keys() == {"/a", "/a/", "/A"}
    assert (found["/a"], found["/A"]) == (f"{SITE}/a/", "missing")
    assert isinstance(found["/a/"], bytes)


def test_a_sample_is_bounded_and_keeps_the_spellings_of_a_page_together() -> None:
    sample = Sample(100)
    for number in range(1000):
        for spelling in (f"/p{number}", f"/P{number}/", f"/p{number}?x=1"):
            sample.add(SITE + spelling, 200, b"body", "")
    found = [answer.url.path.lower().rstrip("/") for answer in sample.answers()]
    assert 10 < len(found) <= 100
    assert all(found.count(page) == 3 for page in found)


def test_a_read_that_is_not_wanted_any_more_ends_with_what_it_has(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.finish()
    assert read_evidence(crawl.path, wanted=lambda: False) == ()
