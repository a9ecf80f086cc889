"""`salvage`: every row that can be had of a damaged or foreign file, in a fresh one."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from core.commands.output import say

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.rescue.salvage import Salvage

CONFIRM = "These settings were left out. Look at them in the old file; `--trust-settings` keeps them all."


def salvage(path: Path, to: Path, *, trusted: bool, as_json: bool) -> int:
    """Rescue and report; nothing is started, and the old file stays as it is. 1 where the new one is not sound."""
    from core.store.rescue.salvage import salvage as rescue

    found = rescue(path, to, time.time(), trusted=trusted)
    if as_json:
        say(json.dumps(_stable(found), ensure_ascii=False))
    else:
        say("\n".join((*found.sentences(), *([CONFIRM] if found.left_out else []))))
    return 0 if found.sound else 1


def _stable(found: Salvage) -> dict[str, Any]:
    return {
        "rows": found.rows,
        "sound": found.sound,
        "trusted": found.trusted,
        "tables": {
            table.name: {
                "rows": table.rows,
                "whole": table.whole,
                "lost_pages": table.lost_pages,
                "bad_rows": table.bad_rows,
            }
            for table in found.tables
        },
        "mended": found.mended,
        "responses": found.responses,
        "left_out": [problem.key for problem in found.left_out],
    }
