"""Every collected case is run: the pure ones by the table of their area, each scenario by a test that names it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
# Which test reads the area's file, and the keys of `input` by which it takes a case.
TABLES = {
    "url": ("core/urls/test_url_cases.py", {"url"}),
    "robots": ("core/policy/test_robots.py", {"robots_txt"}),
    "sitemap": ("core/seeds/test_sitemap.py", {"xml"}),
    "html": ("core/parse/test_html_cases.py", {"html", "body_hex"}),
    "http": ("", set()),
    "frontier": ("", set()),
}


def cases(area: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((TESTS / "cases" / f"{area}.json").read_text(encoding="utf-8"))
    return loaded


def sources() -> str:
    files = [path for path in TESTS.rglob("test_*.py") if path != Path(__file__)]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize("area", TABLES)
def test_every_case_of_an_area_is_run(area: str) -> None:
    _, taken = TABLES[area]
    left = [case["id"] for case in cases(area) if not taken & set(case["input"])]
    written = sources()
    assert [name for name in left if name not in written] == []


@pytest.mark.parametrize("area", [area for area, (table, _) in TABLES.items() if table])
def test_the_table_of_an_area_reads_its_cases(area: str) -> None:
    table, taken = TABLES[area]
    written = (TESTS / table).read_text(encoding="utf-8")
    assert f'"{area}.json"' in written
    assert all(f'"{key}"' in written for key in taken)
