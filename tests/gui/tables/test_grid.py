"""Patterns proposed from a URL."""

from __future__ import annotations

import pytest

from gui.tables.grid import pattern_like


@pytest.mark.parametrize(
    ("address", "pattern"),
    [
        ("https://h.test/calendar/2030/12", "/calendar/2030/"),
        ("https://h.test/calendar/2030/", "/calendar/"),
        ("https://h.test/about", "/about"),
        ("https://h.test/", "/"),
        ("https://h.test/list?sort=price&page=2", "/list?sort="),
        ("https://h.test/a*b/c", "/a\\*b/"),
    ],
)
def test_pattern_like(address: str, pattern: str) -> None:
    assert pattern_like(address) == pattern
