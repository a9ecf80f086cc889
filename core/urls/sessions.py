"""Session ids in URLs: told by name where the name can mean nothing else, by name and value where it can.

`sid=42` is a category; `sid=` and 32 random characters is a session (the rule of Heritrix' StripSessionIDs, widened to
the 26 characters and more that PHP writes).
"""

from __future__ import annotations

import re

_SURE = frozenset({"jsessionid", "phpsessid", "oscsid", "zenid", "cfid", "cftoken"})
_LIKELY = frozenset({"sid", "sessid", "session", "sessionid", "session_id", "session-id"})
_ASP = re.compile(r"aspsessionid[a-z]{8}")
_RANDOM = re.compile(r"(?=[^0-9]*+[0-9])[0-9A-Za-z,_-]{26,128}+")
_IN_PATH = re.compile(r";jsessionid=[^;/]*+", re.IGNORECASE)


def is_session(name: str, value: str) -> bool:
    """Whether this parameter carries a session id and nothing else."""
    folded = name.lower()
    if folded in _SURE or _ASP.fullmatch(folded):
        return value != ""
    return folded in _LIKELY and _RANDOM.fullmatch(value) is not None


def without_path_session(path: str) -> str:
    """The path without `;jsessionid=...`, as servlet containers write it."""
    return _IN_PATH.sub("", path) if ";" in path else path
