"""A faulty settings file: all that is wrong is told at once, with key and line, whatever kind of fault it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.cli import main
from core.errors import SettingsError
from core.profile import read_profile, readable_profile

if TYPE_CHECKING:
    from pathlib import Path

SEED = '[seeds]\nurls = ["http://127.0.0.1:9/"]\n'


def told(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    settings, crawl = tmp_path / "s.toml", tmp_path / "a.crawl"
    settings.write_text(text, "utf-8")
    assert main(["new", str(crawl), "--settings", str(settings)]) == 2
    assert not crawl.exists()
    return capsys.readouterr().err.splitlines()


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("2027-13-01", "month must be in 1..12"),
        ("2027-02-30", "day is out of range for month"),
        ("2027-1-31", "month and day have two digits"),
    ],
)
def test_a_date_that_is_none_is_told_by_key_line_and_reason(written: str, reason: str) -> None:
    text = f'{SEED}[scope]\nauthorised = [{{host = "a.test", by = "me", until = {written}}}]\n'
    with pytest.raises(SettingsError) as caught:
        read_profile(text)
    (problem,) = caught.value.problems
    assert (problem.key, problem.line) == ("scope.authorised[0].until", 4)
    assert problem.message.startswith(f"{written} is no date ({reason}")


def test_a_text_that_looks_like_a_date_is_no_fault() -> None:
    settings, _ = read_profile(f'name = "until = 2027-13-01"\n{SEED}')
    assert settings.name == "until = 2027-13-01"
    with pytest.raises(SettingsError) as caught:
        read_profile('name = "until = 2027-13-01"\n[[\n')
    assert [problem.key for problem in caught.value.problems] == ["TOML"]


def test_faults_of_different_kinds_are_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        f'{SEED}[scope]\nexclude = ["/a", 7, "re:("]\n'
        'authorised = [{host = "a.test", by = "me", until = 2027-13-01}]\n'
        '[budgets]\nmax_depth = "six"\n[recrawl]\nat = "noon"\n'
    )
    lines = told(tmp_path, text, capsys)
    keys = ["scope.exclude[1]", "scope.exclude[2]", "scope.authorised[0].until", "budgets.max_depth", "recrawl.at"]
    assert [line.split(": ")[2] for line in lines] == keys


def test_what_only_follows_from_another_fault_is_not_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = told(tmp_path, "[seeds]\nurls = 7\n", capsys)
    assert line.startswith("fronteira: line 2: seeds.urls: 7 is not allowed")


def test_a_section_that_is_no_table_leaves_the_others_to_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = told(tmp_path, f'scope = 3\n{SEED}[recrawl]\nat = "noon"\n[[records]]\nname = "a"\n', capsys)
    assert [line.split(": ")[2] for line in lines] == ["scope", "recrawl.at", "records[0].match"]


def test_nothing_wrong_leaves_nothing_out() -> None:
    reading = readable_profile(SEED)
    assert reading.problems == ()
    assert reading.settings == read_profile(SEED)[0]
