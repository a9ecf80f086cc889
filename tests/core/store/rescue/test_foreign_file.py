"""A file whose tables are not ours is never written and runs nothing: its rows are copied, checked, and tamed."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

import apsw
import msgspec
import pytest

from core.cli import main
from core.errors import ForeignFile, NotACrawl
from core.settings import CrawlSettings, decode
from core.store.crawl_file import connect, create, open_writer
from core.store.read.audit import audit
from core.store.rescue.caution import cautious
from core.store.rescue.confirmation import unconfirmed
from core.store.rescue.salvage import salvage
from core.store.wishes import Wishes
from tests.small_crawl import NOON, SITE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

CHANGES = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON url BEGIN DELETE FROM page; END",
    "a view": "CREATE VIEW seen AS SELECT * FROM url",
    "a virtual table": "CREATE VIRTUAL TABLE words USING fts5(x)",
    "a generated column": "ALTER TABLE url ADD COLUMN other AS (abs(id))",
    "an index by an expression": "CREATE INDEX extra ON url(upper(path))",
    "another table": "CREATE TABLE other(x)",
    "another column": "ALTER TABLE page ADD COLUMN note TEXT DEFAULT 'n'",
    "a column less": "ALTER TABLE log DROP COLUMN elapsed",
    "a table less": "DROP TABLE sample",
}
RISKY: dict[str, Any] = {
    "seeds": {
        "urls": [f"{SITE}/", "http://127.0.0.1:8080/admin", "http://router/", "http://nas.local/", "http://[::1]/"],
        "files": ["/etc/passwd"],
        "feeds": [{"url": "http://10.0.0.1/feed", "format": "rss"}, {"url": f"{SITE}/feed", "format": "rss"}],
    },
    "scope": {"hosts": ["192.168.0.1"], "subdomains": True, "exclude": ["/private/"]},
    "politeness": {"robots": False, "delay": 0.0, "per_host": 16, "concurrency": 500},
    "fetch": {
        "user_agent": "Somebody else",
        "headers": [{"origin": SITE, "name": "X-Key", "value": "env:HOME"}],
        "proxy": "http://proxy.example:3128",
        "untrusted_tls": ["shop.test"],
        "resolve": {"shop.test": "10.0.0.1"},
    },
    "notify": {"webhook": "https://hook.example/"},
    "records": [{"name": "product", "match": "/", "fields": {"a": {"regex": "(a+)+$"}}}],
}


def foreign(path: Path, statement: str) -> Path:
    crawl = SmallCrawl(path)
    crawl.crawl({"/": [f"/{number}" for number in range(200)]})
    crawl.finish()
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(statement)
    return path


@pytest.mark.parametrize("change", CHANGES)
def test_a_foreign_file_is_not_opened_and_its_rows_can_be_had(tmp_path: Path, change: str) -> None:
    path = foreign(tmp_path / "a.crawl", CHANGES[change])
    before = path.read_bytes()
    for use in (connect, open_writer):
        with pytest.raises(ForeignFile, match="fronteira salvage"):
            use(path)
    found = salvage(path, tmp_path / "to.crawl", NOON)
    assert path.read_bytes() == before
    assert not found.trusted
    assert found.sound
    with closing(apsw.Connection(str(tmp_path / "to.crawl"))) as connection:
        assert connection.execute("SELECT count(*), count(DISTINCT key) FROM url").fetchall() == [(201, 201)]
        assert connection.execute("SELECT count(*) FROM page").fetchall() == [(201,)]
        assert connection.execute("SELECT count(*) FROM session").fetchall() == [(1,)]  # nothing was started
    open_writer(tmp_path / "to.crawl").close()


def test_cells_of_another_type_do_not_get_in(tmp_path: Path) -> None:
    path = foreign(tmp_path / "a.crawl", "CREATE TABLE other(x)")
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("UPDATE url SET depth = 'deep' WHERE path = '/1'")
        connection.execute("UPDATE url SET state = 99 WHERE path = '/2'")
        connection.execute("UPDATE page SET title = zeroblob(20000000) WHERE url_id = 5")
        connection.execute("UPDATE setting SET json = '{}x'")
    found = salvage(path, tmp_path / "to.crawl", NOON)
    assert found.sound
    assert {table.name: table.bad_rows for table in found.tables if table.bad_rows} == {
        "url": 2,
        "page": 1,
        "setting": 1,
    }


def test_a_text_that_would_run_while_a_table_is_made_is_not_used(tmp_path: Path) -> None:
    path = foreign(tmp_path / "a.crawl", "SELECT 1")
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(
            "UPDATE sqlite_schema SET sql = 'CREATE TABLE log AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL "
            "SELECT x + 1 FROM c) SELECT x FROM c' WHERE name = 'log'"
        )
    found = salvage(path, tmp_path / "to.crawl", NOON)
    assert found.sound
    with closing(apsw.Connection(str(tmp_path / "to.crawl"))) as connection:
        assert connection.execute("SELECT count(*) FROM url").fetchall() == [(201,)]


def test_another_programs_database_gives_nothing(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT)")
        connection.execute("INSERT INTO notes(text) VALUES ('mine')")
    with pytest.raises(NotACrawl):
        salvage(path, tmp_path / "to.crawl", NOON)


def test_what_widens_the_scope_or_names_credentials_or_rules_is_left_out() -> None:
    tamed, left_out = cautious(msgspec.convert(RISKY, CrawlSettings))
    plain = CrawlSettings()
    assert tamed.seeds.urls == (f"{SITE}/",)
    assert [feed.url for feed in tamed.seeds.feeds] == [f"{SITE}/feed"]
    assert (tamed.seeds.files, tamed.records, tamed.fetch, tamed.notify) == ((), (), plain.fetch, plain.notify)
    assert (tamed.scope.hosts, tamed.scope.subdomains, tamed.scope.exclude) == ((), False, ("/private/",))
    assert tamed.politeness == plain.politeness
    keys = {problem.key for problem in left_out}
    assert {"seeds.urls", "seeds.files", "scope.hosts", "fetch.headers", "fetch.proxy", "records[0]"} <= keys
    assert cautious(tamed) == (tamed, ())


def test_plain_settings_stay_as_they_are() -> None:
    plain = msgspec.convert({"seeds": {"urls": [f"{SITE}/"]}, "politeness": {"delay": 5}}, CrawlSettings)
    assert cautious(plain) == (plain, ())


def test_settings_of_a_foreign_file_wait_for_a_confirmation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.crawl"
    create(path, msgspec.convert(RISKY, CrawlSettings))
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("CREATE TABLE other(x)")
        connection.execute("INSERT INTO meta(name, value) VALUES ('extra_hosts', '[\"evil.test\"]')")
    assert main(["salvage", str(path), str(tmp_path / "tame.crawl"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["trusted"], told["sound"]) == (False, True)
    assert "fetch.headers" in told["left_out"]
    assert settings_in(tmp_path / "tame.crawl") == cautious(msgspec.convert(RISKY, CrawlSettings))[0]
    with closing(apsw.Connection(str(tmp_path / "tame.crawl"))) as connection:
        assert connection.execute("SELECT count(*) FROM meta WHERE name = 'extra_hosts'").fetchall() == [(0,)]

    assert main(["salvage", str(path), str(tmp_path / "all.crawl"), "--trust-settings"]) == 0
    assert "Setting" not in capsys.readouterr().out
    assert settings_in(tmp_path / "all.crawl") == msgspec.convert(RISKY, CrawlSettings)


def test_settings_that_were_left_out_wait_in_the_file_until_they_are_confirmed(tmp_path: Path) -> None:
    path, to = tmp_path / "a.crawl", tmp_path / "tame.crawl"
    whole = msgspec.convert(RISKY, CrawlSettings)
    create(path, whole)
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("CREATE TABLE other(x)")
    found = salvage(path, to, NOON)
    assert unconfirmed(to) == (whole, found.left_out)

    wishes = Wishes(to)
    wishes.set_settings(whole)
    wishes.close()
    assert unconfirmed(to) is None
    assert settings_in(to) == whole
    create(tmp_path / "new.crawl", whole)
    assert unconfirmed(tmp_path / "new.crawl") is None


def settings_in(path: Path) -> CrawlSettings:
    with closing(apsw.Connection(str(path))) as connection:
        ((text,),) = connection.execute("SELECT json FROM setting ORDER BY version DESC LIMIT 1").fetchall()
    return decode(str(text))


def test_the_command_tells_what_was_rescued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of())
    crawl.crawl({"/": ["/a"]})
    crawl.finish()
    assert main(["salvage", str(crawl.path), str(tmp_path / "b.crawl")]) == 0
    told = capsys.readouterr().out
    assert "rows rescued from" in told
    assert told.endswith("The new file is a consistent crawl.\n")
    assert audit(tmp_path / "b.crawl").ok
    assert main(["salvage", str(crawl.path), str(tmp_path / "b.crawl")]) == 2
    assert "exists already" in capsys.readouterr().err
