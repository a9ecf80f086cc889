"""The start of a fresh checkout: when an environment is used again, what is asked of apt, and what is said."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = """
[project]
dependencies = ["one>=1"]
description = "{description}"
[project.scripts]
start = "core.cli:main"
"""
POLICY_OF_A_64_BIT_TIME_RELEASE = """\
libgl1:
  Installed: (none)
  Candidate: 1.7.0-1
libglib2.0-0:
  Installed: (none)
  Candidate: (none)
libglib2.0-0t64:
  Installed: (none)
  Candidate: 2.80.0-6
"""


class Recorder:
    """Stands in for a step: remembers what it was given and answers with one exit code."""

    def __init__(self, answer: int) -> None:
        self.answer = answer
        self.given: list[tuple[object, ...]] = []

    def __call__(self, *words: object, **named: object) -> int:
        self.given.append((*words, *named.items()))
        return self.answer


def _load() -> ModuleType:
    # By its path: the folder is no package, as it would hide the one of the same name from the public index.
    spec = importlib.util.spec_from_file_location("fronteira_bootstrap", ROOT / "packaging" / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


bootstrap = _load()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "packaging").mkdir()
    (tmp_path / "packaging" / "requirements.lock").write_text("one==1\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(PYPROJECT.format(description="as it was"), encoding="utf-8")
    return tmp_path


def _environment(venv: Path, stamp: str) -> Path:
    python: Path = bootstrap.venv_python(venv, sys.platform)
    python.parent.mkdir(parents=True)
    python.touch()
    (venv / "fronteira-stamp").write_text(stamp + "\n", encoding="utf-8")
    return python


def _calls(monkeypatch: pytest.MonkeyPatch, exit_code: int = 0) -> list[list[str]]:
    made: list[list[str]] = []

    def call(command: list[str], *, quiet: bool = False) -> int:
        made.append(list(command))
        return exit_code

    monkeypatch.setattr(bootstrap, "_call", call)
    return made


# --- the stamp


def test_stamp_is_the_same_for_the_same_checkout(checkout: Path) -> None:
    assert bootstrap.stamp(checkout, (3, 11)) == bootstrap.stamp(checkout, (3, 11))


def test_stamp_changes_with_the_lock(checkout: Path) -> None:
    before = bootstrap.stamp(checkout, (3, 11))
    (checkout / "packaging" / "requirements.lock").write_text("one==2\n", encoding="utf-8")
    assert bootstrap.stamp(checkout, (3, 11)) != before


def test_stamp_changes_with_the_declared_dependencies(checkout: Path) -> None:
    before = bootstrap.stamp(checkout, (3, 11))
    project = checkout / "pyproject.toml"
    project.write_text(project.read_text(encoding="utf-8").replace("one>=1", "one>=2"), encoding="utf-8")
    assert bootstrap.stamp(checkout, (3, 11)) != before


def test_stamp_changes_with_the_python(checkout: Path) -> None:
    assert bootstrap.stamp(checkout, (3, 11)) != bootstrap.stamp(checkout, (3, 12))


def test_stamp_changes_with_the_bootstrap(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = bootstrap.stamp(checkout, (3, 11))
    monkeypatch.setattr(bootstrap, "VERSION", bootstrap.VERSION + 1)
    assert bootstrap.stamp(checkout, (3, 11)) != before


def test_stamp_does_not_change_with_a_description(checkout: Path) -> None:
    before = bootstrap.stamp(checkout, (3, 11))
    (checkout / "pyproject.toml").write_text(PYPROJECT.format(description="reworded"), encoding="utf-8")
    assert bootstrap.stamp(checkout, (3, 11)) == before


def test_environment_with_its_stamp_is_ready(tmp_path: Path) -> None:
    _environment(tmp_path / "venv", "abc")
    assert bootstrap.is_ready(tmp_path / "venv", "abc")


def test_environment_of_another_stamp_is_not_ready(tmp_path: Path) -> None:
    _environment(tmp_path / "venv", "abc")
    assert not bootstrap.is_ready(tmp_path / "venv", "def")


def test_half_made_environment_is_not_ready(tmp_path: Path) -> None:
    _environment(tmp_path / "venv", "abc")
    (tmp_path / "venv" / "fronteira-stamp").unlink()
    assert not bootstrap.is_ready(tmp_path / "venv", "abc")


def test_environment_whose_python_went_away_is_not_ready(tmp_path: Path) -> None:
    _environment(tmp_path / "venv", "abc").unlink()
    assert not bootstrap.is_ready(tmp_path / "venv", "abc")


def test_stamp_is_written_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    venv = tmp_path / "venv"
    monkeypatch.setattr(bootstrap, "VENV", venv)
    monkeypatch.setattr(bootstrap, "STAMP", venv / "fronteira-stamp")
    _environment(venv, "old")
    with monkeypatch.context() as failing:
        _calls(failing, exit_code=1)
        with pytest.raises(bootstrap.Fault, match=r"could not be created \(exit code 1"):
            bootstrap._make("new")
    assert not (venv / "fronteira-stamp").exists()
    _calls(monkeypatch)
    bootstrap._make("new")
    assert bootstrap.is_ready(venv, "new")


def test_install_demands_hashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "VENV", tmp_path)
    monkeypatch.setattr(bootstrap, "STAMP", tmp_path / "fronteira-stamp")
    calls = _calls(monkeypatch)
    bootstrap._make("new")
    _made, locked, own = calls
    assert "--require-hashes" in locked
    assert {"--no-deps", "--no-index", "--editable"} <= set(own)


# --- apt


def test_root_calls_apt_bare() -> None:
    assert bootstrap.apt_prefix(apt=True, root=True, sudo=False, terminal=False) == []


def test_person_at_a_terminal_may_be_asked_by_sudo() -> None:
    assert bootstrap.apt_prefix(apt=True, root=False, sudo=True, terminal=True) == ["sudo"]


def test_sudo_asks_nothing_where_nobody_could_answer() -> None:
    assert bootstrap.apt_prefix(apt=True, root=False, sudo=True, terminal=False) == ["sudo", "-n"]


@pytest.mark.parametrize(("apt", "root", "sudo"), [(False, True, True), (True, False, False)])
def test_apt_is_left_alone_where_it_cannot_work(apt: bool, root: bool, sudo: bool) -> None:
    assert bootstrap.apt_prefix(apt=apt, root=root, sudo=sudo, terminal=True) is None


def test_package_takes_the_name_its_release_gives_it() -> None:
    names = bootstrap.installable_names(["libgl1", "libglib2.0-0", "unheard-of"], POLICY_OF_A_64_BIT_TIME_RELEASE)
    assert names == ["libgl1", "libglib2.0-0t64", "unheard-of"]


def test_nothing_is_installed_where_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = _calls(monkeypatch)
    bootstrap.provide_system((), venv_package=False, strict=True)
    assert calls == []


def test_missing_libraries_are_named_where_apt_may_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "_installs", lambda _packages: False)
    missing = [library for library in bootstrap.LIBRARIES if library.package in {"libgl1", "libxcb-cursor0"}]
    with pytest.raises(bootstrap.Fault, match=r"^Install these system packages.*: libgl1 libxcb-cursor0$"):
        bootstrap.provide_system(missing, venv_package=False, strict=True)


def test_libraries_of_a_display_server_do_not_stop_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "_installs", lambda _packages: False)
    missing = [library for library in bootstrap.LIBRARIES if not library.always]
    bootstrap.provide_system(missing, venv_package=False, strict=True)
    assert "libxcb-cursor0" in capsys.readouterr().err


def test_missing_ensurepip_asks_for_the_package_of_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def installs(packages: list[str]) -> bool:
        asked.extend(packages)
        return True

    monkeypatch.setattr(bootstrap, "_installs", installs)
    monkeypatch.setattr(bootstrap, "find_spec", lambda _name: None)
    bootstrap.provide_system((), venv_package=True, strict=False)
    assert asked == [f"python3.{sys.version_info[1]}-venv"]


def test_library_that_does_not_exist_does_not_load() -> None:
    assert not bootstrap._loads("libfronteira-that-nobody-has.so.7")


# --- display and environment


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_display_server_is_a_display(name: str) -> None:
    assert bootstrap.has_display("linux", {name: ":0"})


@pytest.mark.parametrize("environ", [{}, {"DISPLAY": ""}, {"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}])
def test_nothing_to_see_is_no_display(environ: dict[str, str]) -> None:
    assert not bootstrap.has_display("linux", environ)


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_desktop_systems_always_have_a_display(platform: str) -> None:
    assert bootstrap.has_display(platform, {})


@pytest.mark.parametrize(("seen", "command"), [(True, ["demo"]), (False, ["demo", "--headless"])])
def test_run_opens_the_sample_crawl(
    seen: bool, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prepared = Recorder(0)
    launched = Recorder(0)
    monkeypatch.setattr(bootstrap, "has_display", lambda _platform, _environ: seen)
    monkeypatch.setattr(bootstrap, "prepare", prepared)
    monkeypatch.setattr(bootstrap, "launch", launched)
    assert bootstrap.main(["run"]) == 0
    assert launched.given == [(["fronteira", *command],)]
    assert prepared.given == [(("qt", seen),)]
    assert ("no display" in capsys.readouterr().err) is not seen


def test_command_finds_the_environment_first(tmp_path: Path) -> None:
    environ = bootstrap.inside({"PATH": "/usr/bin", "PYTHONHOME": "/elsewhere"}, tmp_path, "linux")
    assert environ["PATH"] == f"{tmp_path / 'bin'}:/usr/bin"
    assert environ["VIRTUAL_ENV"] == str(tmp_path)
    assert "PYTHONHOME" not in environ


def test_exec_hands_its_words_on(monkeypatch: pytest.MonkeyPatch) -> None:
    launched = Recorder(5)
    monkeypatch.setattr(bootstrap, "prepare", Recorder(0))
    monkeypatch.setattr(bootstrap, "launch", launched)
    assert bootstrap.main(["exec", "--", "python", "--", "-V"]) == 5
    assert launched.given == [(["python", "--", "-V"],)]


@pytest.mark.parametrize("words", [[], ["exec"], ["exec", "--"], ["dance"]])
def test_unknown_words_get_the_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert bootstrap.main(words) == 2
    assert capsys.readouterr().err.strip() == bootstrap.USAGE


def test_fault_is_one_sentence_and_exit_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "prepare", Recorder(0))
    assert bootstrap.main(["exec", "--", "a-command-nobody-has"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "There is no command 'a-command-nobody-has', neither in the environment nor on this machine."
    ]


def test_old_python_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "MINIMUM", (99, 0))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda _name: None)
    assert bootstrap.main(["test"]) == 1
    assert capsys.readouterr().err.startswith("Fronteira needs Python 3.")
