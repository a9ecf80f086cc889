"""A crawl file is whole or not there, told by its bytes, and never changed in doubt (GUI-12)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest

from core.errors import (
    BadInput,
    CorruptFile,
    FileError,
    FileExists,
    FileMissing,
    ForeignFile,
    NewerFile,
    NotACrawl,
    ReadOnlyFile,
)
from core.settings import CrawlSettings
from core.store import crawl_file
from core.store.crawl_file import backup, connect, create, inspect, open_writer, schema_fingerprint
from core.store.names import SCHEMA_FINGERPRINT
from core.store.read.audit import audit
from core.store.write.writer import Writer
from tests.small_crawl import SmallCrawl, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def made(path: Path) -> Path:
    create(path, settings_of())
    return path


def changed(path: Path, *statements: str) -> Path:
    """The file, after another program wrote to it."""
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
    connection.close()
    return path


def beside(path: Path) -> list[str]:
    return sorted(found.name for found in path.parent.iterdir())


def test_schema_is_the_one_the_models_make(tmp_path: Path) -> None:
    connection = apsw.Connection(str(made(tmp_path / "a.crawl")))
    assert schema_fingerprint(connection) == SCHEMA_FINGERPRINT
    connection.close()


def test_new_file_stands_alone_and_is_never_written_over(tmp_path: Path) -> None:
    path = made(tmp_path / "a.crawl")
    before = path.read_bytes()
    with pytest.raises(FileExists):
        create(path, settings_of(name="other"))
    assert path.read_bytes() == before
    assert beside(path) == ["a.crawl"]


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_mode_of_a_new_file_and_of_a_copy_follows_the_umask(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        path = made(tmp_path / "a.crawl")
        backup(path, tmp_path / "b.crawl")
    finally:
        os.umask(before)
    assert [file.stat().st_mode & 0o777 for file in (path, tmp_path / "b.crawl")] == [mode, mode]


def test_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match="nowhere"):
        create(tmp_path / "nowhere" / "a.crawl", settings_of())


def test_side_files_of_an_older_file_are_not_replayed(tmp_path: Path) -> None:  # SQL-02
    old = SmallCrawl(tmp_path / "a.crawl")
    (root,) = old.turn().work
    old.turn(old.page(root, "/old"))
    for side in ("-wal", "-shm"):
        shutil.copy(f"{old.path}{side}", tmp_path / f"kept{side}")
    old.kill()
    old.path.unlink()
    for side in ("-wal", "-shm"):
        shutil.copy(tmp_path / f"kept{side}", f"{old.path}{side}")
    made(old.path)
    connection = apsw.Connection(str(old.path))
    assert connection.execute("SELECT count(*) FROM url").fetchall() == [(0,)]
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from core.store import aside, crawl_file
from tests.small_crawl import settings_of
module = crawl_file if sys.argv[2] == "fill" else aside
setattr(module, sys.argv[2], lambda *_: os.kill(os.getpid(), signal.SIGKILL))
crawl_file.create(Path(sys.argv[1]), settings_of())
"""


@pytest.mark.parametrize("step", ["fill", "_sync", "_remove_side_files", "_publish"])
def test_killed_new_leaves_nothing_under_the_name(tmp_path: Path, step: str) -> None:
    path = tmp_path / "a.crawl"
    child = subprocess.run([sys.executable, "-c", KILLED, str(path), step], check=False)
    assert child.returncode == -signal.SIGKILL
    assert not path.exists()
    made(path)


def test_closed_crawl_is_one_file(tmp_path: Path) -> None:  # SQL-01
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": ["/a"]})
    assert len(beside(crawl.path)) > 1
    crawl.finish()
    assert beside(crawl.path) == ["a.crawl"]
    copy = shutil.copy(crawl.path, tmp_path / "sent.crawl")
    assert apsw.Connection(str(copy)).execute("SELECT count(*) FROM url").fetchall() == [(2,)]


