"""The arrows between the rooms, read from the imports: who may know whom, and that nobody goes round in a circle."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parent.parent

# Each room of core and the rooms it may import from (itself always). What is only needed for type checking counts too.
BASE = {"errors", "settings"}
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "settings": set(),
    "killable": set(),
    "urls": {"settings"},
    "policy": BASE | {"urls"},
    "parse": set(),
    "json_path": {"errors"},
    "seeds": BASE | {"urls", "json_path"},
    "frontier": set(),
    "fetch": BASE | {"urls"},
    "identity": set(),
    "extract": BASE | {"parse", "identity", "json_path"},
    "store": BASE | {"urls", "policy", "frontier", "identity"},
    "explain": BASE | {"urls", "policy", "store"},
    "difference": BASE | {"store"},
    "export": {"errors", "store"},
    "demo": {"errors"},
    "profile_lines": set(),
    "profile_dates": {"errors", "profile_lines"},
    "salvage": {"errors", "settings"},
    "profile": BASE | {"profile_dates", "profile_lines", "salvage"},
    "validation": BASE | {"urls", "policy", "fetch", "extract", "json_path"},
    "notify": BASE | {"urls", "fetch", "store"},
    "preview": BASE | {"killable", "urls", "policy", "seeds", "fetch", "parse", "extract"},
    "engine": BASE
    | {"killable", "urls", "policy", "seeds", "fetch", "parse", "extract", "identity", "store", "notify"},
    "commands": BASE
    | {"profile", "salvage", "validation", "preview", "engine", "store", "explain", "difference", "export", "demo"},
    "cli": {"errors", "commands"},
    "__main__": {"cli"},
}
GUI_MAY_USE = {
    *("errors", "settings", "profile", "validation", "urls", "policy", "explain", "difference", "export", "demo"),
    *("preview", "extract.trial"),
    *("seeds.text", "seeds.files"),
    *("store.read", "store.wishes", "store.rows", "store.reparsed", "store.names", "store.words"),
    *("store.crawl_file", "store.lock", "store.folders", "store.migrations", "store.rescue"),
}
ONLY_IN = {
    "peewee": {"core.store"},
    "playhouse": {"core.store"},
    "apsw": {"core.store"},
    "sqlite3": set[str](),
    "httpx": {"core.fetch"},
    "httptools": {"core.fetch"},
    "subprocess": {"gui.engine_process", "core.preview.rule_process"},
    "PySide6": {"gui"},
    "qasync": {"gui"},
    "pyqtgraph": {"gui"},
    "qtawesome": {"gui"},
}


def modules() -> dict[str, Path]:
    """Every module of the program by its dotted name."""
    found = {}
    for package in ("core", "gui", "resources"):
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def names_in(nodes: Iterable[ast.AST]) -> set[str]:
    """The dotted names that import statements name; `from a import b` counts as a.b where that is a module."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in whole}
    return found


TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}
IMPORTS = {name: names_in(ast.walk(tree)) for name, tree in TREES.items()}
AT_IMPORT_TIME = {name: names_in(tree.body) for name, tree in TREES.items()}


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


@pytest.mark.parametrize("module", sorted(name for name in MODULES if name.startswith("core.")))
def test_a_room_of_core_knows_only_the_rooms_before_it(module: str) -> None:
    mine = room(module)
    others = {room(name) for name in IMPORTS[module] if name.startswith("core.")} - {mine, ""}
    assert others <= ALLOWED[mine], f"{module} imports {sorted(others - ALLOWED[mine])}"


@pytest.mark.parametrize("module", sorted(name for name in MODULES if name.startswith("core.store.")))
def test_the_store_writes_without_reading_views_and_both_stand_on_the_file(module: str) -> None:
    """`store.read` may ask `store.write` for its judgements (Explain must), never the other way; the base none.

    `store.rescue` makes a file anew and has it checked: it stands on both, and nobody on it.
    """
    side = module.split(".")[2]
    sides = {"read": {"rescue"}, "write": {"read", "rescue"}, "rescue": set[str]()}
    barred = sides.get(side, {"read", "write", "rescue"})
    used = {name.split(".")[2] for name in IMPORTS[module] if name.startswith("core.store.")}
    assert not used & barred, f"{module} imports {sorted(used & barred)}"


@pytest.mark.parametrize("module", sorted(name for name in MODULES if name.startswith("gui")))
def test_the_window_knows_only_what_reads_and_wishes(module: str) -> None:
    used = {name.removeprefix("core.") for name in IMPORTS[module] if name.startswith("core.")}
    strangers = {name for name in used if not any(name == may or name.startswith(f"{may}.") for may in GUI_MAY_USE)}
    assert not strangers, f"{module} imports {sorted(strangers)}"


@pytest.mark.parametrize(("library", "rooms"), ONLY_IN.items())
def test_a_library_has_one_home(library: str, rooms: set[str]) -> None:
    users = {name for name, names in IMPORTS.items() if any(used.split(".")[0] == library for used in names)}
    strangers = {name for name in users if not any(name == home or name.startswith(f"{home}.") for home in rooms)}
    assert not strangers


def test_only_the_command_line_opens_the_window() -> None:
    users = {name for name, names in IMPORTS.items() if any(used.split(".")[0] == "gui" for used in names)}
    assert {name for name in users if name.startswith("core")} <= {"core.cli", "core.commands.demo"}


def test_no_circle_between_modules_at_import_time() -> None:
    """Imports inside functions and for type checking do not run at import time, so they may close a circle."""
    graph = {name: names & MODULES.keys() for name, names in AT_IMPORT_TIME.items()}
    done: set[str] = set()

    def walk(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join((*way[way.index(name) :], name))
        if name not in done:
            for used in sorted(graph[name]):
                walk(used, (*way, name))
            done.add(name)

    for name in sorted(graph):
        walk(name, ())


def test_packaging_is_no_package() -> None:
    """It would shadow the library of that name."""
    assert not (ROOT / "packaging" / "__init__.py").exists()
