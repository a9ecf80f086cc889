"""The two commands of a fresh checkout, needing nothing but Python 3.11 and this file.

    python3 packaging/bootstrap.py run                 the sample crawl in a window (without a display: in the terminal)
    python3 packaging/bootstrap.py test [ARGUMENT ...]  the tests, with any further arguments for pytest
    python3 packaging/bootstrap.py exec -- COMMAND ...  any command inside the environment

The first start makes a virtual environment in `.venv` from the hashed lock file, installs the project into it as
editable, and fetches the system libraries Qt loads where apt may do so. A stamp is written last, so a start that was
killed half-way is noticed and done again, and a later start with the same stamp goes straight to its command.
All talk goes to stderr: the output of a command started here is its own.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VERSION = 1
"""Raised when an environment made by an older bootstrap must be made anew."""

MINIMUM = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "fronteira-stamp"
LOCK = ROOT / "packaging" / "requirements.lock"
USAGE = "Use one of: bootstrap.py run | bootstrap.py test [ARGUMENT ...] | bootstrap.py exec -- COMMAND [ARGUMENT ...]"


class Fault(Exception):
    """What stops the start, as one sentence for the person who started it."""


class Library(NamedTuple):
    """A shared library Qt loads from the system, and the Debian package that brings it."""

    soname: str
    package: str
    always: bool
    """Qt cannot even be imported without it; the others only serve a window on Wayland or X11."""


LIBRARIES = (
    Library("libGL.so.1", "libgl1", always=True),
    Library("libEGL.so.1", "libegl1", always=True),
    Library("libglib-2.0.so.0", "libglib2.0-0", always=True),
    Library("libfontconfig.so.1", "libfontconfig1", always=True),
    Library("libxkbcommon.so.0", "libxkbcommon0", always=True),
    Library("libdbus-1.so.3", "libdbus-1-3", always=True),
    Library("libwayland-cursor.so.0", "libwayland-cursor0", always=False),
    Library("libwayland-egl.so.1", "libwayland-egl1", always=False),
    Library("libX11-xcb.so.1", "libx11-xcb1", always=False),
    Library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", always=False),
    Library("libxcb-cursor.so.0", "libxcb-cursor0", always=False),
    Library("libxcb-icccm.so.4", "libxcb-icccm4", always=False),
    Library("libxcb-keysyms.so.1", "libxcb-keysyms1", always=False),
    Library("libxcb-randr.so.0", "libxcb-randr0", always=False),
    Library("libxcb-shape.so.0", "libxcb-shape0", always=False),
    Library("libxcb-xfixes.so.0", "libxcb-xfixes0", always=False),
)


def main(arguments: Sequence[str]) -> int:
    """Do what the words ask for; the exit code is the started command's, 1 for a fault, 2 for a misused word."""
    try:
        return _start(arguments)
    except Fault as fault:
        say(str(fault))
        return 1
    except KeyboardInterrupt:
        say("Stopped. What was half made is noticed and finished at the next start.")
        return 130


def _start(arguments: Sequence[str]) -> int:
    if sys.version_info < MINIMUM:
        return _start_again_with(newer_python(), arguments)
    word, rest = (arguments[0], list(arguments[1:])) if arguments else ("", [])
    if word == "run":
        return _run(rest)
    if word == "test":
        return _test(rest)
    if word == "exec" and (command := rest[1:] if rest[:1] == ["--"] else rest):
        prepare(qt=False)
        return launch(command)
    say(USAGE)
    return 2


def _run(rest: list[str]) -> int:
    seen = has_display(sys.platform, os.environ)
    if not seen:
        say("There is no display here, so the sample crawl runs in this terminal, without its window.")
    prepare(qt=seen)
    return launch(["fronteira", "demo", *([] if seen or "--headless" in rest else ["--headless"]), *rest])


def _test(rest: list[str]) -> int:
    prepare(qt=True)
    os.chdir(ROOT)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # One worker more than cores, for some tests wait for processes; whoever looks for one fault adds `-n 0`.
    workers = str((os.cpu_count() or 1) + 1)
    return launch([str(venv_python(VENV, sys.platform)), "-m", "pytest", "-n", workers, *rest])


