"""The hidden command by which the window starts the process that tries its rules."""

from __future__ import annotations

import sys


def try_rules() -> int:
    """Answer questions on standard input until it closes."""
    from core.preview.rule_process import serve

    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0
