"""What others leave in the file for the engine: wishes, and newer settings.

Another tenant counts from the next start on: a session ends as whose it began.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.settings import CrawlSettings, decode
from core.store.names import WishKind
from core.store.query import row, rows, value
from core.store.session_wishes import wished_since
from core.store.write.remarks import Remark

if TYPE_CHECKING:
    import apsw


@dataclass(frozen=True, slots=True)
class Asked:
    """What others left in the file since the last look."""

    wishes: tuple[WishKind, ...] = ()
    settings: CrawlSettings | None = None
    changed: bool = False  # new settings, to be put in force by `Writer.use`


class Inbox:
    """Read by the writer's thread."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._data_version = -1
        self._remarks: list[Remark] = []
        self.settings_version, self.settings = self._newest_settings()

    def look(self) -> Asked:
        """One cheap read when nobody wrote."""
        version: int = value(self._connection, "PRAGMA data_version")
        if version == self._data_version:
            return Asked()
        self._data_version = version
        wishes = rows(self._connection, "SELECT kind FROM wish WHERE done IS NULL ORDER BY id")
        newest, settings = self._newest_settings()
        kinds = tuple(WishKind(kind) for (kind,) in wishes if kind in WishKind.__members__.values())
        if newest == self.settings_version:
            return Asked(kinds)
        settings = self._for_this_tenant(settings)
        self.settings_version, self.settings = newest, settings
        return Asked(kinds, settings, changed=True)

    def is_wished(self, kind: WishKind) -> bool:
        """Whether this waits to be carried out."""
        return row(self._connection, "SELECT 1 FROM wish WHERE done IS NULL AND kind = ?", (kind,)) is not None

    def close(self, at: float, *kinds: WishKind) -> None:
        """Mark wishes as carried out, inside a transaction."""
        marks = ", ".join("?" * len(kinds))
        self._connection.execute(f"UPDATE wish SET done = ? WHERE done IS NULL AND kind IN ({marks})", (at, *kinds))

    def keeps_running(self, session: int) -> bool:
        """Whether the window asked this session to go on when it closes."""
        started = value(self._connection, "SELECT started FROM session WHERE id = ?", (session,))
        return wished_since(self._connection, WishKind.KEEP, started)

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return remarks

    def _for_this_tenant(self, settings: CrawlSettings) -> CrawlSettings:
        if settings.tenant == self.settings.tenant:
            return settings
        message = f"The tenant is {settings.tenant} from the next start on; until then it stays {self.settings.tenant}."
        self._remarks.append(Remark("warning", "settings", message))
        return replace(settings, tenant=self.settings.tenant)

    def _newest_settings(self) -> tuple[int, CrawlSettings]:
        version, text = row(self._connection, "SELECT version, json FROM setting ORDER BY version DESC LIMIT 1")
        return version, decode(text)
