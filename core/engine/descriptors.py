"""Room for connections: a system may let a process open 256 files at first, and an engine asks up to 1,024 hosts.

Without it a connection is refused by our own system, and the page counts as one that cannot be reached.
"""

from __future__ import annotations

import os

ENOUGH = 10_240  # macOS allows no more, whatever its hard limit says


def open_the_limit() -> int | None:
    """Raise this process's own limit of open files as far as it may, and answer it; None where there is none to set."""
    if os.name != "posix":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(hard, ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