def has_display(platform: str, environ: Mapping[str, str]) -> bool:
    """Whether a window would be seen: always on Windows and macOS, elsewhere where a display server is named."""
    if platform in {"win32", "darwin"}:
        return True
    if environ.get("QT_QPA_PLATFORM", "").partition(":")[0] in {"offscreen", "minimal"}:
        return False
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def prepare(*, qt: bool) -> None:
    """Make sure that the environment stands, and with `qt` that Qt's system libraries can be loaded."""
    wanted = stamp(ROOT, sys.version_info[:2])
    fresh = not is_ready(VENV, wanted)
    if fresh or qt:
        provide_system(missing_libraries() if sys.platform == "linux" else (), venv_package=fresh, strict=qt)
    if fresh:
        _make_alone(wanted)


def stamp(root: Path, python: tuple[int, ...]) -> str:
    """What an environment depends on, as one hash: the lock, the declared dependencies, this Python and this place.

    The place counts because an editable install and the scripts in the environment name it.
    """
    import tomllib  # not at the head: an older Python must get as far as its clear refusal

    declared = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    project = declared.get("project", {})
    parts = {
        "lock": hashlib.sha256((root / "packaging" / "requirements.lock").read_bytes()).hexdigest(),
        "dependencies": project.get("dependencies", []),
        "groups": declared.get("dependency-groups", {}),
        "scripts": project.get("scripts", {}),
        "python": list(python),
        "place": str(root),
        "bootstrap": VERSION,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def is_ready(venv: Path, wanted: str) -> bool:
    """Whether `venv` was finished with this very stamp and its Python still exists."""
    written = venv / STAMP.name
    made = written.read_text(encoding="utf-8").strip() if written.is_file() else ""
    return made == wanted and venv_python(venv, sys.platform).exists()


def venv_python(venv: Path, platform: str) -> Path:
    """The interpreter inside a virtual environment."""
    return venv / "Scripts" / "python.exe" if platform == "win32" else venv / "bin" / "python"


def missing_libraries() -> tuple[Library, ...]:
    """The libraries the system's loader does not find, asked by loading each."""
    return tuple(library for library in LIBRARIES if not _loads(library.soname))


def _loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def provide_system(missing: Sequence[Library], *, venv_package: bool, strict: bool) -> None:
    """Install what the system lacks by apt, or say what to install; raise only for what the start cannot do without.

    Debian and Ubuntu keep the part of Python that makes environments (ensurepip) in a package of its own.
    """
    lacks_venv = venv_package and find_spec("ensurepip") is None
    packages = [f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"] if lacks_venv else []
    packages += [library.package for library in missing]
    if not packages or _installs(packages):
        return
    advice = f"Install these system packages, then start again: {' '.join(packages)}"
    if lacks_venv or (strict and any(library.always for library in missing)):
        raise Fault(advice)
    say(f"A window may not open here. {advice}")


def _installs(packages: Sequence[str]) -> bool:
    prefix = apt_prefix(
        apt=shutil.which("apt-get") is not None,
        root=hasattr(os, "geteuid") and os.geteuid() == 0,
        sudo=shutil.which("sudo") is not None,
        terminal=sys.stdin is not None and sys.stdin.isatty(),
    )
    if prefix is None:
        return False
    say(f"Installing system packages: {' '.join(packages)}")
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]
    # A stale list of one source must not stop the start: whether the packages can be had is what counts.
    _call([*apt, "update"], quiet=True)
    names = installable_names(packages, _apt_policy(packages))
    return _call([*apt, "install", "-y", "--no-install-recommends", *names], quiet=True) == 0


def apt_prefix(*, apt: bool, root: bool, sudo: bool, terminal: bool) -> list[str] | None:
    """The words that go before apt-get, or None where it cannot be used; sudo asks nothing without a terminal."""
    if not apt or not (root or sudo):
        return None
    if root:
        return []
    return ["sudo"] if terminal else ["sudo", "-n"]


def installable_names(packages: Sequence[str], policy: str) -> list[str]:
    """The packages as this release calls them: newer ones name some with a `t64` ending (64-bit time).

    `policy` is what `apt-cache policy` printed for the packages in both spellings.
    """
    known = set()
    current = ""
    for line in policy.splitlines():
        if not line.startswith(" "):
            current = line.strip().rstrip(":")
        elif line.strip().startswith("Candidate:") and "(none)" not in line:
            known.add(current)
    return [f"{name}t64" if name not in known and f"{name}t64" in known else name for name in packages]


def _apt_policy(packages: Sequence[str]) -> str:
    names = [spelling for name in packages for spelling in (name, f"{name}t64")]
    asked = subprocess.run(
        ["apt-cache", "policy", *names], env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True, check=False
    )
    return asked.stdout


def _make_alone(wanted: str) -> None:
    """Make the environment unless a start beside this one, which held the lock until now, has just done so."""
    # This file itself is locked, so that no lock file is left behind. The installers inherit the lock: one that goes on
    # after its start was killed is waited for, instead of writing into the environment that the next start makes.
    with Path(__file__).open("r+b") as held:
        _take_lock(held.fileno())
        if not is_ready(VENV, wanted):
            _make(wanted)


def _take_lock(descriptor: int) -> None:
    if sys.platform != "win32":
        import fcntl

        os.set_inheritable(descriptor, True)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another start is still making the environment; waiting for it.")
            fcntl.flock(descriptor, fcntl.LOCK_EX)


def _make(wanted: str) -> None:
    say("Making the environment in .venv; this is done once and takes a minute or two.")
    STAMP.unlink(missing_ok=True)
    base = getattr(sys, "_base_executable", None) or sys.executable  # never the Python of the one to be replaced
    _must([base, "-m", "venv", "--clear", str(VENV)], "The environment in .venv could not be created")
    pip = [str(venv_python(VENV, sys.platform)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _must([*pip, "--require-hashes", "-r", str(LOCK)], "The packages could not be installed; is the network reachable?")
    own = ["--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT)]
    _must([*pip, *own], "Fronteira itself could not be installed into .venv")
    written = STAMP.with_suffix(".new")
    written.write_text(wanted + "\n", encoding="utf-8")
    written.replace(STAMP)


def _must(command: Sequence[str], sentence: str) -> None:
    code = _call(command)
    if code != 0:
        raise Fault(f"{sentence} (exit code {code}; the reason stands above).")


def _call(command: Sequence[str], *, quiet: bool = False) -> int:
    """Run a step and give its exit code; a quiet one is heard only when it fails."""
    if not quiet:
        return subprocess.run(list(command), stdout=sys.stderr, close_fds=False, check=False).returncode
    step = subprocess.run(list(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if step.returncode != 0:
        say(step.stdout.rstrip())
    return step.returncode


def launch(command: Sequence[str]) -> int:
    """Become the command inside the environment; on Windows, which cannot, wait for it and give its exit code."""
    environ = inside(os.environ, VENV, sys.platform)
    program = shutil.which(command[0], path=environ["PATH"])
    if program is None:
        raise Fault(f"There is no command {command[0]!r}, neither in the environment nor on this machine.")
    if sys.platform == "win32":
        return subprocess.run([program, *command[1:]], env=environ, check=False).returncode
    return _become(program, command, environ)


def _become(program: str, command: Sequence[str], environ: Mapping[str, str]) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(program, list(command), dict(environ))  # noqa: S606 - no shell is wanted


def inside(environ: Mapping[str, str], venv: Path, platform: str) -> dict[str, str]:
    """The variables of a shell in which `venv` was activated."""
    scripts = str(venv_python(venv, platform).parent)
    separator = ";" if platform == "win32" else ":"
    changed = {key: value for key, value in environ.items() if key != "PYTHONHOME"}
    changed["VIRTUAL_ENV"] = str(venv)
    changed["PATH"] = separator.join(part for part in (scripts, environ.get("PATH", "")) if part)
    return changed


def newer_python() -> str:
    """The path of a Python that is new enough, looked for by its usual names; a stand-in that does not run is none."""
    for minor in (13, 12, 11):
        found = shutil.which(f"python3.{minor}")
        if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
            return found
    raise Fault(f"Fronteira needs Python 3.{MINIMUM[1]} or newer; this is {sys.version.split()[0]}.")


def _start_again_with(python: str, arguments: Sequence[str]) -> int:
    return subprocess.run([python, str(Path(__file__).resolve()), *arguments], check=False).returncode


def say(sentence: str) -> None:
    """One sentence to the person, beside the output of what is started."""
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
