"""Rounds and validators: what changed is sent, what did not is a 304."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.demo.answer import Answer, answer
from core.demo.options import SiteOptions
from core.demo.pages import Pages

OPTIONS = SiteOptions(listings=10, change_rate=0.3)
SITES = ("127.0.0.1:8001",)


def ask(options: SiteOptions, target: str, **headers: str) -> Answer:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return answer(Pages(options, SITES), 0, target, 0, names)


def header(made: Answer, name: str) -> str:
    return dict(made.headers)[name]


def test_about_the_asked_share_changes_in_a_round() -> None:
    before, after = Pages(OPTIONS, SITES), Pages(replace(OPTIONS, round=1), SITES)
    targets = [f"/product/{n}" for n in range(200)]
    changed = sum(before.page(0, t).body != after.page(0, t).body for t in targets)
    assert 40 < changed < 80


def test_etag_moves_exactly_with_the_body() -> None:
    before, after = Pages(OPTIONS, SITES), Pages(replace(OPTIONS, round=1), SITES)
    for number in range(60):
        target = f"/product/{number}"
        old, new = answer(before, 0, target, 0, {}), answer(after, 0, target, 0, {})
        assert (old.body == new.body) == (header(old, "ETag") == header(new, "ETag"))
        assert (old.body == new.body) == (header(old, "Last-Modified") == header(new, "Last-Modified"))


@pytest.mark.parametrize("wrap", ["{}", "W/{}", '"other", {}', "*"])
def test_known_etag_is_answered_with_304(wrap: str) -> None:
    tag = header(ask(OPTIONS, "/product/1"), "ETag")
    made = ask(OPTIONS, "/product/1", if_none_match=wrap.format(tag))
    assert (made.status, made.body, header(made, "ETag")) == (304, b"", tag)


def test_other_etag_is_answered_in_full_whatever_the_date() -> None:
    date = header(ask(OPTIONS, "/product/1"), "Last-Modified")
    assert ask(OPTIONS, "/product/1", if_none_match='"other"', if_modified_since=date).status == 200


@pytest.mark.parametrize(
    ("since", "status"),
    [
        ("Mon, 05 Jan 2026 08:00:00 GMT", 304),
        ("Mon, 05 Jan 2026 07:59:59 GMT", 200),
        ("Tue, 06 Jan 2026 08:00:00 GMT", 304),
        ("yesterday", 200),
        ("", 200),
    ],
)
def test_date_decides_where_no_etag_is_sent(since: str, status: int) -> None:
    assert ask(OPTIONS, "/product/1", if_modified_since=since).status == status


@pytest.mark.parametrize(("kind", "names"), [("etag", {"ETag"}), ("date", {"Last-Modified"}), ("none", set())])
def test_validators_can_be_chosen(kind: str, names: set[str]) -> None:
    made = ask(replace(OPTIONS, validators=kind), "/product/1")
    assert set(dict(made.headers)) - {"Content-Type"} == names


def test_error_pages_carry_no_validators() -> None:
    assert set(dict(ask(OPTIONS, "/gone/2").headers)) == {"Content-Type"}
