"""Sitemaps, feeds and archives as rows: typed, checked, previewed on loopback, called off, taken out; nothing lost."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.preview import SourcePreview
from core.settings import Archive, CrawlSettings, Feed, Seeds
from core.store.names import UrlState
from core.urls import Rules, Url, key_form, parse, url_key
from gui.setup.checking import Question, judge
from gui.setup.source_values import key_of, preview_words, sources_of, with_sources
from gui.setup.sources_editor import SourcesEditor
from tests.core.engine.scripted_site import Reply, ScriptedSite
from tests.hand_made_crawl import HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.theme import Theme

LIMIT = 10_000
MAP = "https://shop.example/sitemap.xml"
FEED = Feed(url="https://partner.example/offers.json", format="json", path="$.items[*].url")
TABLE = Feed(url="https://partner.example/offers.csv", format="csv", column="link")
ARCHIVE = Archive(endpoint="https://archive.example/cdx", form="common-crawl", query="shop.example/*")
SETTINGS = CrawlSettings(
    seeds=Seeds(
        urls=("https://shop.example/",),
        sitemaps=("auto", MAP),
        feeds=(FEED, TABLE),
        archives=(ARCHIVE,),
        files=("a.txt",),
    )
)
SOURCES = st.lists(
    st.sampled_from(["", MAP, "https://b.example/s.xml", FEED, TABLE, ARCHIVE, Feed(url="", format="rss")]), max_size=8
)


class Drafted:
    """An editor with the draft it belongs to."""

    def __init__(self, theme: Theme, qtbot: QtBot, settings: CrawlSettings) -> None:
        self.draft = settings
        self.editor = SourcesEditor(theme, lambda: self.draft)
        qtbot.addWidget(self.editor)
        self.editor.changed.connect(self._on_changed)
        self.editor.show_settings(settings)

    def _on_changed(self) -> None:
        self.draft = self.editor.apply_to(self.draft)


@pytest.fixture
def drafted(theme: Theme, qtbot: QtBot) -> Drafted:
    return Drafted(theme, qtbot, SETTINGS)


def type_into(drafted: Drafted, name: str, text: str) -> None:
    field = getattr(drafted.editor.form, name)
    field.setText(text)
    field.textEdited.emit(text)


def choose(drafted: Drafted, row: int) -> None:
    drafted.editor.list.setCurrentIndex(drafted.editor.list.model().index(row, 0))


def cells(drafted: Drafted, row: int) -> list[str]:
    item = drafted.editor.list.topLevelItem(row)
    return [item.text(column) for column in range(4)] if item else []


def test_every_source_is_a_row_and_given_back_as_it_was(drafted: Drafted) -> None:
    assert drafted.editor.apply_to(SETTINGS) == SETTINGS
    assert [cells(drafted, row)[:3] for row in range(4)] == [
        ["Sitemap", MAP, ""],
        ["Feed", FEED.url, "JSON $.items[*].url"],
        ["Feed", TABLE.url, "CSV link"],
        ["Web archive", ARCHIVE.endpoint, "Common Crawl shop.example/*"],
    ]


def test_only_the_fields_of_the_kind_are_there(drafted: Drafted) -> None:
    form = drafted.editor.form
    for row, shown in (
        (0, ()),
        (1, (form.format, form.path)),
        (2, (form.format, form.column)),
        (3, (form.form, form.query)),
    ):
        choose(drafted, row)
        fields = (form.format, form.path, form.column, form.form, form.query)
        assert tuple(field for field in fields if not field.isHidden()) == shown


def test_an_added_source_is_applied_once_it_has_an_address(drafted: Drafted) -> None:
    drafted.editor.add_buttons["feed"].click()
    assert drafted.draft == SETTINGS
    type_into(drafted, "address", "https://partner.example/new.jsonl")
    drafted.editor.form.format.setCurrentIndex(1)
    drafted.editor.form.format.activated.emit(1)
    type_into(drafted, "path", "url")
    added = Feed(url="https://partner.example/new.jsonl", format="jsonl", path="url")
    assert drafted.draft.seeds.feeds == (FEED, TABLE, added)
    assert (drafted.draft.seeds.sitemaps, drafted.draft.seeds.files) == (("auto", MAP), ("a.txt",))


def test_a_removed_source_is_gone(drafted: Drafted) -> None:
    choose(drafted, 1)
    drafted.editor.remove_button.click()
    assert drafted.draft.seeds.feeds == (TABLE,)
    assert cells(drafted, 1)[1] == TABLE.url


def test_what_is_wrong_stands_beside_its_row(drafted: Drafted) -> None:
    choose(drafted, 3)
    type_into(drafted, "query", "")
    choose(drafted, 1)
    verdict = judge(Question(drafted.draft, SETTINGS, False))
    assert drafted.editor.show_findings(verdict.findings) == ()
    assert cells(drafted, 3)[3] == "Every field is needed."
    assert drafted.editor.form.problem == ""
    choose(drafted, 3)
    type_into(drafted, "query", "shop.example/*")
    choose(drafted, 1)
    type_into(drafted, "path", "$[")
    drafted.editor.show_findings(judge(Question(drafted.draft, SETTINGS, False)).findings)
    assert drafted.editor.form.problem == cells(drafted, 1)[3] != ""


def test_a_sitemap_s_problem_is_told_here_and_beside_the_seeds(drafted: Drafted) -> None:
    choose(drafted, 0)
    type_into(drafted, "address", "nonsense")
    left = drafted.editor.show_findings(judge(Question(drafted.draft, SETTINGS, False)).findings)
    assert [finding.problem.key for finding in left] == ["seeds.sitemaps[1]"]
    assert "cannot be fetched" in cells(drafted, 0)[3]


@given(SOURCES)
def test_settings_hold_every_source_with_an_address_and_their_keys_lead_back(
    sources: list[str | Feed | Archive],
) -> None:
    settings = with_sources(SETTINGS, sources)
    assert with_sources(settings, sources_of(settings)) == settings
    for place, source in enumerate(sources):
        key = key_of(sources, place, auto=True)
        if key:
            name, number = key.removeprefix("seeds.").rstrip("]").split("[")
            assert getattr(settings.seeds, name)[int(number)] == source


def test_a_preview_in_words() -> None:
    assert (
        preview_words(SourcePreview("sitemap", MAP, 1204, 12, 310)) == "1,204 URLs, 310 new · 12 kept out by the rules"
    )
    assert preview_words(SourcePreview("feed", MAP, problem="It answered 404.")) == "It answered 404."


@pytest.fixture
def made(tmp_path: Path) -> HandMadeCrawl:
    return HandMadeCrawl(tmp_path / "shop.crawl", CrawlSettings(name="Shop"))


def test_a_preview_says_what_is_new_and_touches_nothing(made: HandMadeCrawl, theme: Theme, qtbot: QtBot) -> None:
    known, new = "http://shop.test/known", "http://shop.test/new"
    url = parse(known)
    assert isinstance(url, Url)
    made.url("/known", UrlState.DONE, key=url_key(key_form(url, Rules())))
    body = f"<urlset><url><loc>{known}</loc></url><url><loc>{new}</loc></url></urlset>".encode()
    with ScriptedSite({"/map.xml": Reply(body, type="text/xml")}) as site:
        seeds = Seeds(urls=("http://shop.test/",), sitemaps=(f"{site.root}/map.xml",))
        drafted = Drafted(theme, qtbot, CrawlSettings(seeds=seeds))
        drafted.editor.set_file(made.path)
        assert site.targets() == []
        drafted.editor.previewer.button.click()
        qtbot.waitUntil(lambda: drafted.editor.previewer.said == "2 URLs, 1 new", timeout=LIMIT)
    assert cells(drafted, 0)[3] == "2 URLs, 1 new"
    assert drafted.editor.previewer.examples.toPlainText() == new
    assert made.connection.execute("SELECT count(*) FROM url").fetchone() == (1,)


def test_a_preview_is_called_off_at_once(made: HandMadeCrawl, theme: Theme, qtbot: QtBot) -> None:
    gate = threading.Event()
    with ScriptedSite({"/map.xml": Reply(b"<urlset/>", gate=gate)}) as site:
        drafted = Drafted(theme, qtbot, CrawlSettings(seeds=Seeds(sitemaps=(f"{site.root}/map.xml",))))
        drafted.editor.set_file(made.path)
        previewer = drafted.editor.previewer
        previewer.button.click()
        qtbot.waitUntil(lambda: bool(site.asked), timeout=LIMIT)
        assert previewer.button.text() == "Cancel"
        previewer.button.click()
        assert (previewer.said, previewer.button.text()) == ("called off", "Preview")
        gate.set()


def test_another_draft_of_sources_replaces_what_is_shown(drafted: Drafted) -> None:
    drafted.editor.show_settings(msgspec.structs.replace(SETTINGS, seeds=Seeds(feeds=(TABLE,))))
    assert drafted.editor.list.topLevelItemCount() == 1
    assert cells(drafted, 0)[1] == TABLE.url


def test_without_a_source_it_says_whether_robots_txt_is_asked_for_some(theme: Theme, qtbot: QtBot) -> None:
    drafted = Drafted(theme, qtbot, CrawlSettings(seeds=Seeds(sitemaps=("auto",))))
    assert "robots.txt names are read" in drafted.editor._empty.text()
    drafted.editor.show_settings(CrawlSettings())
    assert drafted.editor._empty.text().startswith("No source yet.")
    assert drafted.editor.form.isHidden()
