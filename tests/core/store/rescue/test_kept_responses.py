"""Kept responses are rescued with the crawl: those that are still what their hash says."""

from __future__ import annotations

import random
import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest
import zstandard

from core.engine.page import kept_response
from core.errors import FileExists
from core.fetch.response import Fetched
from core.store.rescue.salvage import salvage
from core.store.responses import Responses, responses_path
from core.store.results import Response
from tests.small_crawl import NOON, SmallCrawl

if TYPE_CHECKING:
    from pathlib import Path

PAGE = 4096


@pytest.fixture
def crawl(tmp_path: Path) -> SmallCrawl:
    made = SmallCrawl(tmp_path / "a.crawl")
    made.crawl({"/": ["/a"]})
    made.finish()
    responses = Responses(made.path)
    responses.keep([kept_response(fetched(random.Random(number).randbytes(3000))) for number in range(60)])
    responses.close()
    return made


def fetched(body: bytes) -> Fetched:
    return Fetched("ok", 200, body=body)


def hashes(path: Path) -> set[object]:
    with closing(apsw.Connection(str(responses_path(path)))) as connection:
        return {name for (name,) in connection.execute("SELECT hash FROM response")}


def damaged(path: Path, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(bytes(PAGE))


def test_whole_responses_are_rescued_whatever_the_file(crawl: SmallCrawl, tmp_path: Path) -> None:
    before = hashes(crawl.path)
    assert salvage(crawl.path, tmp_path / "b.crawl", NOON).responses == 60
    assert hashes(tmp_path / "b.crawl") == before
    damaged(responses_path(crawl.path), 0)
    assert salvage(crawl.path, tmp_path / "c.crawl", NOON).responses == 60
    assert hashes(tmp_path / "c.crawl") == before


def test_a_response_on_a_lost_page_is_the_only_one_that_is_lost(crawl: SmallCrawl, tmp_path: Path) -> None:
    lost = kept_response(fetched(random.Random(7).randbytes(3000)))
    path = responses_path(crawl.path)
    at = path.read_bytes().find(lost.body[-200:])
    assert at > 0
    damaged(path, at // PAGE * PAGE)
    before = hashes(crawl.path)
    found = salvage(crawl.path, tmp_path / "b.crawl", NOON)
    assert found.responses == 59
    assert before - hashes(tmp_path / "b.crawl") == {lost.hash}


def test_a_response_that_is_not_what_its_name_says_is_left(crawl: SmallCrawl, tmp_path: Path) -> None:
    responses = Responses(crawl.path)
    honest = kept_response(fetched(b"honest"))
    responses.keep(
        [
            Response(honest.hash, honest.head, zstandard.compress(b"other")),
            Response(b"1" * 16, b"{}", b"no archive"),
        ]
    )
    responses.close()
    assert salvage(crawl.path, tmp_path / "b.crawl", NOON).responses == 60


def test_a_crawl_that_keeps_none_has_none(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.finish()
    assert salvage(crawl.path, tmp_path / "b.crawl", NOON).responses is None
    assert not responses_path(tmp_path / "b.crawl").exists()


def test_the_responses_of_another_crawl_are_not_taken_for_its_own(crawl: SmallCrawl, tmp_path: Path) -> None:
    shutil.copy(responses_path(crawl.path), responses_path(tmp_path / "b.crawl"))
    with pytest.raises(FileExists):
        salvage(crawl.path, tmp_path / "b.crawl", NOON)
    assert not (tmp_path / "b.crawl").exists()
