"""`migrate`: a file of an earlier version brought up to date. Commands that write do it by themselves."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from core.store.crawl_file import inspect

if TYPE_CHECKING:
    from pathlib import Path


def migrate(path: Path) -> int:
    """Bring an older file up to date; the file as it was is kept beside it."""
    if not use_older(path):
        print(f"fronteira: {path} is up to date.", file=sys.stderr)
    return 0


def use_older(path: Path) -> bool:
    """Bring the file up to date where an earlier version made it, and tell where the original is; whether it was."""
    if not inspect(path).older:
        return False
    from core.store.migrations.upgrade import bring_up_to_date  # rarely needed

    kept = bring_up_to_date(path)
    print(
        f"fronteira: {path} was made by an earlier version and has been brought up to date. The file as it was is "
        f"kept as {kept}; delete it when you no longer need it.",
        file=sys.stderr,
    )
    return True
