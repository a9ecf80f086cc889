"""A proxy between us and the servers, only where the analyst names one; the environment's is never used."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from core.errors import BadInput
from core.fetch.fault import Fault
from core.fetch.secrets import is_reference
from core.urls.parser import parse
from core.urls.url import Url

if TYPE_CHECKING:
    from core.fetch.secrets import Secrets

_LONGEST_REPLY = 16_384


@dataclass(frozen=True, slots=True)
class Proxy:
    """Where the proxy is; user and password as the settings have them, the password perhaps a reference."""

    host: str
    port: int
    user: str = ""
    password: str = ""

    def authorization(self, secrets: Secrets) -> bytes:
        """The header line that the proxy alone gets, or nothing. Raises SecretMissing."""
        if not self.user:
            return b""
        pair = f"{self.user}:{secrets.resolve(self.password)}".encode()
        return b"Proxy-Authorization: Basic " + b64encode(pair) + b"\r\n"


def parse_proxy(text: str) -> Proxy | None:
    """The proxy that `fetch.proxy` names: `http://[user:env:NAME@]host:port`, or None where it is empty.

    Raises BadInput where it is no http proxy, or where its password is written out.
    """
    if not text:
        return None
    scheme, _, rest = text.partition("://")
    login, _, place = rest.rpartition("@")
    url = parse(f"http://{place}")
    if scheme.lower() != "http" or not isinstance(url, Url):
        raise BadInput("fetch.proxy is no proxy that can be used.", "Write it as http://host:port.")
    user, _, password = login.partition(":")
    if password and not is_reference(password):
        raise BadInput("fetch.proxy holds a password.", "Write it as http://user:env:NAME@host:port.")
    return Proxy(url.host, url.port, unquote(user), password)


class Tunnel(asyncio.Protocol):
    """Asks a proxy for a connection to a server (CONNECT, RFC 9110 section 9.3.6) and waits for its leave."""

    def __init__(self) -> None:
        self._received = b""
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self, transport: asyncio.WriteTransport, place: str, authorization: bytes) -> None:
        """Wait until the proxy stands for the server at `place` (host:port); raises Fault (`connect`) if it refuses."""
        transport.write(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n".encode() + authorization + b"\r\n")
        await self._opened

    def data_received(self, data: bytes) -> None:
        """The proxy's reply, perhaps in pieces."""
        self._received += data
        if self._opened.done() or (b"\r\n\r\n" not in self._received and len(self._received) < _LONGEST_REPLY):
            return
        words = self._received.split(b"\r\n", 1)[0].split(b" ", 2)
        if len(words) > 1 and words[0].startswith(b"HTTP/1.") and words[1][:1] == b"2" and len(words[1]) == 3:
            self._opened.set_result(None)
        else:
            shown = words[1][:3].decode("ascii", "replace") if len(words) > 1 else "no HTTP"
            self._opened.set_exception(Fault("connect", f"The proxy refused the connection ({shown})."))

    def connection_lost(self, exc: Exception | None) -> None:
        """The proxy went away; once the tunnel stands this is heard by the protocol inside it."""
        if not self._opened.done():
            self._opened.set_exception(
                Fault("connect", f"The proxy closed the connection{f' ({exc})' if exc else ''}.")
            )
