"""Folders where SQLite's locks cannot be trusted are refused for running, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import SharedFolder
from core.store import folders

MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
drvfs /mnt/c 9p rw 0 0
/dev/sdb1 /home/me/local\\040disk xfs rw 0 0
"""


@pytest.fixture(autouse=True)
def _mounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = tmp_path / "mounts"
    listed.write_text(MOUNTS, encoding="utf-8")
    monkeypatch.setattr(folders, "MOUNTS", listed)


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("/home/me/shop.crawl", "network file system"),
        ("/data/Dropbox/shop.crawl", "Dropbox"),
        ("/data/OneDrive - Firm/shop.crawl", "OneDrive - Firm"),
        ("/data/Dropbox (Firm)/shop.crawl", "Dropbox"),
        ("/Users/me/Library/CloudStorage/Box-Box/shop.crawl", "CloudStorage"),
        ("/mnt/c/Users/me/shop.crawl", "network file system"),
    ],
)
def test_shared_folder_is_refused_with_its_reason(place: str, reason: str) -> None:
    with pytest.raises(SharedFolder, match=reason):
        folders.refuse_shared_folder(Path(place))


@pytest.mark.parametrize(("marker", "program"), folders.MARKERS.items())
def test_a_folder_is_told_by_what_its_program_keeps_in_it(tmp_path: Path, marker: str, program: str) -> None:
    (tmp_path / marker).touch()
    (tmp_path / "deep" / "er").mkdir(parents=True)
    with pytest.raises(SharedFolder, match=program):
        folders.refuse_shared_folder(tmp_path / "deep" / "er" / "shop.crawl")


@pytest.mark.parametrize("place", ["/data/shop.crawl", "/home/me/local disk/shop.crawl", "/homes/shop.crawl"])
def test_local_folder_is_accepted(place: str) -> None:
    folders.refuse_shared_folder(Path(place))


def test_system_that_lists_no_mounts_is_not_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MOUNTS", Path("/nowhere/mounts"))
    assert folders.file_system(Path("/home/me")) == ""
