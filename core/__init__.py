"""Fronteira's headless half: everything but the window. No Qt anywhere below here."""

__version__ = "0.1.0"
