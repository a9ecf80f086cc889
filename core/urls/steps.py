"""How a typed text became its key form, step by step, for a person who asks why two pages are one (or are not)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from core.urls.escapes import safe_path, safe_query
from core.urls.forms import plan
from core.urls.hosts import ascii_host
from core.urls.parser import clean, parse, port_number, split, without_dots
from core.urls.url import PORTS, Rejected, Url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.urls.rules import Rules

_USER_INFO = re.compile(r"((?:[A-Za-z][A-Za-z0-9+.-]*+:[/\\]*+|[/\\]{2}[/\\]*+))[^/\\?#]*@")


@dataclass(frozen=True, slots=True)
class Step:
    """One rule that changed the text. Both sides are whole URLs, but for the very first `before`: the text typed."""

    rule: str
    before: str
    after: str


def explain(text: str, rules: Rules, base: Url | None = None, *, charset: str = "utf-8") -> list[Step]:
    """Each step from `text` to its key form that changed something; none where the text is rejected.

    `charset` is the one of the page it stands on, as for `parse`. User information is cut from the first text and
    never shown.
    """
    url = parse(text, base, charset=charset)
    if isinstance(url, Rejected):
        return []
    steps: list[Step] = []
    before = without_user_info(text)
    for rule, after in chain(_safe_stages(text, base, charset), _form_stages(url, rules)):
        if after != before:
            steps.append(Step(rule, before, after))
        before = after
    return steps


def without_user_info(text: str) -> str:
    """The text as typed, with `user:password@` cut out; safe to show, store and log."""
    read = clean(text)  # white space inside must not hide it
    match = _USER_INFO.match(read)
    return match.group(1) + read[match.end() :] if match else text


def _safe_stages(text: str, base: Url | None, charset: str) -> Iterator[tuple[str, str]]:
    text = clean(text)
    yield "whitespace", without_user_info(text)
    text = text.partition("#")[0]
    yield "fragment", without_user_info(text)
    parts = split(text, base)
    if isinstance(parts, Rejected):
        return
    yield "join", parts.text
    parts = replace(parts, host=ascii_host(parts.host) or parts.host)
    yield "host", parts.text
    port = port_number(parts.port, parts.scheme)
    parts = replace(parts, port="" if port == PORTS[parts.scheme] else str(port))
    yield "port", parts.text
    query = None if parts.query is None else safe_query(parts.query, charset)
    parts = replace(parts, path=safe_path(parts.path), query=query)
    yield "escapes", parts.text
    yield "dot_segments", replace(parts, path=without_dots(parts.path)).text


def _form_stages(url: Url, rules: Rules) -> Iterator[tuple[str, str]]:
    chosen = plan(rules)
    for rule, step in chosen.fetch + chosen.key:
        url = url.with_target(step(url.target))
        yield rule, url.text
    for rule, move in chosen.origin:
        url = move(url)
        yield rule, url.text
