"""What could not be read of a page stands in the file as a sentence: nothing is passed over in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import FieldRule, RecordType
from tests.core.engine.crawl import Crawl, politeness, quick
from tests.core.engine.scripted_site import ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path


def test_a_page_that_cannot_be_parsed_says_why(tmp_path: Path) -> None:
    deep = b"<!DOCTYPE html><body>" + b"<div>" * 700_000
    with ScriptedSite({"/": page("/deep"), "/deep": deep}) as site:
        crawl = Crawl(tmp_path, quick(site.root + "/", politeness=politeness(robots=False)))
        crawl.run()

        ((outcome, error),) = crawl.rows("SELECT outcome, error FROM page WHERE outcome <> 'ok'")
        assert outcome == "error:parse"
        assert error


def test_a_field_that_took_too_long_is_listed_beside_its_record(tmp_path: Path) -> None:
    endless = b"<span class=sku>7</span><p>" + b"a" * 60_000 + b"!</p>"
    fields = {"sku": FieldRule(css=".sku"), "slow": FieldRule(regex="(a|aa)+$")}
    kind = RecordType(name="thing", match="/", key="sku", fields=fields)
    with ScriptedSite({"/": endless}) as site:
        crawl = Crawl(tmp_path, quick(site.root + "/", politeness=politeness(robots=False), records=(kind,)))
        crawl.run()

        assert crawl.rows("SELECT natural_key, json_extract(data, '$.slow') FROM record") == [("7", None)]
        ((reason,),) = crawl.rows("SELECT reason FROM conflict")
        assert reason.startswith("slow: the regular expression took longer")
