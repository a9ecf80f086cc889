"""How many of all known URLs each pattern takes out: the engine's decision, in pieces, called off at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.policy import Policy
from core.settings import CrawlSettings, Normalise, Scope
from core.store.names import UrlState
from gui.setup import known_bar
from gui.setup.known_bar import KnownBar
from gui.setup.pattern_count import CountQuestion, KnownCount, Progress, count_known
from gui.setup.pattern_trial import keys_of
from gui.setup.patterns_panel import PatternsPanel
from tests.hand_made_crawl import HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.theme import Theme

LIMIT = 10_000
PATTERNS = ("/calendar/", "", "re:(", "?sort=", "re:/p/\\d+$")


@pytest.fixture
def made(tmp_path: Path) -> HandMadeCrawl:
    made = HandMadeCrawl(tmp_path / "shop.crawl", CrawlSettings(name="Shop"))
    for number in range(600):
        made.url(f"/calendar/{number}", UrlState.DONE, key=number)
    for number in range(10):
        made.url(f"/p/{number}?b=1&sort=x" if number % 2 else f"/p/{number}", key=1000 + number)
    return made


def counted(question: CountQuestion) -> tuple[KnownCount, list[Progress]]:
    told: list[Progress] = []
    return count_known(question, lambda: False, told.append), told  # type: ignore[arg-type]  # only Progress is told


def test_every_known_url_is_counted_once_by_each_pattern(made: HandMadeCrawl) -> None:
    found, told = counted(CountQuestion(made.path, PATTERNS, True, Normalise()))
    assert found.counts == (600, None, None, 5, 5)
    assert (found.together, found.total) == (610, 610)
    assert found.examples[3][0] == "http://shop.test/p/1?b=1&sort=x"
    assert len(found.examples[0]) == 5
    assert told == [Progress(500, 610), Progress(610, 610)]


def test_the_count_is_the_engine_s_decision(made: HandMadeCrawl) -> None:
    urls = tuple(f"http://shop.test{path}" for (path,) in made.connection.execute("SELECT path FROM url").fetchall())
    for pattern in (PATTERNS[0], PATTERNS[3], PATTERNS[4]):
        policy = Policy(CrawlSettings(scope=Scope(exclude=(pattern,))))
        excluded = [key for key in keys_of(urls, Normalise()) if policy.excluded(key)]
        found, _ = counted(CountQuestion(made.path, (pattern,), True, Normalise()))
        assert found.counts == (len(excluded),)


def test_a_count_is_called_off_between_two_urls(made: HandMadeCrawl) -> None:
    looks = iter([False] * 4 + [True] * 10)
    found = count_known(CountQuestion(made.path, PATTERNS, True, Normalise()), lambda: next(looks), lambda _: None)
    assert found.counts[0] == 3


def test_a_small_crawl_is_counted_by_itself_and_again_when_a_pattern_changes(
    made: HandMadeCrawl, theme: Theme, qtbot: QtBot
) -> None:
    panel = PatternsPanel(theme)
    qtbot.addWidget(panel)
    panel.show_settings(CrawlSettings(scope=Scope(exclude=("/calendar/",))))
    panel.set_file(made.path)
    panel.known.set_known(610)
    qtbot.waitUntil(lambda: panel.rows.index(0, 2).data() == "600", timeout=LIMIT)
    assert panel.known.verdict.text().startswith("600 by this pattern · 600 of all 610 known excluded")
    panel.line.textEdited.emit("/p/")
    assert panel.rows.index(0, 2).data() != "600"
    qtbot.waitUntil(lambda: panel.known.verdict.text().startswith("10 by this pattern"), timeout=LIMIT)
    assert "http://shop.test/p/0" in panel.known.examples.text()


def test_a_large_crawl_is_counted_when_asked_for(
    made: HandMadeCrawl, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_bar, "BY_ITSELF", 100)
    bar = KnownBar()
    qtbot.addWidget(bar)
    bar.set_known(610)
    bar.set_question(CountQuestion(made.path, PATTERNS, True, Normalise()))
    bar.set_current(0)
    assert not bar._pause.isActive()
    with qtbot.waitSignal(bar.counted, timeout=LIMIT):
        bar.button.click()
    assert bar.verdict.text().startswith("600 by this pattern · 610 of all 610")


def test_a_called_off_count_leaves_no_answer(made: HandMadeCrawl, qtbot: QtBot) -> None:
    bar = KnownBar()
    qtbot.addWidget(bar)
    bar.set_question(CountQuestion(made.path, PATTERNS, True, Normalise()))
    with qtbot.assertNotEmitted(bar.counted):
        bar.button.click()
        assert bar.button.text() == "Cancel"
        bar.button.click()
    assert bar.button.text() == "Count all known URLs"
