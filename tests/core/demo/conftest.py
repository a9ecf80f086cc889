"""A plain HTTP client for the sample site's tests."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes


Get = Callable[..., Reply]


def _get(url: str, method: str = "GET", **headers: str) -> Reply:
    parts = urlsplit(url)
    client = http.client.HTTPConnection(parts.netloc, timeout=10)
    try:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        client.request(method, url.removeprefix(f"http://{parts.netloc}") or "/", headers=names)
        reply = client.getresponse()
        return Reply(reply.status, {k.lower(): v for k, v in reply.getheaders()}, reply.read())
    finally:
        client.close()


@pytest.fixture
def get() -> Get:
    return _get
