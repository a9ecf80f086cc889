"""No test opens a window on somebody's screen, or ends for want of one."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
