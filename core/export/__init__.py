"""Tables as files: CSV, JSON Lines, XLSX and Parquet, kept responses as WARC: a format is a file and a line in base."""

from core.export.base import FORMATS, Cancelled, export

__all__ = ["FORMATS", "Cancelled", "export"]
