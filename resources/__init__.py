"""The files the program carries with it: the typeface, the mark and the small images of the style sheet.

They travel inside the package, so a path is right in a checkout, an installed wheel and a frozen program alike.
"""

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def path(name: str) -> Path:
    """The file of that name, such as `"icons/fronteira.svg"`; raises FileNotFoundError where none is bundled."""
    found = _HERE / name
    if not found.is_file():
        raise FileNotFoundError(f"No such bundled file: {name}")
    return found


def fonts() -> tuple[Path, ...]:
    """The faces of Inter (SIL Open Font License, see fonts/OFL.txt), to be given to QFontDatabase at the start."""
    return tuple(sorted((_HERE / "fonts").glob("*.ttf")))
