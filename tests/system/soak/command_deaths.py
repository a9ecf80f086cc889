"""The ways everything but an engine dies in a soak: each kills a command, and then the same command is carried out.

What a killed command was to make is whole or not there, and what it was to change is as before or as after.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from core.cli import main
from core.store.crawl_file import inspect
from tests.core.store.migrations.test_migrations import first_form
from tests.system.children import command
from tests.system.soak.engine_deaths import up_to
from tests.system.soak.fate import FILES, READ, SYSTEM, Fate
from tests.system.soak.life import doomed, ended
from tests.system.soak.shop import write_settings
from tests.system.soak.sound import assert_sound

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.system.soak.life import Life

ALL = (*FILES, SYSTEM, READ)
CHANGES = (*FILES, SYSTEM)


def die(life: Life, steps: tuple[str, ...], most: int, *arguments: str | Path, alone: bool = False) -> None:
    """Run a command to a step that may be its last one; where there are not so many, it ends in order.

    Where it is `alone` with its files, the power may fail at that step.
    """
    fate = Fate(
        life.chance.choice(("kill", "power")) if alone else "kill",
        steps,
        at=up_to(life, most),
        seed=life.chance.getrandbits(32),
        report=str(life.folder / "power.json"),
    )
    code, err = ended(doomed(fate, *arguments))
    life.story.append(f"{arguments[0]}, {fate.kind} at step {fate.at}: ended with {code}")
    assert code in {0, -9}, err


def carry_out(*arguments: str | Path) -> None:
    assert main([*map(str, arguments)]) == 0


def new(life: Life) -> None:
    to = life.folder / f"new{len(life.story)}.crawl"
    arguments = ("new", to, "--settings", life.settings)
    die(life, CHANGES, 280, *arguments, alone=True)
    if not to.exists():
        carry_out(*arguments)
    assert_sound(to)


def other_settings(life: Life) -> None:
    """While an engine runs, which is killed too; then others are set, and at last the first ones again."""
    child = life.engine()
    life.wait_for_requests(life.chance.randint(1, 40), child)
    other = write_settings(life.folder / "other.toml", life.site.root, exclude=True, sitemaps=True)
    die(life, CHANGES, 230, "set", life.path, "--settings", other)
    life.kill(child, "after `set`")
    carry_out("set", life.path, "--settings", other)
    life.outcome(life.engine(Fate("kill", ("write",), at=life.chance.randint(50, 500))), "with other settings")
    carry_out("set", life.path, "--settings", life.settings)


def apply(life: Life) -> None:
    """Other rules on spellings change every key, and back."""
    other = write_settings(life.folder / "other.toml", life.site.root, index_pages=True, exclude=True, sitemaps=True)
    for settings in (other, life.settings):
        carry_out("set", life.path, "--settings", settings)
        die(life, CHANGES, 70, "apply", life.path, alone=True)
        assert_sound(life.path)
        carry_out("apply", life.path)
        assert_sound(life.path)


def reparse(life: Life) -> None:
    """Another field is read out of what is stored, and is no longer wanted."""
    other = write_settings(life.folder / "other.toml", life.site.root, name=True, sitemaps=True)
    for settings in (other, life.settings):
        carry_out("set", life.path, "--settings", settings)
        die(life, CHANGES, 300, "reparse", life.path, alone=True)
        assert_sound(life.path)
        code, _, err = command("reparse", life.path)
        assert code == 0, err
        assert_sound(life.path)
        assert all((found == "None") == (settings is life.settings) for found in life.fields("name").values())


def export(life: Life) -> None:
    """A table that takes the place of an older one is the older one until it is whole."""
    to = life.folder / "urls.csv"
    arguments = ("export", life.path, "--table", "urls", "--output", to, "--about")
    carry_out(*arguments)
    before = rows_of(to)
    die(life, ALL, 90, *arguments)
    assert rows_of(to) == before


def backup(life: Life) -> None:
    """While an engine runs."""
    to = life.folder / f"backup{len(life.story)}.crawl"
    child = life.engine()
    life.wait_for_requests(life.chance.randint(1, 40), child)
    die(life, ALL, 280, "backup", life.path, to)
    life.kill(child, "after `backup`")
    if not to.exists():
        carry_out("backup", life.path, to)
    assert_sound(to)


def migrate(life: Life) -> None:
    folder = life.folder / f"migrate{len(life.story)}"
    folder.mkdir()
    path = first_form(folder / "old.crawl")
    die(life, ALL, 300, "migrate", path, alone=True)
    info = inspect(path)
    if info.older:
        carry_out("migrate", path)
    assert_sound(path)
    assert [found.name for found in folder.glob("*.before-*.crawl")]


def salvage(life: Life) -> None:
    """Of a damaged file, which stays as it is."""
    damaged, to = (life.folder / f"{name}{len(life.story)}.crawl" for name in ("damaged", "salvaged"))
    carry_out("backup", life.path, damaged)
    data = bytearray(damaged.read_bytes())
    for _ in range(20):
        data[life.chance.randrange(8192, len(data))] ^= 1 + life.chance.getrandbits(7)
    damaged.write_bytes(data)
    die(life, CHANGES, 440, "salvage", damaged, to, alone=True)
    assert damaged.read_bytes() == data
    if not to.exists():
        carry_out("salvage", damaged, to)
    assert_sound(to, rescued=True)


def check(life: Life) -> None:
    """The certificate is kept, or due still."""
    die(life, ALL, 200, "check", life.path, alone=True)
    assert_sound(life.path)


def rows_of(to: Path) -> list[list[str]]:
    with to.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


# What no other test kills comes first.
DEATHS: tuple[Callable[[Life], None], ...] = (
    other_settings,
    backup,
    reparse,
    salvage,
    export,
    apply,
    new,
    migrate,
    check,
)
