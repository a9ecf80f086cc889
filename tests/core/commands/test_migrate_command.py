"""Old files are brought up to date by the commands that write; those that read say what to do."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from core.cli import main
from core.store.crawl_file import inspect
from core.store.names import SCHEMA_VERSION

FIRST = Path(__file__).parent.parent / "store" / "migrations" / "first_form.sql"
SETTINGS = '[seeds]\nurls = ["http://shop.test/"]\n'


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.crawl"
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(FIRST.read_text(encoding="utf-8"))
        connection.execute("UPDATE url SET due = NULL")  # whatever the day, a run finds nothing to ask for
    return path


@pytest.mark.parametrize("command", ["migrate", "apply", "run", "set"])
def test_commands_that_write_bring_an_old_file_up_to_date(
    old: Path, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.toml").write_text(SETTINGS, encoding="utf-8")
    settings = ["--settings", str(tmp_path / "s.toml")] if command == "set" else []
    assert main([command, str(old), *settings]) == 0
    assert inspect(old).version == SCHEMA_VERSION
    assert inspect(tmp_path / f"old.before-v{SCHEMA_VERSION}.crawl").version == 1
    assert "is kept as" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["status"], ["check"], ["explain", "http://shop.test/"]])
def test_commands_that_read_leave_it_and_say_what_to_do(
    old: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = old.read_bytes()
    name, *rest = command
    assert main([name, str(old), *rest]) == 2
    assert "fronteira migrate" in capsys.readouterr().err
    assert old.read_bytes() == before


def test_a_file_that_is_up_to_date_says_so(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["migrate", str(old)])
    capsys.readouterr()
    assert main(["migrate", str(old)]) == 0
    assert capsys.readouterr().err == f"fronteira: {old} is up to date.\n"
