"""The hidden command by which the engine starts its page reader."""

from __future__ import annotations

import sys


def read_pages() -> int:
    """Serve pages on standard input until it closes."""
    from core.engine.worker import serve

    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0
