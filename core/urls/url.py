"""The values of this package: a URL that can be fetched, or a clear rejection.

A `Url` is always in safe form: lower-case ASCII host, no user information, no fragment, a target that can stand on a
request line as it is. There is no other way to hold an address in Fronteira, so nothing has to be checked twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

PORTS = {"http": 80, "https": 443}


class Url(Struct, frozen=True, gc=False):
    """A fetchable address. `host` is a parsed ASCII name or number (IPv6 in brackets), `target` starts with `/`.

    A Struct, for every link of every page makes two or three, and a dataclass costs six times as much to make.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def text(self) -> str:
        """The whole URL, the default port dropped."""
        return self.origin + self.target

    @property
    def origin(self) -> str:
        """Scheme, host and port as RFC 6454 writes them: `http://host[:port]`."""
        if PORTS[self.scheme] == self.port:
            return f"{self.scheme}://{self.host}"
        return f"{self.scheme}://{self.host}:{self.port}"

    @property
    def path(self) -> str:
        """The target up to the question mark."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        """What follows the question mark; empty where there is none."""
        return self.target.partition("?")[2]

    def with_target(self, target: str) -> Url:
        """The same place with another target; this very value where the target is the same."""
        return self if target == self.target else Url(self.scheme, self.host, self.port, target)


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why a text is no fetchable URL. `code` is stable: empty, scheme, host, port, length; `message` is a sentence."""

    code: str
    message: str
