"""Advice in the window: shown with its proof, accepted on a crawl at rest, taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.policy.advice import DROP, Advice
from core.settings import Normalise
from core.store.lock import EngineLock
from gui.advice.advice_card import AdviceCard
from gui.advice.advice_dialog import AdviceDialog
from gui.advice.words import proof_of, rules_in_force, title_of
from gui.session import OpenCrawl
from tests.small_crawl import SmallCrawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

WAIT = 20_000
EXAMPLE = (("http://a.test/<b>", "http://a.test/<b>/"),)


@pytest.fixture
def crawl(qtbot: QtBot, tmp_path: Path) -> Iterator[OpenCrawl]:
    """A finished crawl of twelve pages, each under two spellings."""
    small = SmallCrawl(tmp_path / "a.crawl")
    (root,) = small.turn().work
    works = small.turn(small.page(root, *[f"/p{number}{end}" for number in range(12) for end in ("", "/")])).work
    while works:
        works = small.turn(*(small.page(work, body=work.url.path.rstrip("/")) for work in works)).work
    small.finish()
    opened = OpenCrawl(small.path)
    qtbot.waitUntil(lambda: opened.settings is not None and opened.status is not None, timeout=WAIT)
    yield opened
    qtbot.waitUntil(lambda: not opened.engine.is_ours, timeout=WAIT)
    opened.close()
    assert opened.wait_closed()


def button_texts(dialog: AdviceDialog) -> list[str]:
    return [card.button.text() for card in dialog.cards if card.button is not None and card.button.isEnabled()]


def press(dialog: AdviceDialog) -> None:
    button = dialog.cards[0].button
    assert button is not None
    button.click()


def test_advice_is_accepted_and_taken_back(qtbot: QtBot, crawl: OpenCrawl) -> None:
    dialog = AdviceDialog(crawl)
    dialog.open()
    qtbot.waitUntil(lambda: button_texts(dialog) == ["Accept"], timeout=WAIT)
    press(dialog)
    qtbot.waitUntil(lambda: button_texts(dialog) == ["Take back"], timeout=WAIT)
    assert crawl.settings is not None
    assert crawl.settings.normalise == Normalise(trailing_slash=True)
    assert same(crawl) == 12
    press(dialog)
    qtbot.waitUntil(lambda: button_texts(dialog) == ["Accept"], timeout=WAIT)
    assert same(crawl) == 0
    dialog.accept()


def same(crawl: OpenCrawl) -> int:
    import apsw

    connection = apsw.Connection(str(crawl.path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        return len(connection.execute("SELECT 1 FROM url WHERE same_as IS NOT NULL").fetchall())
    finally:
        connection.close()


def test_while_the_crawl_runs_its_rules_stay(qtbot: QtBot, crawl: OpenCrawl, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine of this window's own at work is no reason to say that the advice is."""
    assert crawl.status is not None
    monkeypatch.setattr(type(crawl.engine), "is_ours", property(lambda _engine: True))
    monkeypatch.setattr(crawl, "status", replace(crawl.status, state="running"))
    dialog = AdviceDialog(crawl)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.state.text().startswith("While the crawl runs its rules stay."), timeout=WAIT)
    assert button_texts(dialog) == []


def test_settings_that_are_refused_leave_the_advice_where_it_was(qtbot: QtBot, crawl: OpenCrawl) -> None:
    dialog = AdviceDialog(crawl)
    dialog.open()
    qtbot.waitUntil(lambda: button_texts(dialog) == ["Accept"], timeout=WAIT)
    lock = EngineLock.acquire(crawl.path)  # another program began to crawl it a moment ago
    with qtbot.waitSignal(crawl.error_raised, timeout=WAIT):
        press(dialog)
    lock.release()
    assert button_texts(dialog) == ["Accept"]
    dialog.accept()


def test_what_a_counter_example_forbids_has_no_button_and_its_text_is_plain(qtbot: QtBot) -> None:
    card = AdviceCard.of_advice(Advice("lower_path", "", 20, 19, 9, EXAMPLE, EXAMPLE), 0, Normalise())
    qtbot.addWidget(card)
    assert card.button is None


def test_a_dialog_closed_while_it_reads_is_gone(qtbot: QtBot, crawl: OpenCrawl) -> None:
    dialog = AdviceDialog(crawl)
    dialog.open()
    with qtbot.waitSignal(dialog.destroyed, timeout=WAIT):
        dialog.accept()


def test_words_tell_the_proof() -> None:
    assert proof_of(Advice("lower_path", "", 20, 20, 9, EXAMPLE, ())) == (
        "20 pairs compared, 20 with the same content. It makes no difference."
    )
    assert proof_of(Advice("lower_path", "", 20, 19, 9, EXAMPLE, EXAMPLE)).endswith("pages would be lost.")
    assert "too little" in proof_of(Advice("lower_path", "", 1, 1, 1, EXAMPLE, ()))
    assert "proves nothing" in proof_of(Advice("lower_path", "", 20, 20, 1, EXAMPLE, ()))
    assert title_of(DROP, "a\u202eb") == "The parameter “a\\u202eb”"


def test_rules_in_force_can_be_taken_back() -> None:
    assert rules_in_force(Normalise()) == ()
    assert rules_in_force(Normalise(lower_path=True, drop_parameters=("a",))) == (("lower_path", ""), (DROP, "a"))
