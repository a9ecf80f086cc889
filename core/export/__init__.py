"""Tables as files: CSV, JSON Lines, XLSX and Parquet. One format is one file and one line in base.FORMATS."""

from core.export.base import FORMATS, Cancelled, export

__all__ = ["FORMATS", "Cancelled", "export"]
