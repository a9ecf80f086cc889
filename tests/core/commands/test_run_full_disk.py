"""`run` on a disk that grows full: exit status 1, the reason in the file, nothing lost, and it goes on with room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.cli import main
from core.store.ballast import Ballast
from core.store.crawl_file import create
from core.store.read.audit import audit
from core.store.read.reader import Reader
from tests.core.engine.crawl import quick
from tests.core.engine.scripted_site import ScriptedSite, page
from tests.full_disk import full_disk

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.rows import Status

SITE: dict[str, object] = {
    "/": page(*(f"/{number}" for number in range(40))),
    **{f"/{number}": page("/", f"/{'deep' * 30}{number}") for number in range(40)},
}

# SQLite asks no more what became of a write as it closes; then nobody takes the made disk's error.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def status_of(path: Path) -> Status:
    reader = Reader(path)
    try:
        return reader.status()
    finally:
        reader.close()


@pytest.mark.parametrize("writes", [3, 40, 150])
def test_a_run_on_a_full_disk_ends_with_its_reason_and_goes_on_with_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], writes: int
) -> None:
    path = tmp_path / "a.crawl"
    with ScriptedSite(SITE) as site, full_disk() as disk:
        create(path, quick(f"{site.root}/"))
        drop = Ballast.drop

        def gives_room(ballast: Ballast) -> None:
            drop(ballast)
            disk.full_at = None

        monkeypatch.setattr(Ballast, "drop", gives_room)
        disk.writes, disk.full_at = 0, writes
        assert main(["run", str(path)]) == 1
        assert "The disk is full" in capsys.readouterr().err
        found = status_of(path)
        assert found.state in {"crashed", "idle"}  # idle: it was full before there was a session
        assert found.reason.startswith("disk: The disk is full") or found.state == "idle"
        assert audit(path).ok

        assert main(["run", str(path)]) == 0
        found = status_of(path)
        assert (found.urls["done"], found.frontier) == (41, 0)
        assert audit(path).ok
