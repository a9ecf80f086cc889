"""A file of any earlier form opens for ever: migrated on a copy, the original kept, nothing lost at any kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from core.errors import CorruptFile, DiskFull, EngineHeld, FileExists, FileLocked, ForeignFile, NewerFile, OlderFile
from core.store import crawl_file
from core.store.crawl_file import connect, create, inspect, open_writer, schema_fingerprint
from core.store.lock import EngineLock
from core.store.migrations import FIRST_FORM, MIGRATIONS, fingerprint_of
from core.store.migrations.migration import Migration
from core.store.migrations.rebuild import rebuild
from core.store.migrations.upgrade import bring_up_to_date
from core.store.names import SCHEMA_FINGERPRINT, SCHEMA_VERSION
from core.store.query import rows, value
from core.store.read.audit import audit
from core.store.write.writer import Writer
from tests.small_crawl import NOON, settings_of

FIRST = Path(__file__).with_name("first_form.sql")


def first_form(path: Path) -> Path:
    """A file as the first release left it."""
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(FIRST.read_text(encoding="utf-8"))
        connection.execute("PRAGMA journal_mode=WAL")
    return path


def ask(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(apsw.Connection(str(path))) as connection:
        return rows(connection, sql)


def beside(path: Path) -> list[str]:
    return sorted(found.name for found in path.parent.iterdir())


def test_the_numbers_and_the_fingerprint_fit_the_migrations() -> None:
    assert [migration.to for migration in MIGRATIONS] == list(range(2, SCHEMA_VERSION + 1))
    assert fingerprint_of(SCHEMA_VERSION) == SCHEMA_FINGERPRINT


def test_the_first_form_is_still_what_was_released(tmp_path: Path) -> None:
    with closing(apsw.Connection(str(first_form(tmp_path / "a.crawl")))) as connection:
        assert schema_fingerprint(connection) == FIRST_FORM


def test_a_file_of_the_first_form_becomes_as_a_new_one_with_all_its_rows(tmp_path: Path) -> None:
    path = first_form(tmp_path / "a.crawl")
    urls = ask(path, "SELECT id, path, state FROM url")

    kept = bring_up_to_date(path)

    assert kept is not None
    assert beside(path) == [f"a.before-v{SCHEMA_VERSION}.crawl", "a.crawl"]
    assert inspect(path).version == SCHEMA_VERSION
    assert ask(path, "SELECT id, path, state FROM url") == urls == ask(kept, "SELECT id, path, state FROM url")
    create(tmp_path / "new.crawl", settings_of())
    form = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name"
    assert ask(path, form) == ask(tmp_path / "new.crawl", form)
    assert audit(path).ok
    assert inspect(kept).version == 1
    assert bring_up_to_date(path) is None


def test_a_migrated_crawl_goes_on(tmp_path: Path) -> None:
    path = first_form(tmp_path / "a.crawl")
    bring_up_to_date(path)
    writer = Writer(path)
    writer.begin(1, 1000.0, NOON + 5000.0, recrawl="all")
    assert writer.cycle((), 1000.0, NOON + 5000.0, granting=True).work
    writer.close()


def test_an_older_file_is_named_with_the_way_and_not_changed(tmp_path: Path) -> None:
    path = first_form(tmp_path / "a.crawl")
    before = path.read_bytes()
    for use in (connect, open_writer, lambda file: connect(file, query_only=False)):
        with pytest.raises(OlderFile, match="fronteira migrate"):
            use(path)
    assert path.read_bytes() == before
    assert beside(path) == ["a.crawl"]


# -- a form that only tests know ------------------------------------------------------------------------------------


def more(connection: apsw.Connection) -> None:
    connection.execute('ALTER TABLE "wish" ADD COLUMN "by" TEXT')


def next_form(run: object = more, recounted: frozenset[str] = frozenset()) -> tuple[Migration, ...]:
    """The migrations with one more; its fingerprint is found by running it once."""
    assert callable(run)
    with closing(apsw.Connection(":memory:")) as connection:
        connection.execute("PRAGMA legacy_alter_table=ON")
        connection.execute(FIRST.read_text(encoding="utf-8"))
        for migration in MIGRATIONS:
            migration.run(connection)
        run(connection)
        print_ = schema_fingerprint(connection)
    return (*MIGRATIONS, Migration(SCHEMA_VERSION + 1, "A test.", run, print_, recounted))


def test_all_steps_are_taken_in_their_order(tmp_path: Path) -> None:
    path = first_form(tmp_path / "a.crawl")
    kept = bring_up_to_date(path, migrations=next_form())
    assert kept == tmp_path / f"a.before-v{SCHEMA_VERSION + 1}.crawl"
    assert inspect(path).version == SCHEMA_VERSION + 1
    assert ask(path, "SELECT count(by) FROM wish") == [(0,)]


def test_a_file_of_a_later_form_is_read_and_never_written(tmp_path: Path) -> None:
    path = first_form(tmp_path / "a.crawl")
    bring_up_to_date(path, migrations=next_form())
    before = path.read_bytes()
    with pytest.raises(NewerFile, match="Update Fronteira"):
        open_writer(path)
    with pytest.raises(NewerFile):
        connect(path, query_only=False)
    database = connect(path)
    assert value(database.connection(), "SELECT count(*) FROM url") == 7
    with pytest.raises(apsw.ReadOnlyError):
        database.connection().execute("DELETE FROM url")
    database.close()
    assert bring_up_to_date(path) is None
    assert path.read_bytes() == before
    assert "a.crawl-wal" not in beside(path)


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE page",
        "ALTER TABLE url RENAME COLUMN path TO way",
        "CREATE VIEW seen AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON url BEGIN DELETE FROM page; END",
        "ALTER TABLE url ADD COLUMN other AS (1)",
        "CREATE VIRTUAL TABLE words USING fts5(x)",
    ],
)
def test_a_later_form_whose_tables_do_not_suffice_is_not_read(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "a.crawl"
    create(path, settings_of())
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(statement)
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    with pytest.raises(NewerFile):
        connect(path)


def test_a_table_is_rebuilt_with_the_text_of_a_new_file(tmp_path: Path) -> None:
    create(tmp_path / "new.crawl", settings_of())
    of_seed = "SELECT sql FROM sqlite_schema WHERE tbl_name = 'seed' AND sql IS NOT NULL ORDER BY rowid"
    texts = tuple(str(text) for (text,) in ask(tmp_path / "new.crawl", of_seed))

    def again(connection: apsw.Connection) -> None:
        rebuild(
            connection,
            "seed",
            texts,
            *("id, text, url_id, problem, at, tenant", "id, upper(text), url_id, problem, at, tenant"),
        )

    path = first_form(tmp_path / "a.crawl")
    bring_up_to_date(path, migrations=next_form(again))
    assert ask(path, "SELECT text FROM seed ORDER BY text LIMIT 1") == [("HTTP://SHOP.TEST/",)]
    with closing(apsw.Connection(str(path))) as connection:
        assert schema_fingerprint(connection) == SCHEMA_FINGERPRINT


def test_a_migration_that_loses_rows_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = first_form(tmp_path / "a.crawl")

    def lossy(connection: apsw.Connection) -> None:
        connection.execute("DELETE FROM link")

    with pytest.raises(RuntimeError, match="number of rows in link"):
        bring_up_to_date(path, migrations=next_form(lossy))
    assert inspect(path).version == 1
    assert ask(path, "SELECT count(*) FROM link") == [(14,)]
    assert beside(path) == ["a.crawl"]
    bring_up_to_date(path, migrations=next_form(lossy, frozenset({"link"})))
    assert ask(path, "SELECT count(*) FROM link") == [(0,)]


# -- what stands in the way -----------------------------------------------------------------------------------------


def test_a_file_in_use_is_left_alone(tmp_path: Path) -> None:
    path = first_form(tmp_path / "a.crawl")
    lock = EngineLock.acquire(path)
    with pytest.raises(EngineHeld):
        bring_up_to_date(path)
    lock.release()


def test_a_file_that_another_program_has_open_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = first_form(tmp_path / "a.crawl")
    monkeypatch.setattr("core.store.migrations.upgrade.BUSY_MILLISECONDS", 10)
    other = apsw.Connection(str(path))
    other.execute("SELECT count(*) FROM url").fetchall()
    with pytest.raises(FileLocked):
        bring_up_to_date(path)
    other.close()
    assert inspect(path).version == 1
    assert bring_up_to_date(path) is not None


def test_an_older_file_that_was_changed_is_not_migrated(tmp_path: Path) -> None:
    path = first_form(tmp_path / "a.crawl")
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("CREATE TRIGGER t AFTER INSERT ON url BEGIN DELETE FROM page; END")
    with pytest.raises(ForeignFile):
        bring_up_to_date(path)
    assert beside(path) == ["a.crawl"]


def test_a_damaged_file_is_not_migrated(tmp_path: Path) -> None:
    path = first_form(tmp_path / "a.crawl")
    ((root,),) = ask(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'link'")
    assert isinstance(root, int)
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096 : (root - 1) * 4096 + 100] = b"\xff" * 100
    path.write_bytes(content)
    with pytest.raises(CorruptFile, match="salvage"):
        bring_up_to_date(path)
    assert beside(path) == ["a.crawl"]


def test_no_room_for_the_copy_is_told_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = first_form(tmp_path / "a.crawl")
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    with pytest.raises(DiskFull):
        bring_up_to_date(path)
    assert beside(path) == ["a.crawl"]


def test_the_name_of_the_original_is_never_taken_from_another_file(tmp_path: Path) -> None:
    path = first_form(tmp_path / "a.crawl")
    other = tmp_path / f"a.before-v{SCHEMA_VERSION}.crawl"
    other.write_bytes(b"mine")
    with pytest.raises(FileExists, match=f"before-v{SCHEMA_VERSION}"):
        bring_up_to_date(path)
    assert other.read_bytes() == b"mine"


KILLED = """
import os, signal, sys
from pathlib import Path
from core.store import aside
from core.store.migrations import upgrade
module = {"aside": aside, "upgrade": upgrade}[sys.argv[2]]
before = getattr(module, sys.argv[3])
def dies(*given):
    if sys.argv[4] == "after":
        before(*given)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(module, sys.argv[3], dies)
