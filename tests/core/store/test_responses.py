"""Kept responses: each body once, a cap that takes what is superseded first, and nothing that nobody refers to."""

from __future__ import annotations

import random
from contextlib import closing
from typing import TYPE_CHECKING

import apsw
from hypothesis import given
from hypothesis import strategies as st

from core.engine.page import kept_response
from core.fetch.response import Fetched
from core.settings import Budgets
from core.store.query import value
from core.store.responses import TABLE, Answered, Responses, responses_path
from tests.small_crawl import SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from core.store.results import Response

SIZE = 1000


def response(number: int, date: str = "") -> Response:
    """A response whose body cannot be compressed; the same number is the same body."""
    body = random.Random(number).randbytes(SIZE)
    return kept_response(Fetched("ok", 200, body=body, headers=(("Date", date),)))


def keep(responses: Responses, number: int, url: int, at: float) -> bytes:
    made = response(number, str(at))
    responses.keep([made], [Answered(url, at, made.hash)])
    return made.hash


def counted(path: Path, table: str) -> int:
    with closing(apsw.Connection(str(responses_path(path)))) as connection:
        number: int = value(connection, f"SELECT count(*) FROM {table}")  # noqa: S608 # a name of this file's own
        return number


def test_a_body_is_stored_once_whatever_its_headers_say(tmp_path: Path) -> None:
    responses = Responses(tmp_path / "a.crawl")
    names = [keep(responses, 7, url, at) for url, at in ((1, 1.0), (1, 2.0), (2, 3.0))]
    bodies = {found.body for name in names if (found := responses.read(name))}
    responses.close()
    assert len(set(names)) == 3
    assert len(bodies) == 1
    assert counted(tmp_path / "a.crawl", "body") == 1


def test_under_a_cap_superseded_answers_go_first_then_the_oldest(tmp_path: Path) -> None:
    responses = Responses(tmp_path / "a.crawl")
    old = keep(responses, 1, 1, 1.0)
    other = keep(responses, 2, 2, 2.0)
    superseded = keep(responses, 3, 3, 3.0)
    newest = keep(responses, 4, 3, 4.0)
    order = [superseded, old, other, newest]
    gone: list[bytes] = []
    while responses.size():
        responses.most = responses.size() - 1
        responses.keep([])
        gone += [name for name in order if name not in gone and not responses.keeps(name)]
    assert gone == order
    assert responses.read(old) is None
    responses.close()


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=25), st.integers(1, 6))
def test_a_cap_holds_and_what_is_kept_is_whole(
    tmp_path_factory: pytest.TempPathFactory, kept: list[tuple[int, int]], most: int
) -> None:
    path = tmp_path_factory.mktemp("kept") / "a.crawl"
    responses = Responses(path, most * (SIZE + 100))
    names = [keep(responses, number, url, float(at)) for at, (number, url) in enumerate(kept)]
    assert responses.size() <= responses.most
    for name in filter(responses.keeps, names):
        found = responses.read(name)
        assert found is not None
        assert len(found.body) > SIZE // 2
    size = responses.size()
    responses.close()
    assert Responses(path).size() == size


def test_what_a_killed_engine_kept_and_did_not_commit_is_swept_at_the_next_start(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    [work] = crawl.turn().work
    known = response(1)
    crawl.turn(crawl.page(work, "/a", response=known))
    lost = response(2)
    crawl.writer._responses.keep([lost], [Answered(work.id, crawl.at, lost.hash)])
    crawl.reopen()
    assert crawl.writer._responses.keeps(known.hash)
    assert not crawl.writer._responses.keeps(lost.hash)
    assert counted(crawl.path, "body") == 1
    crawl.finish()


def test_a_file_of_an_earlier_version_is_read_and_learns_whose_its_responses_are(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    [work] = crawl.turn().work
    known, stray = response(1), response(2)
    crawl.turn(crawl.page(work, response=known))
    crawl.finish()
    for path in tmp_path.glob("a.crawl-responses*"):
        path.unlink()
    with closing(apsw.Connection(str(responses_path(crawl.path)))) as connection:
        connection.execute(TABLE)
        connection.executemany(
            "INSERT INTO response VALUES (?, ?, ?)", [(each.hash, each.head, each.body) for each in (known, stray)]
        )
    crawl.open()
    responses = crawl.writer._responses
    assert responses.read(known.hash) == known
    assert not responses.keeps(stray.hash)
    responses.most = 1
    responses.keep([])
    assert responses.size() == 0
    crawl.finish()


def test_the_cap_of_the_settings_holds_while_a_crawl_goes_on(tmp_path: Path) -> None:
    most = 3 * (SIZE + 100)
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets=Budgets(max_response_bytes=most)))
    turn = crawl.turn()
    made = 0
    while turn.work:
        results = []
        for work in turn.work:
            made += 1
            links = [f"/{number}" for number in range(8)] if work.url.target == "/" else []
            results.append(crawl.page(work, *links, response=response(made)))
        turn = crawl.turn(*results)
    assert made == 9
    assert 0 < crawl.writer._responses.size() <= most
    crawl.finish()
