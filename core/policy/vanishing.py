"""Whether it is believed that pages are gone when many of them go at once: the whole rule, in one place. Pure.

A shop takes out a few products a day. That a tenth of a host is gone from one run to the next is more often a fault: of
a release, of a login, of a proxy that answers 404 for everything. Then nothing is marked, until the analyst has looked.
A handful is always believed, for a small site changes by large shares.
"""

from __future__ import annotations

MANY = 10  # pages, or records
SHARE = 0.1  # of those that were there


def doubt(vanished: int, there: int) -> str:
    """Why it is not believed that `vanished` are gone of `there` (those that vanished included); "" where it is."""
    if vanished < MANY or vanished < SHARE * there:
        return ""
    share = min(1.0, vanished / max(1, there))
    return f"{vanished:,} of {there:,} ({share:.0%})"
