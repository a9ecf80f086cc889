"""What the dashboard says of a status."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.settings import Budgets
from core.store.names import CrawlState
from core.store.rows import Status
from gui.dashboard.bars import reason_rows
from gui.dashboard.words import budgets_in_force, has_begun, key_figures, left_out, state_sentence

STATUS = Status(
    name="Shop",
    state="running",
    reason="",
    run=1,
    urls={"leased": 3},
    pages=320,
    requests=1000,
    not_modified=0,
    records=50,
    record_actions={"created": 40, "updated": 10},
    bytes=41_800_000,
    frontier=700,
    discovery_ratio=1.0,
    duplicate_rate=0.384,
    content_duplicate_rate=None,
    bytes_per_useful_page=32_600.0,
    requests_per_record=20.0,
    refusals={"depth": 5, "scope": 90, "robots": 0},
    alarms=(),
    hosts=1,
    engine=None,
    pages_per_second=203.4,
    statuses={"4xx": 5, "5xx": 2},
    errors=1,
)


def test_key_figures_of_a_running_crawl() -> None:
    figures = {each.key: each for each in key_figures(STATUS, Budgets(max_pages=1000), 1180.0)}
    assert figures["pages"].value == "320"
    assert figures["pages"].note == "32% of budget"
    assert figures["frontier"].note == "+1,180.0 / s"
    assert figures["speed"].value == "203 / s"
    assert figures["errors"].value == "0.8 %"
    assert figures["downloaded"].note == "32.6 kB / page"
    assert figures["records"].note == "40 new, 10 updated"


def test_a_stopped_crawl_has_no_speed() -> None:
    figures = {each.key: each for each in key_figures(replace(STATUS, state="stopped"), Budgets(), None)}
    assert figures["speed"].value == "–"


def test_only_limits_that_are_set_are_shown_and_never_over_the_whole() -> None:
    assert budgets_in_force(STATUS, Budgets(max_pages=0)) == ()
    (pages, size) = budgets_in_force(STATUS, Budgets(max_pages=100, max_bytes=83_600_000))
    assert (pages.share, size.share) == (1.0, 0.5)


def test_reasons_are_sorted_and_named() -> None:
    assert [row[1:] for row in left_out(STATUS)] == [("Outside the scope", 90), ("Deeper than allowed", 5)]


def test_what_robots_txt_blocks_is_left_out_too_and_nofollow_is_told_apart() -> None:
    status = replace(STATUS, urls={"blocked": 7, "held": 2, "excluded": 1}, refusals={"robots": 4})
    found = {word: number for word, _, number in left_out(status)}
    assert found == {"blocked": 7, "robots": 4, "hold": 2, "excluded": 1}
    names = {word: name for word, name, _ in left_out(status)}
    assert "nofollow" in names["robots"]
    assert "robots.txt" in names["blocked"]


def test_nothing_is_in_flight_after_a_kill() -> None:
    killed = replace(STATUS, state="stopped", reason="killed")
    figures = {each.key: each for each in key_figures(killed, Budgets(), None)}
    assert figures["speed"].note == "3 to be asked again"


def test_a_frontier_that_hardly_moves_is_steady() -> None:
    figures = {each.key: each for each in key_figures(STATUS, Budgets(), -0.01)}
    assert figures["frontier"].note == "steady"


@pytest.mark.parametrize(
    ("state", "reason", "sentence"),
    [
        ("stopped", "stop", "Stopped on request. Resume goes on where it was."),
        ("stopped", "stop: the window closed", "Stopped because the window closed. Resume goes on where it was."),
        ("stopped", "killed", "Killed. Resume goes on where it was."),
        (
            "stopped",
            "bytes: 1,000 used up",
            "Stopped: the limit of bytes is reached: 1,000 used up. Resume goes on where it was.",
        ),
        ("running", "", "Fetching from 1 host."),
    ],
)
def test_the_sentence_says_the_word_of_the_button_and_no_code(state: str, reason: str, sentence: str) -> None:
    assert state_sentence(replace(STATUS, state=state, reason=reason), 0.0) == sentence


def test_rare_reasons_are_one_row() -> None:
    rows = reason_rows([(f"r{number}", f"Reason {number}", 20 - number) for number in range(12)])
    assert rows[-1][0] == "Other reasons"
    assert rows[0][2] == 1.0


@pytest.mark.parametrize("state", list(CrawlState))
def test_every_state_has_a_sentence(state: CrawlState) -> None:
    assert state_sentence(replace(STATUS, state=state.value), 0.0).endswith(".")


def test_nothing_has_begun_before_the_first_run() -> None:
    assert has_begun(STATUS)
    assert not has_begun(replace(STATUS, run=0, requests=0, pages=0))


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ("unreachable: shop.test could not be resolved", " (shop.test could not be resolved)"),
        ("unreachable: This machine slept, or the engine was stopped, for 60 s", " (This machine slept, or the engine"),
        ("", ""),
    ],
)
def test_an_offline_crawl_says_why_and_that_it_goes_on_by_itself(reason: str, cause: str) -> None:
    sentence = state_sentence(replace(STATUS, state=CrawlState.OFFLINE, reason=reason), 0.0)
    assert sentence.startswith(f"No network{cause}")
    assert "by itself" in sentence
    assert "cannot be reached" not in sentence
