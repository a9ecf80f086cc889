"""Names of crawls as names of files that no system refuses and nobody is misled by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.file_names import file_name, free_place

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("a/b:c", "a-b-c"),
        ("..", "crawl"),
        ("Läden 2", "Läden 2"),
        ("", "crawl"),
        (".bashrc", "bashrc"),
        ("../../tmp/pwn", "tmp-pwn"),
        ("C:\\Windows\\pwn", "C--Windows-pwn"),
        ("CON", "crawl CON"),
        ("nul.txt", "crawl nul.txt"),
        ("<b>shop</b>", "b-shop--b"),
    ],
)
def test_names_become_file_names(name: str, stem: str) -> None:
    assert file_name(name) == stem


@given(st.text(st.characters(exclude_categories=())))
def test_no_name_leads_out_of_its_folder_or_hides(name: str) -> None:
    stem = file_name(name)
    assert stem
    assert len(stem) <= 90
    assert not stem.startswith((".", "-", " "))
    assert not set('/\\:*?"<>|\x00\n\u202e') & set(stem)


def test_a_proposal_names_no_file_that_is_there(tmp_path: Path) -> None:
    place = tmp_path / "shop.csv"
    assert free_place(place) == place
    for name in ("shop.csv", "shop 2.csv"):
        (tmp_path / name).touch()
    assert free_place(place) == tmp_path / "shop 3.csv"
