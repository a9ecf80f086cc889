"""A redirect to another spelling of a page's own key is kept beside the page's answers, with where it led."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw


def run(connection: apsw.Connection) -> None:
    """A column more; nothing that is there changes."""
    connection.execute('ALTER TABLE "capture" ADD COLUMN "led_to" TEXT')
