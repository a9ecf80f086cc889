"""Real faults of other crawlers, each a case in `tests/cases/url.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.urls import Rejected, Rules, Url, key_form, parse

CASES = json.loads((Path(__file__).parents[2] / "cases" / "url.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_url_case_has_its_expected_form(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expect"]
    form = form_of(given["url"], given)
    assert set(expected) <= {"normalised", "same_as", "different_from"}
    if "normalised" in expected:
        assert form == expected["normalised"]
    if "same_as" in expected:
        assert form == form_of(expected["same_as"], given)
    if "different_from" in expected:
        assert form != form_of(expected["different_from"], given)


def form_of(text: str, given: dict[str, Any]) -> str:
    base = accepted(parse(given["base"])) if "base" in given else None
    url = accepted(parse(text, base, charset=given.get("page_charset", "utf-8")))
    if given["level"] == "key":
        url = key_form(url, Rules(session_ids=given.get("strip_session_ids", False)))
    return url.text


def accepted(parsed: Url | Rejected) -> Url:
    assert isinstance(parsed, Url), parsed
    return parsed
