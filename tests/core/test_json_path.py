"""Paths into JSON: what they find, what is no path, and that no document makes them fail."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSelector
from core.json_path import EVERY, rows_at, steps_of

ITEMS = {"items": [{"url": "/a"}, {"name": "no url"}, {"url": ["/b", "/c"]}], "next": {"url": "/d"}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=20,
)
PATHS = st.lists(st.sampled_from(["a", "b", "c", "[0]", "[*]", "a[1]"]), max_size=4).map(".".join)


@pytest.mark.parametrize(
    ("path", "document", "found"),
    [
        ("$.items[*].url", ITEMS, ["/a", None, ["/b", "/c"]]),
        ("items.url", ITEMS, ["/a", None, ["/b", "/c"]]),
        ("$.items[0].url", ITEMS, ["/a"]),
        ("$.items[9].url", ITEMS, []),
        ("next.url", ITEMS, ["/d"]),
        ("$", ["/a", ["/b"]], ["/a", "/b"]),
        ("$[*].url", [{"url": "/a"}], ["/a"]),
        ("rows[*][0]", {"rows": [["/a", 1], ["/b", 2]]}, ["/a", "/b"]),
        ("urls[*]", {"urls": ["/a", "/b"]}, ["/a", "/b"]),
    ],
)
def test_a_path_finds_what_stands_there_row_by_row(path: str, document: Any, found: list[Any]) -> None:
    assert list(rows_at(document, steps_of(path))) == found


@pytest.mark.parametrize("path", ["$..url", "a..b", "a b", "a[x]", "a[-1]", "a.", "a[1", ".a.", "a.[0]"])
def test_what_is_no_path_is_told(path: str) -> None:
    with pytest.raises(BadSelector):
        steps_of(path)


def test_the_steps_of_a_path_are_names_and_numbers() -> None:
    assert steps_of(" $.a[2].b[*] ") == ("a", 2, "b", EVERY)


@given(JSON, PATHS)
def test_no_document_makes_a_path_fail(document: Any, path: str) -> None:
    try:
        steps = steps_of(path)
    except BadSelector:
        return
    assert all(not isinstance(value, list) for value in rows_at(document, steps) if steps == ())
