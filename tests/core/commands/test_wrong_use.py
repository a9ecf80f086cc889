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


@pytest.mark.parametrize("command", ["check", "status", "run", "reparse", "export"])
@pytest.mark.parametrize("name", ["circle.crawl", "text.txt/a.crawl"])
def test_a_name_that_leads_nowhere_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, name: str
) -> None:
    (tmp_path / "circle.crawl").symlink_to("circle.crawl")
    (tmp_path / "text.txt").write_text("no folder", "utf-8")
    more = ["--table", "urls", "--output", str(tmp_path / "o.csv")] if command == "export" else []

    assert main([command, str(tmp_path / name), *more]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"fronteira: There is no file {tmp_path / name}.")
    assert told.count("\n") == 1


def test_an_output_name_that_leads_in_a_circle_is_told_or_replaced(tmp_path: Path) -> None:
    crawl, circle = tmp_path / "a.crawl", tmp_path / "circle.csv"
    assert main(["new", str(crawl), "--seed", "http://127.0.0.1:9/"]) == 0
    circle.symlink_to("circle.csv")

    assert main(["export", str(crawl), "--table", "urls", "--output", str(circle)]) == 0
    assert circle.is_file()


@pytest.mark.parametrize(
    ("section", "key"),
    [("budgets", "max_seconds"), ("budgets", "price_per_gb"), ("politeness", "unreachable_after")],
)
def test_an_endless_number_is_refused_before_it_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], section: str, key: str
) -> None:
    settings, crawl = tmp_path / "s.toml", tmp_path / "a.crawl"
    settings.write_text(f'[seeds]\nurls = ["http://127.0.0.1:9/"]\n[{section}]\n{key} = inf\n', "utf-8")

    assert main(["new", str(crawl), "--settings", str(settings)]) == 2
    assert f"line 4: {section}.{key}: inf is not allowed" in capsys.readouterr().err
    assert not crawl.exists()


def test_a_settings_file_without_an_end_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("core.commands.files.LARGEST", 1000)
    crawl = tmp_path / "a.crawl"

    assert main(["new", str(crawl), "--settings", "/dev/zero"]) == 2
    assert "The settings file /dev/zero is too large to be one." in capsys.readouterr().err
    assert not crawl.exists()
