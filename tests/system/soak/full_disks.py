"""Disks that grow full: the run ends with status 1 and says why, and goes on once there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.cli import main
from tests.core.store.migrations.test_migrations import first_form
from tests.system.soak.engine_deaths import up_to
from tests.system.soak.fate import Fate
from tests.system.soak.life import doomed, ended
from tests.system.soak.shop import write_settings
from tests.system.soak.sound import assert_sound, status

if TYPE_CHECKING:
    from pathlib import Path

    from tests.system.soak.life import Life

MOST_ROOM = 2_500_000  # bytes; about what a run of the shop takes


def grows_full(life: Life) -> bool:
    """An engine on a disk with a little room; False where that was enough."""
    fate = Fate("full", room=up_to(life, MOST_ROOM), fold_every=life.chance.choice((0, 40)))
    begun = status(life.path)["state"] != "idle"
    code, err = ended(life.engine(fate))
    life.story.append(f"{fate.room} bytes of room: ended with {code}")
    assert_sound(life.path)
    found = status(life.path)
    if code == 0:
        assert found["state"] == "finished"
        return False
    life.interrupted += 1
    assert code == 1, err
    assert err.count("\n") == 1, err
    assert "full" in err
    told = found["state"] == "crashed" and found["reason"].startswith("disk: ")
    assert told or found["state"] == "finished" or not begun, found
    return True


def changes_find_no_room(life: Life) -> None:
    """A command that finds none says so in a line, and has changed nothing: it can be given again."""
    number = len(life.story)
    other = write_settings(life.folder / "other.toml", life.site.root, index_pages=True, exclude=True, sitemaps=True)
    no_room(life, life.path, "set", life.path, "--settings", life.chance.choice((other, life.settings)))
    no_room(life, life.path, "apply", life.path)
    old = life.folder / f"old{number}.crawl"
    no_room(life, first_form(old), "migrate", old)


def makers_find_no_room(life: Life) -> None:
    """And a file that was to be made is not there."""
    to = life.folder / "made.crawl"
    for arguments in (("new", to, "--settings", life.settings), ("backup", life.path, to), ("salvage", life.path, to)):
        no_room(life, to, *arguments)
        to.unlink()


def no_room(life: Life, made: Path, *arguments: str | Path) -> None:
    code, err = ended(doomed(Fate("full", room=up_to(life, 300_000)), *arguments))
    life.story.append(f"{arguments[0]} without room: ended with {code}")
    if code:
        assert code == 1, err
        assert "full" in err.splitlines()[-1], err
        assert "Traceback" not in err
        assert arguments[0] in {"set", "apply", "migrate"} or not made.exists()
        assert main([*map(str, arguments)]) == 0
    assert_sound(made)
