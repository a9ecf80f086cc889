"""Changed record rules over stored responses: the same ids, exact counts, no request, and no harm from a kill."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from core.cli import main
from core.engine.reparse import reparse
from core.engine.worker import OutOfTime, Worker
from core.errors import EngineHeld
from core.settings import Budgets, CrawlSettings, FieldRule, Notify, RecordType
from core.store.lock import EngineLock
from core.store.read.audit import audit
from core.store.responses import responses_path
from core.store.write import reparse as store_side
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from core.store.reparsed import ReparseReport

NUMBER = 12
AT = 2_000_000_000.0


def item(number: int) -> str:
    return (
        f"<html><title>Item {number}</title><b class=sku>S{number}</b><i class=name>Name {number % 4}</i>"
        f"<u class=price>{number}.50</u></html>"
    )


def shop() -> dict[str, object]:
    links = "".join(f'<a href="/p/{number}">x</a>' for number in range(NUMBER))
    return {"/": f"<html>{links}</html>", **{f"/p/{number}": item(number) for number in range(NUMBER)}}


def kind(key: str = "sku", **fields: FieldRule) -> RecordType:
    plain = {"sku": FieldRule(css=".sku"), "name": FieldRule(css=".name")}
    return RecordType(name="product", match="/p/*", key=key, fields={**plain, **fields})


PRICE = FieldRule(css=".price", cast="number")


class Shop:
    """A crawled shop, whose settings can be changed, with its server still there."""

    def __init__(self, folder: Path, site: ScriptedSite, *records: RecordType) -> None:
        self.site = site
        self.at = AT
        self.settings = quick(f"{site.root}/", records=records or (kind(),))
        self.crawl = Crawl(folder, self.settings)
        assert self.crawl.run().exit_status == 0
        self.path = self.crawl.path
        self.asked = len(site.asked)

    def rule(self, *records: RecordType, **sections: Any) -> CrawlSettings:
        self.settings = msgspec.structs.replace(self.settings, records=records, **sections)
        self.crawl.set(self.settings)
        return self.settings

    def reparse(self, *, dry_run: bool = False, most: int = 10**9) -> ReparseReport:
        """`most` looks whether it is still wanted: then it is cut off."""
        looks = iter(range(most))
        self.at += 60.0
        found = asyncio.run(
            reparse(self.path, dry_run=dry_run, wanted=lambda: next(looks, None) is not None, wall=lambda: self.at)
        )
        assert len(self.site.asked) == self.asked
        assert audit(self.path).ok, audit(self.path)
        return found

    def records(self) -> list[tuple[str, str, int, float | None]]:
        return self.crawl.rows("SELECT id, data, version, gone FROM record ORDER BY id")

    def everything(self) -> list[Any]:
        tables = ("record", "record_version", "absence", "conflict", "counter", "meta", "log")
        return [self.crawl.rows(f"SELECT * FROM {table}") for table in tables]  # noqa: S608 # names of this file's own


@pytest.fixture
def shop_site(tmp_path: Path) -> Iterator[Shop]:
    with ScriptedSite(shop()) as site:
        yield Shop(tmp_path, site)


def counts(report: ReparseReport) -> dict[str, int]:
    found = msgspec.to_builtins(report.of("product"))
    return {name: number for name, number in found.items() if number}


def test_a_new_field_updates_every_record_under_its_id_with_a_version_that_names_the_rule(shop_site: Shop) -> None:
    before = shop_site.records()
    shop_site.rule(kind(price=PRICE))
    dry = shop_site.reparse(dry_run=True)
    assert shop_site.records() == before
    assert counts(dry) == {"updated": NUMBER}
    changes = {change.field: (change.before, change.after) for change in dry.examples[0].fields}
    assert changes.keys() == {"price"}
    assert changes["price"][0] is None
    assert counts(shop_site.reparse()) == {"updated": NUMBER}
    after = shop_site.records()
    assert [each[0] for each in after] == [each[0] for each in before]
    assert all(json.loads(data)["price"] is not None and version == 2 for _, data, version, _ in after)
    assert shop_site.crawl.rows("SELECT DISTINCT version, rules FROM record_version ORDER BY 1") == [(1, None), (2, 2)]
    assert counts(shop_site.reparse()) == {"unchanged": NUMBER}
    assert "parsed again by other rules" in " ".join(shop_site.crawl.log("settings"))


def test_what_rules_change_waits_to_be_told(shop_site: Shop, tmp_path: Path) -> None:
    shop_site.rule(kind(price=PRICE), notify=Notify(file=str(tmp_path / "told.jsonl")))
    shop_site.reparse(dry_run=True)
    assert shop_site.crawl.rows("SELECT count(*) FROM notice") == [(0,)]
    shop_site.reparse()
    assert shop_site.crawl.rows("SELECT event, version, count(*) FROM notice") == [("updated", 2, NUMBER)]


def test_a_dry_run_changes_nothing_in_the_file(shop_site: Shop) -> None:
    shop_site.rule(kind(price=PRICE), RecordType("title", "/*", fields={"title": FieldRule(css="title")}))
    before = shop_site.everything()
    report = shop_site.reparse(dry_run=True)
    assert report.of("title").created == NUMBER + 1
    assert shop_site.everything() == before


@pytest.mark.parametrize("most", range(1, 30, 3))
def test_cut_off_anywhere_and_called_again_it_comes_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr("core.engine.reparse.MOST", 3)
    with ScriptedSite(shop()) as site:
        made = Shop(tmp_path, site)
        made.rule(kind(price=PRICE))
        first = made.reparse(most=most)
        report = first if first.finished else made.reparse()
        assert report.finished
        assert counts(report) == {"updated": NUMBER}
        assert {version for _, _, version, _ in made.records()} == {2}
        assert made.crawl.rows("SELECT count(*) FROM record_version") == [(2 * NUMBER,)]
        assert made.crawl.rows("SELECT count(*) FROM meta WHERE name = 'reparse'") == [(0,)]


def test_other_rules_half_way_begin_anew(shop_site: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.reparse.MOST", 3)
    shop_site.rule(kind(price=PRICE))
    half = shop_site.reparse(most=8)
    assert not half.finished
    assert half.of("product").updated
    shop_site.rule(kind(price=FieldRule(css=".price")))
    report = shop_site.reparse()
    assert counts(report) == {"updated": NUMBER}
    assert all(json.loads(data)["price"].endswith(".50") for _, data, _, _ in shop_site.records())


def test_what_a_rule_does_not_find_is_gone_and_back_under_its_id_when_it_finds_it_again(shop_site: Shop) -> None:
    before = shop_site.records()
    shop_site.rule(RecordType("product", "/p/1*", key="sku", fields=kind().fields))
    assert counts(shop_site.reparse(dry_run=True)) == {"gone": NUMBER - 3, "unchanged": 3}
    assert counts(shop_site.reparse()) == {"gone": NUMBER - 3, "unchanged": 3}
    assert shop_site.crawl.rows("SELECT DISTINCT reason, back FROM absence") == [("rule", None)]
    shop_site.rule(kind())
    assert counts(shop_site.reparse()) == {"unchanged": 3, "updated": NUMBER - 3}
    assert shop_site.records() == before
    assert shop_site.crawl.rows("SELECT count(*) FROM absence WHERE back IS NULL") == [(0,)]


def test_another_key_lists_who_would_share_one_before_it_does_harm(shop_site: Shop) -> None:
    shop_site.rule(kind(key="name"))
    dry = shop_site.reparse(dry_run=True)
    assert counts(dry) == {"created": 4, "gone": NUMBER, "conflicts": NUMBER - 4}
    assert len(dry.collisions) == NUMBER - 4
    assert {each.key for each in dry.collisions} == {f"Name {number}" for number in range(4)}
    assert counts(shop_site.reparse()) == counts(dry)
    assert shop_site.crawl.rows("SELECT count(*) FROM record WHERE gone IS NULL") == [(4,)]
    shop_site.rule(kind())
    shop_site.reparse()
    assert shop_site.crawl.rows("SELECT count(*) FROM conflict") == [(0,)]


def test_records_of_responses_that_are_gone_stay_and_are_said(shop_site: Shop) -> None:
    before = shop_site.records()
    for path in shop_site.path.parent.glob(f"{responses_path(shop_site.path).name}*"):
        path.unlink()
    shop_site.rule(kind(price=PRICE))
    report = shop_site.reparse()
    assert counts(report) == {"unread": NUMBER}
    assert report.missing == NUMBER
    assert shop_site.records() == before


def test_a_page_on_which_a_rule_finds_no_end_keeps_its_records(
    shop_site: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never_ends(*_: object) -> None:
        raise OutOfTime

    monkeypatch.setattr(Worker, "read", never_ends)
    before = shop_site.records()
    shop_site.rule(kind(price=FieldRule(xpath="//u")))
    report = shop_site.reparse()
    assert counts(report) == {"unread": NUMBER}
    assert report.unreadable == NUMBER
    assert shop_site.records() == before


def test_the_crawl_goes_on_after_it_with_sound_counts_and_no_doubled_records(tmp_path: Path) -> None:
    with ScriptedSite(shop()) as site:
        made = Shop(tmp_path, site)
        made.rule(kind(price=PRICE))
        made.reparse()
        before = made.records()
        assert made.crawl.run(recrawl="all").exit_status == 0
        assert audit(made.path).ok, audit(made.path)
        assert made.records() == before
        assert made.crawl.status().record_actions["unchanged"] == NUMBER


def test_a_304_does_not_bring_back_what_a_rule_has_let_go(tmp_path: Path) -> None:
    def answer(asked: Any) -> Reply:
        if asked.headers.get("if-none-match") == '"e"':
            return Reply(b"", 304)
        return Reply(item(1).encode(), headers=(("ETag", '"e"'),))

    with ScriptedSite({"/": '<a href="/p/1">x</a>', "/p/1": answer}) as site:
        made = Shop(tmp_path, site)
        made.rule(RecordType("product", "/q/*", key="sku", fields=kind().fields))
        assert counts(made.reparse()) == {"gone": 1}
        assert made.crawl.run(recrawl="all").exit_status == 0
        assert made.crawl.rows("SELECT status FROM page ORDER BY url_id DESC LIMIT 1") == [(304,)]
        assert made.crawl.rows("SELECT gone IS NULL FROM record") == [(0,)]
        made.asked = len(site.asked)
        made.rule(kind(price=PRICE))
        assert counts(made.reparse()) == {"updated": 1}


def test_it_takes_the_engine_lock_and_a_dry_run_does_not(shop_site: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    shop_site.rule(kind(price=PRICE))
    lock = EngineLock.acquire(shop_site.path)
    try:
        assert main(["reparse", str(shop_site.path)]) == EngineHeld.exit_status
        capsys.readouterr()
        assert main(["reparse", str(shop_site.path), "--dry-run", "--json"]) == 0
    finally:
        lock.release()
    told = json.loads(capsys.readouterr().out)
    assert told["dry_run"]
    assert told["records"]["product"]["updated"] == NUMBER
    assert main(["reparse", str(shop_site.path)]) == 0
    assert f"{NUMBER} updated" in capsys.readouterr().out


def test_a_dry_run_cannot_write_into_the_file(shop_site: Shop) -> None:
    store = store_side.Reparse(shop_site.path, AT, dry_run=True)
    with pytest.raises(Exception, match="not authorized"):
        store._connection.execute("UPDATE main.record SET gone = 1")
    store.close()


def test_nothing_changes_where_the_rules_are_the_same_whatever_pages_share_a_record(tmp_path: Path) -> None:
    def variant(number: int, canonical: str) -> str:
        return f'<html><link rel=canonical href="{canonical}"><b class=name>From {number}</b></html>'

    answers: dict[str, object] = {
        "/": '<html><a href="/p/a">1</a><a href="/p/a?v=1">2</a><a href="/p/b">3</a><a href="/p/c">4</a></html>',
        "/p/a": variant(0, "/p/a"),
        "/p/a?v=1": variant(1, "/p/a"),
        "/p/b": variant(2, "/p/c"),
        "/p/c": variant(3, "/p/c?utm_source=x"),
    }
    by_url = RecordType("thing", "/p/*", key="", fields={"name": FieldRule(css=".name")})
    by_name = RecordType("named", "/p/*", key="name", fields={"name": FieldRule(css=".name"), "at": PRICE})
    with ScriptedSite(answers) as site:
        made = Shop(tmp_path, site, by_url, by_name)
        before, conflicts = made.records(), made.crawl.rows("SELECT url_id, type, data FROM conflict ORDER BY 1, 2")
        assert len(before) == 6
        made.rule(by_url, by_name, name="Another name")
        report = made.reparse()
        assert {name: each.unchanged for name, each in report.records.items()} == {"thing": 2, "named": 4}
        assert not report.examples
        assert made.records() == before
        assert made.crawl.rows("SELECT url_id, type, data FROM conflict ORDER BY 1, 2") == conflicts


def test_a_run_that_was_stopped_goes_on_after_it(tmp_path: Path) -> None:
    with ScriptedSite(shop()) as site:
        settings = quick(f"{site.root}/", records=(kind(),), budgets=Budgets(max_pages=6))
        crawl = Crawl(tmp_path, settings)
        crawl.run()
        few = crawl.rows("SELECT count(*) FROM record")[0][0]
        assert 0 < few < NUMBER
        crawl.set(msgspec.structs.replace(settings, records=(kind(price=PRICE),), budgets=Budgets()))
        assert asyncio.run(reparse(crawl.path, dry_run=False)).of("product").updated == few
        assert audit(crawl.path).ok, audit(crawl.path)
        assert crawl.run().exit_status == 0
        assert audit(crawl.path).ok, audit(crawl.path)
        assert crawl.rows("SELECT count(*) FROM record WHERE json_extract(data, '$.price') IS NOT NULL") == [(NUMBER,)]


def test_an_engine_in_between_lets_it_begin_anew(shop_site: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.reparse.MOST", 3)
    shop_site.rule(kind(price=PRICE))
    assert not shop_site.reparse(most=8).finished
    assert shop_site.crawl.run(recrawl="all").exit_status == 0
    shop_site.asked = len(shop_site.site.asked)
    report = shop_site.reparse()
    assert report.finished
    assert counts(report) == {"unchanged": NUMBER}
    assert {version for _, _, version, _ in shop_site.records()} == {2}
