"""Real crawls of sites that spell their pages in two ways: the advice, accepted, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from core.commands.files import apply
from core.demo.options import SiteOptions
from core.demo.thread import SiteThread
from core.policy.advice import advise
from core.settings import Budgets, Normalise
from core.store.read.audit import audit
from core.store.read.evidence import read_evidence
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings

PAGES = range(12)


def put_in_force(crawl: Crawl, settings: CrawlSettings, normalise: Normalise) -> None:
    crawl.set(msgspec.structs.replace(settings, normalise=normalise))
    assert apply(crawl.path) == 0
    certificate = audit(crawl.path)
    assert certificate.ok, certificate


def answers() -> dict[str, object]:
    """Each page with and without a slash at its end; some redirect from the one to the other."""
    links = [f"/p{number}{slash}" for number in PAGES for slash in ("", "/")]
    pages = {f"/p{number}/": page(title=f"Page {number}") for number in PAGES}
    others = {f"/p{number}": moved(f"/p{number}/") if number % 2 else pages[f"/p{number}/"] for number in PAGES}
    return {"/": page(*links), **pages, **others}


def test_advice_is_accepted_without_a_request_and_saves_half_of_the_next_run(tmp_path: Path) -> None:
    with ScriptedSite(answers()) as site:
        settings = quick(f"{site.root}/")
        crawl = Crawl(tmp_path, settings)
        crawl.run()
        before = crawl.rows("SELECT * FROM url ORDER BY id")
        (advice,) = advise(read_evidence(crawl.path), settings.normalise)
        assert (advice.setting, advice.is_proposed, advice.compared) == ("trailing_slash = true", True, len(PAGES))
        asked = len(site.asked)

        put_in_force(crawl, settings, Normalise(trailing_slash=True))
        assert crawl.rows("SELECT count(*) FROM url WHERE same_as IS NOT NULL") == [(len(PAGES),)]
        assert crawl.run().exit_status == 0
        assert len(site.asked) == asked

        crawl.run(recrawl="all")
        assert len(site.asked) == asked + 1 + len(PAGES)

        put_in_force(crawl, settings, Normalise())
        after = crawl.rows("SELECT * FROM url ORDER BY id")
        assert [row[:6] for row in after] == [row[:6] for row in before]


def test_the_sample_shop_stopped_half_way_goes_on_under_other_rules_and_asks_for_nothing_twice(tmp_path: Path) -> None:
    with SiteThread(SiteOptions(listings=4, per_listing=10, spelling_rate=1.0)) as site:
        settings = quick(f"{site.root}/", budgets=Budgets(max_pages=20))
        crawl = Crawl(tmp_path, settings)
        crawl.run()
        unlimited = msgspec.structs.replace(settings, budgets=Budgets())
        put_in_force(crawl, unlimited, Normalise(lower_path=True, trailing_slash=True))
        assert crawl.run().exit_status == 0
        assert not site.log.repeated
        put_in_force(crawl, unlimited, Normalise())
        assert crawl.run().exit_status == 0
        assert not site.log.repeated