def test_copy_made_while_the_engine_writes_is_sound(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    crawl.turn(crawl.page(root, *(f"/{number}" for number in range(300))))
    shares: list[float] = []

    def write_meanwhile(share: float) -> None:
        shares.append(share)
        crawl.turn()

    backup(crawl.path, tmp_path / "b.crawl", write_meanwhile)
    assert shares[-1] == 1.0
    certificate = audit(tmp_path / "b.crawl")
    assert certificate.ok, certificate
    with pytest.raises(FileExists):
        backup(crawl.path, tmp_path / "b.crawl")
    crawl.path = tmp_path / "b.crawl"
    crawl.reopen()
    assert len(crawl.crawl({})) == 300


@pytest.mark.parametrize(
    ("statements", "error"),
    [
        (("CREATE TABLE other(x)",), ForeignFile),
        (("CREATE VIEW seen AS SELECT 1",), ForeignFile),
        (("CREATE TRIGGER t AFTER INSERT ON url BEGIN DELETE FROM page; END",), ForeignFile),
        (("CREATE INDEX extra ON url(path)",), ForeignFile),
        (("DROP TABLE wish",), ForeignFile),
        (("ALTER TABLE url ADD COLUMN other AS (1)",), ForeignFile),
        (("CREATE VIRTUAL TABLE words USING fts5(x)",), ForeignFile),
        (("PRAGMA user_version = 0",), ForeignFile),
        (("PRAGMA user_version = 99", "DROP TABLE wish"), NewerFile),
        (("PRAGMA application_id = 7",), NotACrawl),
    ],
)
def test_foreign_or_newer_file_is_refused_and_not_changed(
    tmp_path: Path, statements: tuple[str, ...], error: type[FileError]
) -> None:
    path = changed(made(tmp_path / "a.crawl"), *statements)
    before = path.read_bytes()
    for open_it in (connect, open_writer, Writer):
        with pytest.raises(error):
            open_it(path)
    assert path.read_bytes() == before


def text_file(path: Path) -> None:
    path.write_text("no crawl", encoding="utf-8")


def empty_file(path: Path) -> None:
    path.touch()


def other_database(path: Path) -> None:
    changed(path, "CREATE TABLE t(x)")


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("make", [text_file, empty_file, other_database, folder])
def test_what_is_no_crawl_is_told_without_opening_it(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "a.crawl"
    make(path)
    with pytest.raises(NotACrawl):
        inspect(path)
    with pytest.raises(NotACrawl):
        connect(path)
    assert beside(path) == ["a.crawl"]


@pytest.mark.parametrize("name", ["l" * 240, "l" * 300, "d" * 200 + "/" + "d" * 200 + "/" + "f" * 100, "\udcff.crawl"])
def test_a_name_that_no_crawl_can_have_is_refused_before_anything_is_made(tmp_path: Path, name: str) -> None:
    for use in (inspect, lambda path: create(path, CrawlSettings())):
        with pytest.raises(BadInput):
            use(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=r"a\.crawl"):
        inspect(tmp_path / "a.crawl")


def test_truncated_file_is_damaged(tmp_path: Path) -> None:
    path = made(tmp_path / "a.crawl")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(CorruptFile):
        inspect(path)


def test_damage_that_an_engine_meets_as_it_starts_is_told(tmp_path: Path) -> None:
    path = made(tmp_path / "a.crawl")
    content = bytearray(path.read_bytes())
    page = int.from_bytes(content[16:18], "big")
    with closing(apsw.Connection(str(path))) as connection:
        found = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'meta'").fetchone()
    assert found is not None
    assert isinstance(found[0], int)
    content[(found[0] - 1) * page : found[0] * page] = b"\xff" * page
    path.write_bytes(content)
    with pytest.raises(CorruptFile):
        Writer(path)


def test_damaged_pages_are_found_by_the_audit(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": [f"/{'x' * 50}{number}" for number in range(500)]})
    crawl.finish()
    content = bytearray(crawl.path.read_bytes())
    root = apsw.Connection(str(crawl.path)).execute("SELECT rootpage FROM sqlite_schema WHERE name = 'url'").fetchone()
    assert root is not None
    page = int.from_bytes(content[16:18], "big")
    start = (root[0] - 1) * page
    content[start + 8 : start + page] = b"\xff" * (page - 8)
    crawl.path.write_bytes(content)
    try:
        certificate = audit(crawl.path)
    except CorruptFile:
        return
    assert not certificate.ok


def test_file_that_cannot_be_written_is_read_and_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": ["/a"]})
    crawl.finish()
    monkeypatch.setattr(os, "access", lambda *_: False)  # a mode does not bind root
    with pytest.raises(ReadOnlyFile):
        Writer(crawl.path)
    database = connect(crawl.path)
    assert database.execute_sql("SELECT count(*) FROM url").fetchone() == (2,)
    database.close()
    assert beside(crawl.path) == ["a.crawl"]


def test_a_file_that_was_not_closed_is_not_read_where_nothing_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": ["/a"]})
    monkeypatch.setattr(os, "access", lambda *_: False)

    def refuse(*_: object, **__: object) -> None:  # as SQLite does in such a folder
        raise apsw.CantOpenError("unable to open database file")

    monkeypatch.setattr("core.store.crawl_file.harden", refuse)
    with pytest.raises(ReadOnlyFile, match="not closed in order") as caught:
        connect(crawl.path)
    assert "-wal" in caught.value.advice


def test_the_writer_waits_out_a_lock_of_half_a_minute(tmp_path: Path) -> None:
    connection = open_writer(made(tmp_path / "a.crawl"))
    assert connection.execute("PRAGMA busy_timeout").fetchall() > [(30_000,)]
    connection.close()


def test_reader_may_not_write(tmp_path: Path) -> None:
    database = connect(made(tmp_path / "a.crawl"))
    with pytest.raises(Exception, match="readonly"):
        database.execute_sql("DELETE FROM url")
    database.close()


def test_file_says_by_which_version_of_the_rules_its_urls_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl_file, "RULES_VERSION", 7)
    database = connect(made(tmp_path / "a.crawl"))
    assert database.execute_sql("SELECT value FROM meta WHERE name = 'rules_version'").fetchone() == ("7",)
    database.close()
