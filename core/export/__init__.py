"""Tables as files: CSV and JSON Lines. One format is one file and one line in base.FORMATS."""

from core.export.base import FORMATS, Cancelled, export

__all__ = ["FORMATS", "Cancelled", "export"]
