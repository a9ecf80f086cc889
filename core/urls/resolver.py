"""One page's links: each href joined with the page's base and brought into both forms.

The two commonest spellings, `/path` and `http://same-host/path`, are recognised as already safe by one expression and
never taken apart. The answer is always that of `parse`, `fetch_form` and `key_form`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.urls.forms import plan
from core.urls.parser import SAFE_TARGET, parse
from core.urls.url import Rejected, Url

if TYPE_CHECKING:
    from core.urls.rules import Rules

_REMEMBERED = 512  # menus and footers repeat; the rest of a page hardly does
_QUICK_LENGTH = 2048


class Resolver:
    """Resolves the hrefs of one page. `base` is the page's (or its `<base>`), `charset` the one it was decoded with."""

    __slots__ = ("_base", "_charset", "_memo", "_plan", "_root", "_skip")

    def __init__(self, base: Url, rules: Rules, charset: str = "utf-8") -> None:
        self._base = base
        self._charset = charset
        self._plan = plan(rules)
        self._root = base.origin + "/"
        self._skip = len(base.origin)
        self._memo: dict[str, tuple[Url, Url] | Rejected] = {}

    def resolve(self, href: str) -> tuple[Url, Url] | Rejected:
        """The fetch form and the key form of a link, or why it is none. One value serves as both where they agree."""
        found = self._memo.get(href)
        if found is None:
            found = self._resolved(href)
            if len(self._memo) < _REMEMBERED:
                self._memo[href] = found
        return found

    def _resolved(self, href: str) -> tuple[Url, Url] | Rejected:
        target = self._safe_target(href)
        if target is None:
            url = parse(href, self._base, charset=self._charset)
            return url if isinstance(url, Rejected) else self._forms(url)
        base = self._base
        url = Url(base.scheme, base.host, base.port, target)
        if self._plan.plain and "?" not in target:
            return (url, url)
        return self._forms(url)

    def _safe_target(self, href: str) -> str | None:
        if len(href) > _QUICK_LENGTH:
            return None
        if href.startswith(self._root):
            href = href[self._skip :]
        match = SAFE_TARGET.match(href)
        return match.group(1) if match else None

    def _forms(self, url: Url) -> tuple[Url, Url]:
        fetch = url.with_target(self._plan.fetch_target(url.target))
        return (fetch, self._plan.key_of_fetch(fetch))
