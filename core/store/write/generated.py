"""Generated spaces: a hundred URLs with one content raise an alarm that names the pattern they have in common (7.2).

Once for each pattern, whatever becomes of the alarm: what was told stands in the file, so that neither a kill nor the
next run tells it again. Where the pattern would take out pages of another content too, the alarm says how many.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from core.errors import BadPattern
from core.policy.common_pattern import common_pattern
from core.policy.patterns import compile_pattern
from core.store.query import rows, value
from core.store.words import quantity
from core.store.write.remarks import Remark
from core.urls import Rules, Url, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from core.settings import CrawlSettings
    from core.store.results import PageResult
    from core.store.write.hosts import Hosts

KIND = "generated"  # of the alarm and of the log's line
MANY = 100  # URLs with one content (SPEC, 7.2)
MOST = 500  # of them that are looked at
OTHERS = 2_000  # pages of the host that are looked at for another content

COUNT = f"SELECT count(*) FROM (SELECT 1 FROM page WHERE content_hash = ? LIMIT {MANY})"
ALIKE = f"""
SELECT base || path FROM page JOIN url ON url.id = page.url_id JOIN origin ON origin.id = origin_id
    JOIN host ON host.id = url.host_id
WHERE content_hash = ? AND tenant = ? AND soft_block = 0 ORDER BY page.url_id LIMIT {MOST}"""
OTHER = f"""
SELECT base || path FROM url JOIN origin ON origin.id = origin_id JOIN page ON page.url_id = url.id
WHERE url.host_id = ? AND useful AND content_hash <> ? ORDER BY url.id DESC LIMIT {OTHERS}"""


class GeneratedSpaces:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts) -> None:
        self._connection = connection
        self._hosts = hosts
        self._told: set[bytes] = set()
        self._rules: Rules

    def use(self, settings: CrawlSettings) -> None:
        """These rules make the key forms that patterns see."""
        self._rules = Rules.of(settings.normalise)

    def note(self, result: PageResult, at: float) -> Remark | None:
        """A page was stored: whether its content is that of a generated space nobody knows of yet."""
        content = result.parsed.content_hash if result.parsed is not None else None
        if content is None or content in self._told or result.parsed is None or result.parsed.soft_block:
            return None
        if value(self._connection, COUNT, (content,)) < MANY:
            return None
        urls = self._keys(ALIKE, (content, self._hosts.tenant))
        if len(urls) < MANY:
            return None
        self._told.add(content)
        space = _largest_space(urls, with_host=sum(1 for _ in self._hosts) > 1)
        return self._raise(*space, content, result.work.host, at)

    def _raise(self, pattern: str, urls: Sequence[Url], content: bytes, host: int, at: float) -> Remark | None:
        name = urls[0].host
        message = f"{MANY} URLs have one and the same content, {_examples(urls)}: it seems that they are generated."
        if pattern:
            message += f" They have the pattern {pattern} in common.{self._beside(pattern, content, host)}"
        else:
            message += " They have no pattern in common that would not take out the whole site."
        if self._is_known(pattern, urls, message):
            return None
        self._connection.execute(
            "INSERT INTO alarm(kind, pattern, host, message, raised) VALUES (?, ?, ?, ?, ?)",
            (KIND, pattern, name, message, at),
        )
        return Remark("warning", KIND, message, name, urls[0].text)

    def _beside(self, pattern: str, content: bytes, host: int) -> str:
        """How many useful pages of another content the pattern matches, of those that were found last."""
        compiled = compile_pattern(pattern)
        count = sum(map(compiled.matches, self._keys(OTHER, (host, content))))
        return f" It matches at least {quantity(count, 'useful page')} of another content too." if count else ""

    def _is_known(self, pattern: str, urls: Sequence[Url], message: str) -> bool:
        """Whether an alarm was ever raised for this pattern, or for one that takes all of these in."""
        for text, said in rows(self._connection, "SELECT pattern, message FROM alarm WHERE kind = ?", (KIND,)):
            if text == pattern and (pattern or said == message):
                return True
            if text and _takes_in(text, urls):
                return True
        return False

    def _keys(self, sql: str, values: tuple[object, ...]) -> list[Url]:
        urls = (parse(text) for (text,) in rows(self._connection, sql, values))
        return [key_form(url, self._rules) for url in urls if isinstance(url, Url)]


def _largest_space(urls: Sequence[Url], *, with_host: bool) -> tuple[str, Sequence[Url]]:
    """The pattern of all URLs and these; where they have none, of those below one folder, if they are half of them."""
    pattern = common_pattern(urls, with_host=with_host)
    if pattern:
        return pattern, urls
    folders: defaultdict[tuple[str, str], list[Url]] = defaultdict(list)
    for url in urls:
        folders[url.host, url.path.split("/")[1]].append(url)
    largest = max(folders.values(), key=len)
    pattern = common_pattern(largest, with_host=with_host) if len(largest) * 2 >= len(urls) else ""
    return (pattern, largest) if pattern else ("", urls)


def _takes_in(text: str, urls: Sequence[Url]) -> bool:
    try:
        return all(map(compile_pattern(text).matches, urls))
    except BadPattern:  # of a file that another version wrote
        return False


def _examples(urls: Sequence[Url]) -> str:
    return f"{urls[0].text} and {urls[-1].text} among them"
