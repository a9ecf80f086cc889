"""The colours of the window by role, light and dark: the only place where a colour is written down.

Colour is for state; everything else is text, line and ground. The four series are the charts'.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """One set of colours, each a `#rrggbb` text."""

    name: str
    background: str
    sidebar: str
    card: str
    field: str
    line: str
    line_strong: str
    text: str
    muted: str
    faint: str
    accent: str
    accent_tint: str
    accent_text: str
    good: str
    good_tint: str
    warning: str
    warning_tint: str
    warning_line: str
    bad: str
    bad_tint: str
    hover: str
    selection: str
    series: tuple[str, str, str, str]


LIGHT = Tokens(
    name="light",
    background="#f6f7f9",
    sidebar="#eef0f3",
    card="#ffffff",
    field="#ffffff",
    line="#e1e4e9",
    line_strong="#cdd2da",
    text="#1b1f27",
    muted="#596273",
    faint="#737c8c",
    accent="#2f5fe0",
    accent_tint="#e8eefd",
    accent_text="#ffffff",
    good="#187a4b",
    good_tint="#e2f4ea",
    warning="#8a5a00",
    warning_tint="#fff6e0",
    warning_line="#f0d08a",
    bad="#c0322b",
    bad_tint="#fdebea",
    hover="#e6e9ee",
    selection="#dfe7fb",
    series=("#2f5fe0", "#c2570c", "#7a3fc9", "#0f8276"),
)

DARK = Tokens(
    name="dark",
    background="#15171c",
    sidebar="#101216",
    card="#1c1f26",
    field="#14161b",
    line="#2b303a",
    line_strong="#3b424f",
    text="#e7e9ee",
    muted="#a3abba",
    faint="#858e9f",
    accent="#6d96ff",
    accent_tint="#1f2c4d",
    accent_text="#0d1016",
    good="#55cf92",
    good_tint="#16301f",
    warning="#f0bd55",
    warning_tint="#2e2615",
    warning_line="#5c4a1d",
    bad="#ff7b72",
    bad_tint="#3a1b1b",
    hover="#252a33",
    selection="#24325a",
    series=("#6d96ff", "#f39a55", "#b892ff", "#42c7b5"),
)
