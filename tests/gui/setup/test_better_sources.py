"""Better sources for one URL: asked by a click, counted, chosen, and added to the draft alone."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from core.preview import Offer
from core.settings import CrawlSettings, Feed, Seeds
from gui.setup.better_sources import BetterSources
from gui.setup.sources_editor import SourcesEditor
from tests.core.engine.scripted_site import Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.theme import Theme

LIMIT = 15_000
RSS = '<link rel="alternate" type="application/rss+xml" href="/news.rss">'
NEWS = b"<rss><channel><item><link>http://shop.test/n</link></item></channel></rss>"


def site_with_sources() -> ScriptedSite:
    urls = "".join(f"<url><loc>http://shop.test/{number}</loc></url>" for number in range(3))
    return ScriptedSite(
        {
            "/map.xml": Reply(f"<urlset>{urls}</urlset>".encode(), type="text/xml"),
            "/news.rss": Reply(NEWS, type="application/rss+xml"),
            "/": page(head=RSS),
        }
    )


def dialog_for(theme: Theme, qtbot: QtBot, address: str, settings: CrawlSettings | None = None) -> BetterSources:
    dialog = BetterSources(theme, address, settings or CrawlSettings())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    return dialog


def test_sources_are_offered_with_their_numbers_and_the_chosen_ones_wanted(theme: Theme, qtbot: QtBot) -> None:
    with site_with_sources() as site:
        site.answers["/robots.txt"] = Reply(f"Sitemap: {site.root}/map.xml".encode(), type="text/plain")
        dialog = dialog_for(theme, qtbot, f"{site.root}/")
        assert site.targets() == []
        dialog.look_button.click()
        qtbot.waitUntil(lambda: dialog.said == "2 found.", timeout=LIMIT)
        found = [(offer.kind, offer.address, offer.count) for offer in dialog.chosen()]
        assert found == [("sitemap", f"{site.root}/map.xml", 3), ("feed", f"{site.root}/news.rss", 1)]
    item = dialog.list.topLevelItem(0)
    assert item is not None
    item.setCheckState(0, Qt.CheckState.Unchecked)
    assert dialog.add_button.text() == "Add 1 source"
    with qtbot.waitSignal(dialog.offers_wanted) as wanted:
        dialog.add_button.click()
    assert [offer.kind for offer in wanted.args[0]] == ["feed"]


def test_what_is_there_already_is_not_offered_again(theme: Theme, qtbot: QtBot) -> None:
    with site_with_sources() as site:
        feed = Feed(url=f"{site.root}/news.rss", format="rss")
        dialog = dialog_for(theme, qtbot, f"{site.root}/", CrawlSettings(seeds=Seeds(feeds=(feed,))))
        dialog.look_button.click()
        qtbot.waitUntil(lambda: dialog.said == "1 found.", timeout=LIMIT)
    assert dialog.chosen() == ()
    assert not dialog.add_button.isEnabled()


def test_looking_is_called_off_and_a_text_that_is_no_url_told(theme: Theme, qtbot: QtBot) -> None:
    gate = threading.Event()
    with ScriptedSite({"/robots.txt": Reply(gate=gate)}) as site:
        dialog = dialog_for(theme, qtbot, site.root)
        dialog.look_button.click()
        qtbot.waitUntil(lambda: bool(site.asked), timeout=LIMIT)
        dialog.look_button.click()
        assert dialog.said == "Called off."
        gate.set()
    dialog.address.setText("shop.test")
    dialog.look_button.click()
    assert "did you mean" in dialog.said


@pytest.mark.parametrize("address", ["", "https://shop.example/"])
def test_chosen_offers_become_sources_of_the_draft(theme: Theme, qtbot: QtBot, address: str) -> None:
    draft = CrawlSettings(seeds=Seeds(urls=("https://shop.example/",)))
    editor = SourcesEditor(theme, lambda: draft)
    qtbot.addWidget(editor)
    editor.show_settings(draft)
    editor.find_better(address)
    (dialog,) = editor.findChildren(BetterSources)
    with qtbot.waitSignals([editor.changed, editor.offers_added]):
        dialog.offers_wanted.emit((Offer("sitemap", "https://shop.example/s.xml", 3),))
    assert editor.apply_to(draft).seeds.sitemaps == ("https://shop.example/s.xml",)
