"""What every seed source gives: addresses as written, and what is to be said about them."""

from __future__ import annotations

from dataclasses import dataclass

MOST_WARNINGS = 100


@dataclass(frozen=True, slots=True)
class Found:
    """One address a source names. `lastmod` is the source's own word for its last change (W3C date), if it has one."""

    url_text: str
    lastmod: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Warned:
    """Something a source did wrong that cost no more than it says; `line` from 1 where it is known."""

    message: str
    line: int | None = None

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message


class Warnings:
    """Collects warnings up to a bound, and says how many more there were."""

    def __init__(self) -> None:
        self._kept: list[Warned] = []
        self._left_out = 0

    def add(self, message: str, line: int | None = None) -> None:
        """One more, a sentence."""
        if len(self._kept) < MOST_WARNINGS:
            self._kept.append(Warned(message, line))
        else:
            self._left_out += 1

    def all(self) -> tuple[Warned, ...]:
        """Those that were kept, and a last one that counts the others."""
        more = (Warned(f"{self._left_out} further warnings were left out."),) if self._left_out else ()
        return (*self._kept, *more)


def clipped(text: str, most: int = 200) -> str:
    """A foreign text short enough to stand in a message."""
    return text if len(text) <= most else text[: most - 1] + "…"
