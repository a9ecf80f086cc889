"""No room for a connection is our own system's fault: waited for, marked, and no word about the server."""

from __future__ import annotations

import asyncio
import errno
import os
from typing import TYPE_CHECKING, Any

import pytest

import core.fetch.client
from core.urls import Url
from tests.core.fetch.raw_server import Site, client, html, request, says

if TYPE_CHECKING:
    from core.fetch.response import Fetched


def fetched_with(failures: int, number: int = errno.EMFILE, scheme: str = "http") -> Fetched:
    """What a fetch comes to where the first connections fail with this error number."""

    async def run() -> Fetched:
        loop = asyncio.get_running_loop()
        connect = loop.create_connection
        left = failures

        async def create_connection(*given: Any, **named: Any) -> Any:
            nonlocal left
            if left:
                left -= 1
                raise OSError(number, os.strerror(number))
            return await connect(*given, **named)

        async with Site(says(html(b"<p>hi"))) as site, client() as ours:
            loop.create_connection = create_connection  # type: ignore[method-assign]  # the loop of this test alone
            return await ours.fetch(request(Url(scheme, "127.0.0.1", site.url().port, "/")))

    return asyncio.run(run())


def test_a_request_waits_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.fetch.client, "STARVED_PAUSE", 0.0)
    fetched = fetched_with(3)
    assert (fetched.outcome, fetched.starved) == ("ok", False)


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_where_no_room_comes_it_is_marked(monkeypatch: pytest.MonkeyPatch, number: int, scheme: str) -> None:
    monkeypatch.setattr(core.fetch.client, "STARVED", 0.0)
    fetched = fetched_with(9, number, scheme)
    assert (fetched.outcome, fetched.reached, fetched.starved) == ("error:connect", False, True)
    assert "no room for a connection" in (fetched.error or "")


def test_a_server_that_refuses_is_no_such_case() -> None:
    fetched = fetched_with(9, errno.ECONNREFUSED)
    assert (fetched.outcome, fetched.starved) == ("error:connect", False)
