"""Addresses that a click may open in a browser, and all others."""

from __future__ import annotations

import pytest

from gui.web_address import host_shown, web_address


@pytest.mark.parametrize(
    ("text", "opened", "host"),
    [
        ("https://shop.example/a?b=1", "https://shop.example/a?b=1", "shop.example"),
        ("HTTP://shop.example/", "http://shop.example/", "shop.example"),
        ("http://b\u00fccher.example/", "http://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("http://xn--pple-43d.example/", "http://xn--pple-43d.example/", "xn--pple-43d.example"),
    ],
)
def test_a_web_address_is_opened_and_its_host_is_shown_as_the_network_knows_it(
    text: str, opened: str, host: str
) -> None:
    url = web_address(text)
    assert url is not None
    assert bytes(url.toEncoded().data()).decode() == opened
    assert host_shown(url) == host


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "http://", "//shop.example/", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x"),
        *("mailto:a@b.example", "vbscript:x", " javascript:alert(1)", "http:shop", "https:///path"),
        *("http://bank.example@evil.example/", "http://me:secret@shop.example/"),
    ],
)
def test_everything_else_stays_closed(text: str) -> None:
    assert web_address(text) is None
