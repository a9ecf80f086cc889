"""A crawl tells of its records: all of them, whatever fails or is killed, and never waits for the receiver."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from core.settings import FieldRule, Notify, RecordType
from tests.core.engine.crawl import Crawl, politeness, quick
from tests.core.engine.scripted_site import Asked, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

PRODUCT = RecordType(
    name="product", match="/p/*", key="sku", fields={"sku": FieldRule(css=".sku"), "price": FieldRule(css=".price")}
)


def shop(pages: int, price: list[str]) -> dict[str, object]:
    def product(asked: Asked) -> str:
        return f"<p class=sku>{asked.target}</p><p class=price>{price[0]}</p>"

    return {"/": page(*(f"/p/{n}" for n in range(pages))), **{f"/p/{n}": product for n in range(pages)}}


def told(folder: Path) -> list[tuple[str, int]]:
    text = (folder / "told.jsonl").read_text("utf-8")
    assert text.endswith("\n")
    events = [json.loads(line) for line in text.splitlines()]
    return [(event["event"], event["version"]) for event in events]


def test_the_first_run_tells_what_it_created_and_the_next_what_changed(tmp_path: Path) -> None:
    price = ["1"]
    with ScriptedSite(shop(3, price)) as site:
        crawl = Crawl(tmp_path, quick(site.root + "/", records=(PRODUCT,), notify=Notify(file="told.jsonl")))
        crawl.run()
        crawl.run(recrawl="all")
        assert told(tmp_path) == [("created", 1)] * 3
        price[0] = "2"
        crawl.run(recrawl="all")
        assert told(tmp_path) == [("created", 1)] * 3 + [("updated", 2)] * 3
        del site.answers["/p/1"]
        crawl.run(recrawl="all")
        assert told(tmp_path)[-1] == ("gone", 2)


def test_a_receiver_that_fails_is_an_alarm_and_is_told_all_at_the_next_start(tmp_path: Path) -> None:
    """The site itself is the webhook: it answers 404 at first."""
    with ScriptedSite(shop(3, ["1"])) as site:
        notify = Notify(webhook=f"{site.root}/missing")
        crawl = Crawl(tmp_path, quick(site.root + "/", records=(PRODUCT,), notify=notify))
        assert crawl.run().outcome == "finished"
        alarms = crawl.status().alarms
        assert [alarm.kind for alarm in alarms] == ["notify"]
        assert "answered 404" in alarms[0].message
        assert crawl.log("notify") == ["3 changes of records still to be told: at the next start."]
        notify = Notify(file="told.jsonl")
        crawl.set(quick(site.root + "/", records=(PRODUCT,), notify=notify))
        asked = len(site.asked)
        assert crawl.run().outcome == "finished"
        assert told(tmp_path) == [("created", 1)] * 3
        assert len(site.asked) == asked


def test_killed_again_and_again_it_tells_each_record_with_its_own_key(tmp_path: Path) -> None:
    chance = random.Random(7)
    with ScriptedSite(shop(40, ["1"])) as site:
        settings = quick(
            site.root + "/",
            records=(PRODUCT,),
            notify=Notify(file="told.jsonl"),
            politeness=politeness(delay=0.05, per_host=1),
        )
        crawl = Crawl(tmp_path, settings)
        for _ in range(4):
            engine = subprocess.Popen([sys.executable, "-m", "core", "run", str(crawl.path)], stderr=subprocess.DEVNULL)
            with suppress(subprocess.TimeoutExpired):
                engine.wait(0.8 + chance.random())
            engine.send_signal(signal.SIGKILL)
            engine.wait()
        crawl.run()
        keys = {key for (key,) in crawl.rows("SELECT id || ':' || version FROM record")}
        events = [json.loads(line) for line in (tmp_path / "told.jsonl").read_text("utf-8").splitlines()]
        assert {event["idempotency_key"] for event in events} == keys
        assert len(keys) == 40
