r"""The narrowest pattern, in the analyst's own form (patterns.py), that a number of URLs have in common. Pure.

    /calendar/2026/1, /calendar/2027/2         /calendar/
    /list?page=1&sort=a, /list?page=2&sort=a   /list$?page=&sort=a
    /a/reviews, /b/reviews                     /*/reviews$

Whole segments of paths are compared, whole parameters of queries. What all URLs have is spelled out, what differs is a
star; a path that ends in stars alone is left open, since a space that grows goes deeper.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from core.errors import BadPattern
from core.policy.patterns import LONGEST_PATTERN, compile_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.urls import Url


_ALL = frozenset({"", "/", "/*", "/?"})  # a whole site is no space within it


def common_pattern(urls: Sequence[Url], *, with_host: bool) -> str:
    """A pattern that matches all these URLs (key forms); empty where they have nothing in common, or are none.

    `with_host` puts the host in front, if it is one: where a crawl has others.
    """
    host = _host(urls) if with_host else ""
    path, query = _path([url.path for url in urls]), _query(urls)
    candidates = (f"{path}{query}", path, _head(path))
    return next(
        (f"{host}{text}" for text in candidates if text not in _ALL and _matches_all(f"{host}{text}", urls)), ""
    )


def _matches_all(text: str, urls: Sequence[Url]) -> bool:
    try:
        pattern = compile_pattern(text)
    except BadPattern:
        return False
    return bool(urls) and len(text) <= LONGEST_PATTERN and all(pattern.matches(url) for url in urls)


def _host(urls: Iterable[Url]) -> str:
    """The host, with the port where that is not the scheme's own, if all URLs have one."""
    hosts = {url.origin.partition("://")[2] for url in urls}
    return hosts.pop() if len(hosts) == 1 else ""


def _path(paths: Sequence[str]) -> str:
    if len(set(paths)) == 1:
        return f"{_word(paths[0])}$"
    split = [path.split("/")[1:] for path in paths]
    if len({len(parts) for parts in split}) == 1:
        return _closed([_segment(parts) for parts in zip(*split, strict=True)])
    head = _same(split)
    if any(len(parts) == len(head) for parts in split):  # one is the folder, or the prefix, of all
        return "/" + "/".join(map(_word, head))
    tail = _same([parts[: len(head) - 1 : -1] if head else parts[::-1] for parts in split])[::-1]
    return _closed([*map(_word, head), "*", *map(_word, tail)])


def _same(split: Sequence[Sequence[str]]) -> list[str]:
    """The segments with which all begin."""
    if not split:
        return []
    return [parts[0] for parts in takewhile(lambda parts: len(set(parts)) == 1, zip(*split, strict=False))]


def _segment(parts: Sequence[str]) -> str:
    """What one segment has in common: all, a beginning that ends where a word or number does, or nothing."""
    if len(set(parts)) == 1:
        return _word(parts[0])
    shortest = min(map(len, parts))
    size = sum(1 for _ in takewhile(lambda chars: len(set(chars)) == 1, zip(*parts, strict=False)))
    while size and any(_goes_on(part, size) for part in parts):
        size -= 1
    return f"{_word(parts[0][: min(size, shortest)])}*"


def _goes_on(part: str, size: int) -> bool:
    """Whether a cut here would lie within a word, a number, or an escape."""
    if "%" in part[max(0, size - 2) : size]:
        return True
    before, after = part[size - 1], part[size : size + 1]
    return (before.isdigit() and after.isdigit()) or (before.isalpha() and after.isalpha())


def _closed(segments: Sequence[str]) -> str:
    """A path whose last segments are all stars is open; any other one ends where the URLs end."""
    kept = list(segments)
    while kept and kept[-1] == "*":
        kept.pop()
    if len(kept) == len(segments):
        text = "/" + "/".join(kept)
        return text if text.endswith("*") else f"{text}$"
    return "".join(f"/{segment}" for segment in kept) + "/"


def _head(path: str) -> str:
    """What stands before the first star: the pattern of last resort."""
    return path.partition("*")[0].rstrip("\\$")


def _query(urls: Sequence[Url]) -> str:
    """The parameters that all URLs have: with their value where that is one, else by their name."""
    pairs = [_parameters(url.query) for url in urls]
    if not pairs or not all(pairs):
        return ""
    names = [name for name in pairs[0] if all(name in found for found in pairs)]
    values = {name: {value for found in pairs for value in found[name]} for name in names}
    asked = (f"{_word(name)}={_word(next(iter(values[name]))) if len(values[name]) == 1 else ''}" for name in names)
    return "?" + "&".join(asked)


def _parameters(query: str) -> dict[str, list[str]]:
    """Every parameter with its values."""
    found: dict[str, list[str]] = {}
    for part in query.removeprefix("?").split("&"):
        if part:
            name, _, value = part.partition("=")
            found.setdefault(name, []).append(value)
    return found


def _word(text: str) -> str:
    r"""Text that stands for itself. A backslash before a star would make it one."""
    return text.replace("\\", "%5C").replace("*", "\\*")
