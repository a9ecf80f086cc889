"""The command line in the test's own process: what it says, what it refuses, its exit statuses."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest

from core.cli import main, parser
from core.store.lock import EngineLock
from core.store.wishes import Wishes
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import ScriptedSite, page
from tests.small_crawl import SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

FIXED = (
    "state reason run urls pages requests not_modified records record_actions bytes frontier discovery_ratio "
    "duplicate_rate content_duplicate_rate bytes_per_useful_page requests_per_record refusals alarms hosts engine"
).split()


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit status, standard output, standard error of a command."""
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as exit_:  # argparse's own refusals
        code = int(exit_.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "S.toml"
    file.write_text('name = "Shop"\n\n[seeds]\nurls = ["http://127.0.0.1:8700/list/0"]\n')
    return file


@pytest.fixture
def crawl(tmp_path: Path, settings: Path) -> Path:
    file = tmp_path / "shop.crawl"
    assert main(["new", str(file), "--settings", str(settings)]) == 0
    return file


def test_new_makes_a_crawl_that_has_not_begun(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "status", crawl, "--json")
    found = json.loads(out)
    assert code == 0
    assert list(found)[: len(FIXED)] == FIXED
    assert (found["state"], found["run"], found["pages"], found["engine"]) == ("idle", 0, 0, None)


def test_new_never_writes_over_a_file(crawl: Path, settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = crawl.read_bytes()
    code, out, err = said(capsys, "new", crawl, "--settings", settings)
    assert (code, out) == (2, "")
    assert str(crawl) in err
    assert len(err.splitlines()) == 1
    assert crawl.read_bytes() == before


def test_new_takes_seeds_beside_or_instead_of_settings(tmp_path: Path, settings: Path) -> None:
    for number, arguments in enumerate(([], ["--settings", str(settings)])):
        file = tmp_path / f"{number}.crawl"
        assert main(["new", str(file), *arguments, "--seed", "http://a.test/", "--seed", "http://b.test/"]) == 0
        ((text,),) = sqlite3.connect(file).execute("SELECT json FROM setting").fetchall()
        assert json.loads(text)["seeds"]["urls"][-2:] == ["http://a.test/", "http://b.test/"]


def test_new_without_a_seed_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = said(capsys, "new", tmp_path / "x.crawl")
    assert code == 2
    assert "seeds" in err
    assert not (tmp_path / "x.crawl").exists()


def test_every_problem_of_the_settings_has_its_own_line(
    tmp_path: Path, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.write_text('[seeds]\nurls = ["http://a.test/"]\n[budgets]\nmax_dept = 3\nmax_pages = -1\n')
    code, _, err = said(capsys, "new", tmp_path / "x.crawl", "--settings", settings)
    first, second = err.splitlines()
    assert code == 2
    assert "line 4" in first
    assert "budgets.max_dept" in first
    assert "max_depth" in first
    assert "line 5" in second
    assert "budgets.max_pages" in second
    assert not (tmp_path / "x.crawl").exists()


def test_what_only_makes_no_sense_as_a_whole_has_its_line_too(
    tmp_path: Path, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.write_text('[seeds]\nurls = ["http://a.test/"]\n[scope]\nexclude = [\n  "/a",\n  "re:(",\n]\n')
    code, _, err = said(capsys, "new", tmp_path / "x.crawl", "--settings", settings)
    assert code == 2
    assert "scope.exclude[1]" in err
    assert "line " in err


@pytest.mark.parametrize("content", [b"[seeds\n", b"\xff\xfe\x00", b""])
def test_a_settings_file_that_is_none_is_bad_input(
    tmp_path: Path, settings: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    settings.write_bytes(content)
    code, _, err = said(capsys, "new", tmp_path / "x.crawl", "--settings", settings)
    assert code == 2
    assert len(err.splitlines()) == 1


def test_a_missing_settings_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = said(capsys, "new", tmp_path / "x.crawl", "--settings", tmp_path / "none.toml")
    assert code == 2
    assert "none.toml" in err


def test_set_replaces_the_settings_and_refuses_bad_ones(
    crawl: Path, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.write_text('name = "Other"\n[seeds]\nurls = ["http://a.test/"]\n')
    assert said(capsys, "set", crawl, "--settings", settings)[0] == 0
    assert "Other" in said(capsys, "status", crawl)[1]
    settings.write_text('name = "Worse"\n[seeds]\nurls = ["ftp://a.test/"]\n')
    assert said(capsys, "set", crawl, "--settings", settings)[0] == 2
    assert "Other" in said(capsys, "status", crawl)[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "{file}"],
        ["status", "{file}"],
        ["stop", "{file}"],
        ["check", "{file}"],
        ["apply", "{file}"],
        ["recrawl", "{file}"],
        ["backup", "{file}", "{file}.copy"],
        ["export", "{file}", "--table", "urls", "--output", "{file}.csv"],
    ],
)
@pytest.mark.parametrize("kind", ["missing", "text", "folder", "database"])
def test_every_command_names_a_file_that_is_no_crawl(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], kind: str
) -> None:
    file = tmp_path / "x.crawl"
    if kind == "text":
        file.write_text("hello " * 100)
    elif kind == "folder":
        file.mkdir()
    elif kind == "database":
        with sqlite3.connect(file) as other:
            other.execute("CREATE TABLE t(a)")
        other.close()
    before = sorted(path.name for path in tmp_path.iterdir())
    code, out, err = said(capsys, *(argument.format(file=file) for argument in arguments))
    assert (code, out) == (2, "")
    assert "x.crawl" in err
    assert len(err.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_status_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedSite({"/": page("/a", "/none"), "/a": page(title="A")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", name="Small"))
        crawl.run()
    code, out, _ = said(capsys, "status", crawl.path)
    assert code == 0
    assert out.startswith("Small: finished\n")
    assert "2 done" in out
    assert "1 failed" in out


def test_check_certifies_and_finds_what_was_tampered_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedSite({"/": page("/a"), "/a": page(title="A")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
    code, out, _ = said(capsys, "check", crawl.path, "--json")
    assert code == 0
    names = {"ok", "lost_links", "doubled_records", "counter_errors", "possibly_repeated", "integrity"}
    assert names <= set(json.loads(out))
    assert said(capsys, "check", crawl.path)[1].startswith("The file is intact.\n")
    crawl.change("DELETE FROM url WHERE path = '/a'")
    code, out, _ = said(capsys, "check", crawl.path, "--json")
    assert code == 1
    assert json.loads(out)["lost_links"] == 1
    code, out, _ = said(capsys, "check", crawl.path)
    assert code == 1
    assert "1 stored link leads to nothing." in out


def test_export_writes_the_table_whole_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedSite({"/": page("/a", "/none"), "/a": page(title="A")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
    to = tmp_path / "urls.jsonl"
    arguments = ("export", crawl.path, "--table", "urls", "--format", "jsonl", "--output", to)
    assert said(capsys, *arguments, "--where", "state = done")[0] == 0
    found = [json.loads(line) for line in to.read_text().splitlines()]
    assert {row["state"] for row in found} == {"done"}
    assert len(found) == 2
    before = to.read_bytes()
    code, _, err = said(capsys, *arguments, "--where", "nonsense !! x")
    assert code == 2
    assert err
    assert to.read_bytes() == before


def test_backup_makes_a_copy_and_never_writes_over_one(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "backup", crawl, tmp_path / "copy.crawl")[0] == 0
    assert json.loads(said(capsys, "status", tmp_path / "copy.crawl", "--json")[1])["state"] == "idle"
    assert said(capsys, "backup", crawl, tmp_path / "copy.crawl")[0] == 2


def test_apply_brings_rows_in_line_without_a_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedSite({"/": page("/a", "/b"), "/a": page(title="A"), "/b": page(title="B")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        crawl.change("UPDATE url SET state = 0 WHERE path = '/b'")
        crawl.change("UPDATE host SET done = done - 1, pending = pending + 1")
        asked = len(site.asked)
        file = tmp_path / "S.toml"
        file.write_text(f'[seeds]\nurls = ["{site.root}/"]\n[scope]\nexclude = ["/b"]\n')
        assert said(capsys, "set", crawl.path, "--settings", file)[0] == 0
        assert said(capsys, "apply", crawl.path)[0] == 0
        assert len(site.asked) == asked
    assert crawl.states() == {"/": "done", "/a": "done", "/b": "excluded"}


def test_apply_and_run_leave_a_file_alone_that_an_engine_holds(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = EngineLock.acquire(crawl)
    try:
        for command in ("apply", "run", "recrawl"):
            code, _, err = said(capsys, command, crawl)
            assert code == 4
            assert "process" in err
    finally:
        lock.release()


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["export", "x.crawl", "--table", "nothing", "--output", "y"],
        ["run", "x.crawl", "--concurrency", "0"],
        ["run", "x.crawl", "--concurrency", "many"],
        ["run", "x.crawl", "--concurrency", "\u0664"],
        ["set", "x.crawl"],
    ],
)
def test_wrong_use_is_status_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    code, out, err = said(capsys, *arguments)
    assert (code, out) == (2, "")
    assert "_positive" not in err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "--help")
    assert code == 0
    for command in ("new", "run", "stop", "set", "status", "export", "recrawl", "check", "backup", "apply", "demo"):
        assert command in out
    assert parser().prog == "fronteira"


def test_stop_of_a_crawl_that_does_not_run_leaves_no_wish(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "stop", crawl) == (0, "", "No engine runs this crawl.\n")
    assert sqlite3.connect(crawl).execute("SELECT count(*) FROM wish").fetchall() == [(0,)]


def test_a_folder_that_is_missing_is_named(tmp_path: Path, settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = said(capsys, "new", tmp_path / "no" / "x.crawl", "--settings", settings)
    assert code == 2
    assert str(tmp_path / "no") in err


def test_set_tells_what_other_rules_will_merge_and_apply_carries_it_out(
    tmp_path: Path, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = SmallCrawl(tmp_path / "small.crawl")
    small.crawl({"/": ["/p", "/p/"]})
    small.finish()
    settings.write_text('[seeds]\nurls = ["http://shop.test/"]\n[normalise]\ntrailing_slash = true\n')
    code, out, err = said(capsys, "set", small.path, "--settings", settings)
    assert (code, out) == (0, "")
    assert "1 of 3 known URLs will count as the same as another" in err
    assert said(capsys, "apply", small.path)[0] == 0
    assert small.ask("SELECT path FROM url WHERE same_as IS NOT NULL") == [("/p/",)]
    _, out, _ = said(capsys, "explain", small.path, "http://shop.test/p/")
    assert "same as" in out
    assert "http://shop.test/p\n" in out
    assert said(capsys, "check", small.path)[0] == 0


def test_merged_urls_are_exported_with_the_one_they_are_the_same_as(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = SmallCrawl(tmp_path / "small.crawl")
    (work,) = small.turn().work
    small.turn(small.page(work, "/p", "/p/"), granting=False)
    small.finish()
    wishes = Wishes(small.path)
    wishes.set_settings(settings_of(normalise={"trailing_slash": True}))
    wishes.close()
    assert said(capsys, "apply", small.path)[0] == 0
    to = tmp_path / "urls.jsonl"
    assert said(capsys, "export", small.path, "--table", "urls", "--format", "jsonl", "--output", to)[0] == 0
    found = {row["url"]: row for row in map(json.loads, to.read_text().splitlines())}
    merged = found["http://shop.test/p/"]
    assert (merged["state"], merged["reason"]) == ("excluded", "scope: same as http://shop.test/p")
    assert (merged["same_as"], merged["key"]) == ("http://shop.test/p", "http://shop.test/p")
    assert found["http://shop.test/p"]["same_as"] is None
