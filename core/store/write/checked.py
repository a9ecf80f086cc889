"""Since when the content checks of now are in force: a page that was fetched before was put to others, or to none."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from core.policy.patterns import compile_pattern
from core.store.query import value
from core.urls import Rules, key_form

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.urls import Url

SLACK = 60.0  # seconds: what was in flight as they changed ended by the rules it began with

LAST_CHANGE = """
SELECT min(at) FROM setting WHERE version > (
    SELECT max(version) FROM setting WHERE json_extract(json, '$.pages.checks') IS NOT
        (SELECT json_extract(json, '$.pages.checks') FROM setting ORDER BY version DESC LIMIT 1))"""


class Checked:
    """For one version of the settings, which is the newest in the file."""

    def __init__(self, connection: apsw.Connection, settings: CrawlSettings) -> None:
        compiled = partial(
            compile_pattern, lower_path=settings.normalise.lower_path, ignore_www=settings.normalise.ignore_www
        )
        self._patterns = [compiled(check.pattern) for check in settings.pages.checks]
        self._rules = Rules.of(settings.normalise)
        changed = value(connection, LAST_CHANGE) if self._patterns else None
        self._since = 0.0 if changed is None else changed + settings.fetch.timeout + SLACK

    def since(self, url: Url) -> float:
        """The wall time from which on answers of this URL were put to these checks; 0 where none is meant for it."""
        if not self._since:
            return 0.0
        key = key_form(url, self._rules)
        return self._since if any(pattern.matches(key) for pattern in self._patterns) else 0.0
