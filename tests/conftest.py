"""No test opens a window on somebody's screen, or ends for want of one; and every run tries the same examples."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Long runs with other chances each time are the fuzz tests' (tests/fuzzing.py).
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")
