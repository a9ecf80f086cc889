"""WARC: every kept response comes out whole, by the letter of ISO 28500, and for the readers that archives use."""

from __future__ import annotations

import gzip
import hashlib
import json
from base64 import b32encode
from typing import TYPE_CHECKING, Any

import pytest

from core.cli import main
from core.engine.page import kept_response
from core.fetch.response import Fetched
from core.store.responses import responses_path
from tests.small_crawl import SITE, SmallCrawl

if TYPE_CHECKING:
    from pathlib import Path

HEADERS = (("Content-Type", "text/html; charset=utf-8"), ("Content-Encoding", "gzip"), ("X-Odd", "a\r\nInjected: b"))
BODIES = {f"/{number}": f"<html>Größe {number}\r\n\r\nWARC/1.1\r\n</html>".encode() for number in range(5)}


def crawl_at(path: Path) -> SmallCrawl:
    """A crawl with a kept response for each page, one of them a 304 since."""
    crawl = SmallCrawl(path)
    turn = crawl.turn()
    while turn.work:
        results = []
        for work in turn.work:
            body = BODIES.get(work.url.target, b"")
            kept = kept_response(Fetched("ok", 200, body=body, headers=HEADERS)) if body else None
            results.append(crawl.page(work, *BODIES, response=kept, body=work.url.target, answer={"etag": '"e"'}))
        turn = crawl.turn(*results)
    crawl.finish()
    return crawl


def records(content: bytes) -> list[tuple[dict[str, str], bytes]]:
    """A strict reader: version, named fields, a block of the length that is told, two line ends."""
    found = []
    while content:
        head, _, rest = content.partition(b"\r\n\r\n")
        version, *lines = head.decode().split("\r\n")
        assert version == "WARC/1.1"
        fields = dict(line.split(": ", 1) for line in lines)
        length = int(fields["Content-Length"])
        block, end = rest[:length], rest[length : length + 4]
        assert end == b"\r\n\r\n"
        assert fields["WARC-Block-Digest"] == f"sha1:{b32encode(hashlib.sha1(block).digest()).decode()}"  # noqa: S324
        found.append((fields, block))
        content = rest[length + 4 :]
    return found


def exported(crawl: SmallCrawl, to: Path, *options: str) -> bytes:
    name = "warc.gz" if to.suffix == ".gz" else "warc"
    given = ["export", str(crawl.path), "--table", "responses", "--format", name, "--output", str(to), *options]
    assert main(given) == 0
    return to.read_bytes()


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_every_kept_response_is_a_record_with_its_body(tmp_path: Path, name: str) -> None:
    crawl = crawl_at(tmp_path / "a.crawl")
    content = exported(crawl, tmp_path / name)
    (info, _), *found = records(gzip.decompress(content) if name.endswith("gz") else content)
    assert info["WARC-Type"] == "warcinfo"
    assert {
        fields["WARC-Target-URI"].removeprefix(SITE): block.partition(b"\r\n\r\n")[2] for fields, block in found
    } == (BODIES)
    for fields, block in found:
        assert fields["WARC-Type"] == "response"
        assert fields["WARC-Date"].endswith("Z")
        status, *lines = block.partition(b"\r\n\r\n")[0].decode().split("\r\n")
        assert status == "HTTP/1.1 200 OK"
        assert not any(line.startswith(("Content-Encoding", "Injected")) for line in lines)
    assert len({fields["WARC-Record-ID"] for fields, _ in found}) == len(BODIES)


def test_a_page_that_answers_304_has_the_answer_that_brought_its_body(tmp_path: Path) -> None:
    crawl = crawl_at(tmp_path / "a.crawl")
    before = records(exported(crawl, tmp_path / "a.warc"))
    crawl.now += 100_000.0
    crawl.open(recrawl="all")
    turn = crawl.turn()
    while turn.work:
        turn = crawl.turn(*(crawl.not_modified(work) for work in turn.work))
    crawl.finish()
    assert records(exported(crawl, tmp_path / "b.warc"))[1:] == before[1:]


def test_a_filter_counts_and_what_is_kept_no_more_is_left_out(tmp_path: Path) -> None:
    crawl = crawl_at(tmp_path / "a.crawl")
    assert len(records(exported(crawl, tmp_path / "a.warc", "--where", "url contains /3"))) == 2
    responses_path(crawl.path).unlink()
    assert [fields["WARC-Type"] for fields, _ in records(exported(crawl, tmp_path / "b.warc"))] == ["warcinfo"]


def test_other_tables_are_no_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = crawl_at(tmp_path / "a.crawl")
    to = tmp_path / "a.warc"
    assert main(["export", str(crawl.path), "--table", "urls", "--format", "warc", "--output", str(to)]) == 2
    assert "responses" in capsys.readouterr().err
    assert not to.exists()


def test_responses_are_a_table_as_well(tmp_path: Path) -> None:
    crawl = crawl_at(tmp_path / "a.crawl")
    to = tmp_path / "a.jsonl"
    assert main(["export", str(crawl.path), "--table", "responses", "--format", "jsonl", "--output", str(to)]) == 0
    found: list[dict[str, Any]] = [json.loads(line) for line in to.read_text(encoding="utf-8").splitlines()]
    assert {row["url"].removeprefix(SITE) for row in found} == BODIES.keys()
    assert {row["status"] for row in found} == {200}


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_warcio_reads_it_back_whole(tmp_path: Path, name: str) -> None:
    warcio = pytest.importorskip("warcio.archiveiterator")
    crawl = crawl_at(tmp_path / "a.crawl")
    exported(crawl, tmp_path / name)
    found = {}
    with (tmp_path / name).open("rb") as file:
        for record in warcio.ArchiveIterator(file, check_digests="raise"):
            body = record.content_stream().read()
            if record.rec_type == "response":
                found[record.rec_headers.get_header("WARC-Target-URI").removeprefix(SITE)] = body
    assert found == BODIES
