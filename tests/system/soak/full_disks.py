"""Disks that grow full: the run ends with status 1 and says why, and goes on once there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.system.soak.engine_deaths import up_to
from tests.system.soak.fate import Fate
from tests.system.soak.life import ended
from tests.system.soak.sound import assert_sound, status

if TYPE_CHECKING:
    from tests.system.soak.life import Life

MOST_ROOM = 2_500_000  # bytes; about what a run of the shop takes


def grows_full(life: Life) -> bool:
    """An engine on a disk with a little room; False where that was enough."""
    fate = Fate("full", room=up_to(life, MOST_ROOM), fold_every=life.chance.choice((0, 40)))
    begun = status(life.path)["state"] != "idle"
    code, err = ended(life.engine(fate))
    life.story.append(f"{fate.room} bytes of room: ended with {code}")
    assert_sound(life.path)
    found = status(life.path)
    if code == 0:
        assert found["state"] == "finished"
        return False
    assert code == 1, err
    assert err.count("\n") == 1, err
    assert "full" in err
    told = found["state"] == "crashed" and found["reason"].startswith("disk: ")
    assert told or found["state"] == "finished" or not begun, found
    return True
