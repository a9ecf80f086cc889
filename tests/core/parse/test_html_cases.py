"""The shared HTML cases: every one of tests/cases/html.json, links and canonical compared in their safe form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.parse import ParseOptions, parse_page
from core.urls import Url, parse

CASES = json.loads((Path(__file__).parents[2] / "cases" / "html.json").read_text())
OPTIONS = ParseOptions(resources=True)


def _named(field: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if field in case["input"]]


@pytest.mark.parametrize("case", _named("body_hex"))
def test_body_is_decoded_as_a_browser_decodes_it(case: dict[str, Any]) -> None:
    media_type, _, parameters = case["input"]["content_type"].partition(";")
    charset = parameters.partition("charset=")[2] or None
    page = parse_page(bytes.fromhex(case["input"]["body_hex"]), media_type, charset, OPTIONS)
    assert case["expect"]["text_contains"] in page.source
    assert case["expect"]["text_contains"].strip() in page.text


@pytest.mark.parametrize("case", _named("html"))
def test_links_are_those_of_a_browser(case: dict[str, Any]) -> None:
    page = parse_page(case["input"]["html"].encode(), "text/html", "utf-8", OPTIONS)
    url = parse(case["input"]["base"])
    assert isinstance(url, Url)
    base = parse(page.base, url) if page.base else url
    assert isinstance(base, Url)
    assert [_safe(link.href, base) for link in page.links] == case["expect"]["links"]
    if "canonical" in case["expect"]:
        assert page.canonical is not None
        assert _safe(page.canonical, base) == case["expect"]["canonical"]


def _safe(href: str, base: Url) -> str:
    url = parse(href, base)
    assert isinstance(url, Url), url
    return url.text
