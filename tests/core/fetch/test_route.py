"""Whether there is a way out, asked of the kernel alone."""

from __future__ import annotations

import errno
import socket
from typing import TYPE_CHECKING

import pytest

from core.fetch.route import leads_out

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel of a machine that knows itself alone."""
    connect: Callable[[socket.socket, tuple[str, int]], None] = socket.socket.connect

    class Cut(socket.socket):
        def connect(self, address: tuple[str, int]) -> None:  # type: ignore[override] # datagram addresses alone
            if address[0] not in {"127.0.0.1", "::1"}:
                raise OSError(errno.ENETUNREACH, "Network is unreachable")
            connect(self, address)

    monkeypatch.setattr(socket, "socket", Cut)


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize(
    ("host", "leads"),
    [
        ("shop.example.com", False),
        ("203.0.113.7", False),
        ("[2001:db8::7]", False),
        ("127.0.0.1", True),
        ("localhost", True),
        ("nowhere.test", True),
        ("nowhere.invalid", True),
    ],
)
def test_only_a_host_that_needs_the_network_tells_of_it(host: str, leads: bool) -> None:
    assert leads_out(host) is leads
