"""Wrong use gets one clear line on standard error and status 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["run", "a.crawl", "--concurrency", "0"],
        ["export", "a.crawl", "--table", "pages", "--output", "o.csv"],
        ["--colour"],
    ],
)
def test_a_wrong_command_line_is_told_in_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)

    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.startswith("fronteira")


def test_a_word_that_is_no_command_opens_no_window(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frob"]) == 2
    assert capsys.readouterr().err.startswith("fronteira: frob is neither a file nor a command. Commands are new,")


def test_where_there_is_no_display_it_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)

    assert main([]) == 2
    assert capsys.readouterr().err.startswith("fronteira: There is no display for the window here.")


def test_certificates_that_cannot_be_read_are_told_before_the_first_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "s.toml"
    settings.write_text('[seeds]\nurls = ["https://127.0.0.1:9/"]\n[fetch]\nca_file = "/nowhere/ca.pem"\n', "utf-8")
    crawl = tmp_path / "a.crawl"
    assert main(["new", str(crawl), "--settings", str(settings)]) == 0

    assert main(["run", str(crawl)]) == 2
    assert "/nowhere/ca.pem" in capsys.readouterr().err
    assert main(["status", str(crawl)]) == 0
    assert "0 requests" in capsys.readouterr().out


def test_an_export_goes_into_an_ordinary_file_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = tmp_path / "a.crawl"
    assert main(["new", str(crawl), "--seed", "http://127.0.0.1:9/"]) == 0

    assert main(["export", str(crawl), "--table", "urls", "--output", "/dev/null"]) == 2
    assert "/dev/null is no ordinary file" in capsys.readouterr().err


def test_a_byte_order_mark_is_for_csv_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl, to = tmp_path / "a.crawl", tmp_path / "o.jsonl"
    assert main(["new", str(crawl), "--seed", "http://127.0.0.1:9/"]) == 0

    arguments = ["export", str(crawl), "--table", "urls", "--format", "jsonl", "--bom", "--output", str(to)]
    assert main(arguments) == 2
    assert "begins CSV files only" in capsys.readouterr().err
    assert not to.exists()


def test_a_copy_into_a_missing_folder_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = tmp_path / "a.crawl"
    assert main(["new", str(crawl), "--seed", "http://127.0.0.1:9/"]) == 0

    assert main(["backup", str(crawl), str(tmp_path / "none" / "b.crawl")]) == 2
    assert "does not exist. Make it first" in capsys.readouterr().err
