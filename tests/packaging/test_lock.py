"""The lock file: every package pinned and hashed, nothing of the place it was made at."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "packaging" / "requirements.lock").read_text(encoding="utf-8")
ENTRIES = [
    entry
    for entry in re.split(r"(?<!\\)\n(?=\S)", re.sub(r"^#.*\n", "", TEXT, flags=re.MULTILINE))
    if not entry.startswith("#")
]
PLATFORMS = [
    {"sys_platform": system, "python_version": python, "python_full_version": f"{python}.0"}
    for system in ("linux", "darwin", "win32")
    for python in ("3.11", "3.12", "3.13")
]


def _pins() -> list[Requirement]:
    return [Requirement(entry.split("\\")[0].strip()) for entry in ENTRIES]


def _declared() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    return [Requirement(text) for text in (*project["project"]["dependencies"], *groups["dev"], *groups["build"])]


def _applies(requirement: Requirement, platform: dict[str, str]) -> bool:
    return requirement.marker is None or requirement.marker.evaluate(platform)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_package_is_pinned_and_hashed() -> None:
    assert len(ENTRIES) > 40
    for entry in ENTRIES:
        assert re.match(r"^[A-Za-z0-9._-]+==\S+", entry)
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry)


def test_lock_names_no_index_and_no_place() -> None:
    locked = "\n".join(ENTRIES)
    assert not re.search(r"https?:|file:|index-url|find-links|trusted-host|(^|\s)/\w", locked, flags=re.MULTILINE)


@pytest.mark.parametrize("platform", PLATFORMS, ids=lambda p: f"{p['sys_platform']}-{p['python_version']}")
def test_every_declared_dependency_is_locked_once_and_in_range(platform: dict[str, str]) -> None:
    pins = [pin for pin in _pins() if _applies(pin, platform)]
    versions = {_plain(pin.name): str(pin.specifier).removeprefix("==") for pin in pins}
    assert len(versions) == len(pins)
    for wanted in _declared():
        if _applies(wanted, platform):
            assert wanted.specifier.contains(versions[_plain(wanted.name)]), wanted.name


def test_packaging_folder_is_no_package() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists()
