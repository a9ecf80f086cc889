"""Whether there is a way out, asked of the kernel alone."""

from __future__ import annotations

import errno
import socket

import pytest

from core.fetch.route import leads_out


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel of a machine that knows itself alone."""

    class Cut(socket.socket):
        def connect(self, _address: tuple[str, int]) -> None:  # type: ignore[override] # datagram addresses alone
            raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr(socket, "socket", Cut)


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize(
    ("host", "leads"),
    [
        ("shop.example.com", False),
        ("203.0.113.7", False),
        ("[2001:db8::7]", False),
        ("127.0.0.1", None),
        ("[::1]", None),
        ("localhost", None),
        ("nowhere.test", None),
        ("nowhere.invalid", None),
    ],
)
def test_only_a_host_that_needs_the_network_tells_of_it(host: str, leads: bool | None) -> None:
    assert leads_out(host) is leads
