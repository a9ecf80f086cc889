"""Numbers as people read them on the command line."""

from __future__ import annotations

UNITS = ("B", "kB", "MB", "GB", "TB")


def size(octets: float) -> str:
    """Bytes in powers of 1,000."""
    power = 0
    while octets >= 999.95 and power < len(UNITS) - 1:
        octets /= 1000
        power += 1
    return f"{octets:,.{1 if power else 0}f} {UNITS[power]}"
