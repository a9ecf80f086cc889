"""Whether requests can be made as the settings say: credentials by reference, origins and addresses well-formed."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

from core.errors import Problem
from core.fetch.headers import OURS
from core.fetch.secrets import is_reference, is_secret_header
from core.urls import Url, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.settings import CrawlSettings

OWN_HEADERS = OURS | {"user-agent"}


def fetch_errors(settings: CrawlSettings) -> Iterator[Problem]:
    """What is wrong with the user agent, content types, credentials, addresses."""
    fetch = settings.fetch
    if not fetch.user_agent.isprintable() or not fetch.user_agent.isascii():
        yield Problem("fetch.user_agent", "The user agent may hold printable ASCII characters only.")
    yield from _content_type_errors(fetch.content_types)
    yield from _credential_errors(settings)
    for key, text in (("fetch.proxy", fetch.proxy), ("notify.webhook", settings.notify.webhook)):
        yield from _endpoint_errors(key, text)
    for host, address in fetch.resolve.items():
        if not _is_address(address):
            yield Problem(f"fetch.resolve.{host}", f"“{address}” is no IP address; allowed is one such as 203.0.113.7.")


def _content_type_errors(types: tuple[str, ...]) -> Iterator[Problem]:
    for number, text in enumerate(types):
        if not re.fullmatch(r"[\w.+*-]+/[\w.+*-]+", text):
            yield Problem(
                f"fetch.content_types[{number}]", f"“{text}” is no content type; allowed is one such as text/html."
            )


def _credential_errors(settings: CrawlSettings) -> Iterator[Problem]:
    fetch = settings.fetch
    for number, header in enumerate(fetch.headers):
        key = f"fetch.headers[{number}]"
        yield from _origin_errors(f"{key}.origin", header.origin)
        if header.name.lower() in OWN_HEADERS:
            yield Problem(f"{key}.name", f"The header {header.name} is set by the program; any other name is allowed.")
        if is_secret_header(header.name):
            yield from _secret_errors(f"{key}.value", header.value)
        elif not header.value.isprintable():
            yield Problem(f"{key}.value", "A header's value may hold no line break and no control character.")
    for number, login in enumerate(fetch.auth):
        yield from _origin_errors(f"fetch.auth[{number}].origin", login.origin)
        yield from _secret_errors(f"fetch.auth[{number}].password", login.password)
        if ":" in login.user:
            yield Problem(f"fetch.auth[{number}].user", "A user name for basic authentication holds no colon.")
    for number, cookie in enumerate(fetch.cookies):
        yield from _origin_errors(f"fetch.cookies[{number}].origin", cookie.origin)
        yield from _secret_errors(f"fetch.cookies[{number}].value", cookie.value)


def _secret_errors(key: str, value: str) -> Iterator[Problem]:
    # The value itself is never shown: it may be the secret.
    if not is_reference(value):
        yield Problem(key, "A secret is never written here; allowed is a reference, env:NAME or keyring:NAME.")


def _origin_errors(key: str, text: str) -> Iterator[Problem]:
    url = parse(text)
    if not isinstance(url, Url) or url.target != "/" or any(mark in text for mark in "?#@"):
        yield Problem(key, f"“{_without_login(text)}” is no origin; allowed is scheme://host or scheme://host:port.")


def _endpoint_errors(key: str, text: str) -> Iterator[Problem]:
    if not text:
        return
    if not isinstance(parse(text), Url):
        yield Problem(key, f"“{_without_login(text)}” is no address; allowed is http://… or https://…")
    elif "@" in text.partition("://")[2].partition("/")[0]:
        yield Problem(key, "The address holds a user name or password; allowed is an address without them.")


def _without_login(text: str) -> str:
    return text.rpartition("@")[2]


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
