"""Whether a window can be shown here: Qt ends the whole process where there is no display, without a clear word."""

from __future__ import annotations

import os
import sys

from core.errors import BadInput


def require_display() -> None:
    """Raises BadInput where a window cannot be shown."""
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in PLACES):
        raise BadInput(
            "There is no display for the window here.", "Use the commands without it: see `fronteira --help`."
        )


PLACES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