upgrade.bring_up_to_date(Path(sys.argv[1]))
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX")
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(
    ("module", "step"),
    [("upgrade", "_copy"), ("upgrade", "_migrate"), ("upgrade", "_keep"), ("aside", "_sync")],
)
def test_a_killed_migration_begins_again(tmp_path: Path, module: str, step: str, when: str) -> None:
    path = first_form(tmp_path / "a.crawl")
    child = subprocess.run([sys.executable, "-c", KILLED, str(path), module, step, when], check=False)
    assert child.returncode == -signal.SIGKILL
    assert inspect(path).version == 1
    assert bring_up_to_date(path) is not None
    assert audit(path).ok
    assert len(ask(path, "SELECT id FROM url")) == 7
    assert path.stat().st_nlink == 1


def test_the_progress_of_a_copy_is_told(tmp_path: Path) -> None:
    shares: list[float] = []
    bring_up_to_date(first_form(tmp_path / "a.crawl"), shares.append)
    assert shares[-1] == 1.0


def test_a_file_system_without_hard_links_keeps_the_original_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = first_form(tmp_path / "a.crawl")

    def none(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    kept = bring_up_to_date(path)
    assert kept is not None
    assert (inspect(kept).version, inspect(path).version) == (1, SCHEMA_VERSION)
    assert crawl_file.inspect(kept).bytes > 0


def test_a_seed_is_its_tenant_s_and_one_that_was_refused_is_of_the_settings_of_its_time(tmp_path: Path) -> None:
    path = first_form(tmp_path / "a.crawl")
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("UPDATE host SET tenant = 'theirs'")
        sql = "INSERT INTO setting(version, at, json) VALUES (98, 9e9, '{\"tenant\":\"late\"}'), (99, 9.5e9, '{}')"
        connection.execute(sql)
        connection.execute("INSERT INTO seed(text, at) VALUES ('http://refused.test/', 9.2e9)")
    bring_up_to_date(path)
    found = ask(path, "SELECT DISTINCT tenant FROM seed WHERE url_id IS NOT NULL OR text = 'http://refused.test/'")
    assert sorted(found) == [("late",), ("theirs",)]
