"""After an unclean end the file is audited once, the result is kept, and each doubtful request is told with its end."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest

from core.cli import main
from core.commands.certify import AuditBeside
from core.store.lock import EngineLock
from core.store.read.certificates import read_unclean_ends
from core.store.read.reader import Reader
from core.store.read.snapshot import Interrupted
from core.store.rescue.certify import certify, is_due
from core.store.rows import KeptCertificate
from tests.small_crawl import NOON, SITE, SmallCrawl

if TYPE_CHECKING:
    from pathlib import Path

LINKS = {"/": ["/a", "/b"]}


def kept(path: Path) -> KeptCertificate | None:
    reader = Reader(path)
    try:
        return reader.status().certificate
    finally:
        reader.close()


def twice_killed(path: Path) -> SmallCrawl:
    crawl = SmallCrawl(path)
    crawl.turn()
    crawl.reopen()
    (root,) = crawl.turn().work
    crawl.turn(crawl.page(root, *LINKS["/"]))
    crawl.kill()
    return crawl


def test_a_file_that_always_ended_in_order_has_no_certificate_and_is_not_written(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl(LINKS)
    crawl.finish()
    before = crawl.path.read_bytes()
    assert not is_due(crawl.path)
    assert certify(crawl.path, NOON).ok
    assert kept(crawl.path) is None
    assert crawl.path.read_bytes() == before


def test_an_unclean_end_makes_an_audit_due_and_it_is_kept(tmp_path: Path) -> None:
    crawl = twice_killed(tmp_path / "a.crawl")
    assert kept(crawl.path) == KeptCertificate(due=True)
    assert is_due(crawl.path)
    found = certify(crawl.path, NOON)
    assert kept(crawl.path) == KeptCertificate(NOON, True, found.sentences(), due=False)
    assert not is_due(crawl.path)
    lock = EngineLock.acquire(crawl.path)
    crawl.open()
    crawl.crawl(LINKS)
    assert not is_due(crawl.path)  # the session that was dead already is closed; nothing new has died
    crawl.kill()
    lock.release()
    crawl.open()
    crawl.finish()
    assert kept(crawl.path) == KeptCertificate(NOON, True, found.sentences(), due=True)


def test_requests_are_told_by_the_end_that_may_have_doubled_them(tmp_path: Path) -> None:
    crawl = twice_killed(tmp_path / "a.crawl")
    before = [(end.session, end.outcome, set(end.requests)) for end in read_unclean_ends(crawl.path)]
    assert before == [(1, "crashed", {f"{SITE}/"}), (2, "crashed", {f"{SITE}/a", f"{SITE}/b"})]
    crawl.open()
    crawl.crawl(LINKS)
    crawl.finish()
    assert [(end.session, end.outcome, set(end.requests)) for end in read_unclean_ends(crawl.path)] == before


def test_commands_tell_the_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(twice_killed(tmp_path / "a.crawl").path)
    assert main(["status", path]) == 0
    assert "due after an unclean end" in capsys.readouterr().out
    assert main(["check", path]) == 0
    told = capsys.readouterr().out
    assert "Process 4711 crashed" in told
    assert f"    {SITE}/a\n" in told
    main(["status", path, "--json"])
    status = json.loads(capsys.readouterr().out)
    assert status["certificate"]["ok"] is True
    assert status["certificate"]["due"] is False
    assert status["certificate"]["at"].endswith("Z")
    assert status["unclean_ends"][0]["requests"] == [f"{SITE}/"]
    main(["check", path, "--json"])
    assert len(json.loads(capsys.readouterr().out)["unclean_ends"]) == 2
    main(["status", path])
    assert "all is well" in capsys.readouterr().out


def test_an_audit_that_is_called_off_stays_due(tmp_path: Path) -> None:
    crawl = twice_killed(tmp_path / "a.crawl")
    with closing(apsw.Connection(str(crawl.path))) as connection:
        connection.execute(
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 60000) "
            "INSERT INTO log(at, level, kind, message) SELECT x, 'info', 'page', 'm' FROM c"
        )
    with pytest.raises(Interrupted):
        certify(crawl.path, NOON, lambda: True)
    assert is_due(crawl.path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"session": "x", "sentences": []}', "\x00"])
def test_a_row_that_is_no_certificate_counts_as_none(tmp_path: Path, text: str) -> None:
    crawl = twice_killed(tmp_path / "a.crawl")
    with closing(apsw.Connection(str(crawl.path))) as connection:
        connection.execute("INSERT INTO meta(name, value) VALUES ('certificate', ?)", (text,))
    assert kept(crawl.path) == KeptCertificate(due=True)


def test_the_audit_beside_an_engine_is_done_at_the_end_of_a_short_run(tmp_path: Path) -> None:
    crawl = twice_killed(tmp_path / "a.crawl")
    beside = AuditBeside(crawl.path, after=600.0)
    crawl.open()
    crawl.crawl(LINKS)
    crawl.finish()
    beside.finish()
    assert not is_due(crawl.path)
    found = kept(crawl.path)
    assert found is not None
    assert found.ok


def test_the_audit_beside_an_engine_is_called_off_with_it(tmp_path: Path) -> None:
    crawl = twice_killed(tmp_path / "a.crawl")
    AuditBeside(crawl.path, after=600.0).call_off()
    assert is_due(crawl.path)
    assert not [thread for thread in threading.enumerate() if thread.name == "audit"]
