"""Runs and files compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from core.cli import main
from core.demo import SiteOptions, SiteThread
from core.difference import Counts, between_files, between_runs, counts
from core.settings import Budgets, FieldRule, RecordType
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PRODUCT = RecordType(
    name="product",
    match="/product/*",
    key="sku",
    fields={"sku": FieldRule(css=".sku"), "price": FieldRule(css=".price")},
)
CONTENTS = st.dictionaries(st.integers(0, 20), st.integers(0, 3))


@given(CONTENTS, CONTENTS)
def test_the_counts_add_up_to_both_sides(before: dict[int, int], after: dict[int, int]) -> None:
    found = counts(before, after)
    assert found.new + found.changed + found.unchanged == len(after)
    assert found.gone + found.changed + found.unchanged == len(before)
    assert counts(before, before) == Counts(0, 0, len(before), 0)
    back = counts(after, before)
    assert (back.new, back.gone, back.changed) == (found.gone, found.new, found.changed)


def test_a_second_run_is_compared_with_the_first(tmp_path: Path) -> None:
    with ScriptedSite({"/": page("/same", "/changed", "/old"), "/same": page(title="Same")}) as site:
        site.answers |= {"/changed": page(title="One"), "/old": page(title="Old")}
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        assert between_runs(crawl.path).pages == Counts(4, 0, 0, 0)
        site.answers |= {"/": page("/same", "/changed", "/new"), "/changed": page(title="Two")}
        site.answers |= {"/new": page(title="New"), "/old": Reply(b"", 404)}
        crawl.run(recrawl="all")
    assert between_runs(crawl.path).pages == Counts(new=1, changed=2, unchanged=1, gone=1)
    assert between_runs(crawl.path, 2, 1).pages == Counts(new=1, changed=2, unchanged=1, gone=1)
    assert between_runs(crawl.path, 0, 2).pages == Counts(new=4, changed=0, unchanged=0, gone=0)


def test_records_change_from_run_to_run_and_from_file_to_file(tmp_path: Path) -> None:
    with SiteThread(SiteOptions(listings=2, per_listing=6, change_rate=0.5)) as site:
        settings = quick(f"{site.root}/list/0", budgets=Budgets(max_depth=20), records=(PRODUCT,))
        first, second = Crawl(tmp_path, settings), Crawl(tmp_path, settings, "second.crawl")
        first.run()
        site.control(round=1)
        second.run()
        files = between_files(first.path, second.path)
        first.run(recrawl="all")
        runs = between_runs(first.path)
    updated = first.status().record_actions["updated"]
    assert updated > 0
    assert runs.records == Counts(new=0, changed=updated, unchanged=12 - updated, gone=0)
    assert files == runs
    assert between_runs(first.path, 0, 1).records == Counts(12, 0, 0, 0)


def test_the_command_prints_the_fixed_names_and_refuses_a_run_that_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedSite({"/": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
    path = str(crawl.path)
    assert main(["diff", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "pages": {"new": 1, "changed": 0, "unchanged": 0, "gone": 0},
        "records": {"new": 0, "changed": 0, "unchanged": 0, "gone": 0},
    }
    assert main(["diff", path, path]) == 0
    assert capsys.readouterr().out.startswith("pages:   0 new, 0 changed, 1 unchanged, 0 gone\n")
    assert main(["diff", path, "--from", "7"]) == 2
    assert "no run 7" in capsys.readouterr().err
    assert main(["diff", path, path, "--from", "1"]) == 2


def test_what_failed_is_not_gone_and_what_is_gone_is_new_when_it_is_back(tmp_path: Path) -> None:
    with ScriptedSite({"/": page("/a", "/b"), "/a": page(title="A"), "/b": page(title="B")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        site.answers |= {"/a": Reply(b"", 404), "/b": Reply(b"", 500)}
        crawl.run(recrawl="all")
        site.answers |= {"/a": page(title="A"), "/b": page(title="B")}
        crawl.run(recrawl="all")
    assert between_runs(crawl.path, 1, 2).pages == Counts(0, 0, 2, 1)
    assert between_runs(crawl.path, 2, 3).pages == Counts(1, 0, 2, 0)
    assert between_runs(crawl.path, 1, 3).pages == Counts(0, 0, 3, 0)


def test_each_change_is_listed_as_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = RecordType(name="thing", match="/*", key="name", fields={"name": FieldRule(css="title")})
    with ScriptedSite({"/": page("/a", "/b"), "/a": page(title="=A"), "/b": page(title="B")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", records=(record,)))
        crawl.run()
        site.answers |= {"/a": Reply(b"", 410), "/b": page("/", title="B")}
        crawl.run(recrawl="all")
    to = tmp_path / "changes.csv"
    assert main(["diff", str(crawl.path), "--output", str(to)]) == 0
    lines = to.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "what,action,url,record_id,type,natural_key"
    assert lines[1:3] == [f"page,gone,{site.root}/a,,,", f"page,changed,{site.root}/b,,,"]
    (gone,) = lines[3:]
    assert gone.startswith("record,gone,,")
    assert gone.endswith(",thing,'=A")
    assert main(["diff", str(crawl.path), "--output", str(crawl.path)]) == 2
    assert "is the name of a crawl" in capsys.readouterr().err
