"""Hosts that seeds redirect to: what was left out for its host before that comes in, once, whatever is killed."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.store.write import widening
from tests.death import Death, Killed
from tests.small_crawl import SITE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from core.store.results import PageResult, Turn, Work

MOVED = "http://moved.test"
SEEDS = {"urls": [f"{SITE}/", f"{SITE}/old"]}
Site = dict[str, list[str]]  # page to links; of one link that begins with ">", it is a redirect
SHOP: Site = {
    f"{SITE}/": [f"{MOVED}/x", f"{MOVED}/y", "http://other.test/"],
    f"{SITE}/old": [f">{MOVED}/"],
    f"{MOVED}/x": [f"{MOVED}/z"],
}

LINKED = """
SELECT base || path FROM link JOIN url ON url.id = target JOIN origin ON origin.id = origin_id WHERE source = 1"""


def started(folder: Path | str, most_refused: int | None = None, **more: Any) -> SmallCrawl:
    return SmallCrawl(Path(folder) / "a.crawl", settings_of(**{"seeds": SEEDS, **more}), most_refused)


def answer(crawl: SmallCrawl, work: Work, site: Site) -> PageResult:
    links = site.get(work.url.text, [])
    if links and links[0].startswith(">"):
        return crawl.redirect(work, links[0][1:])
    return crawl.page(work, *links)


def drive(crawl: SmallCrawl, site: Site, turn: Turn) -> list[str]:
    """Until nothing is left: what was asked for."""
    asked: list[str] = []
    while turn.work or not turn.idle:
        asked += [work.url.text for work in turn.work]
        turn = crawl.turn(*(answer(crawl, work, site) for work in turn.work))
    return asked


def in_order(crawl: SmallCrawl, site: Site, paths: list[str]) -> list[str]:
    """Answer the first pages one after the other, then all there is: what was asked for behind them."""
    works = {work.url.target: work for work in crawl.turn().work}
    later: list[Work] = []
    for path in paths:
        later += crawl.turn(answer(crawl, works[path], site)).work
    return [work.url.text for work in later] + drive(
        crawl, site, crawl.turn(*(answer(crawl, work, site) for work in later))
    )


def is_settled(crawl: SmallCrawl) -> bool:
    crawl.assert_sound()
    return crawl.ask("SELECT 1 FROM meta WHERE name = ?", widening.UNJUDGED) == []


@pytest.mark.parametrize("order", [1, -1])
def test_what_was_refused_before_the_seed_led_there_is_let_in(tmp_path: Path, order: int) -> None:
    crawl = started(tmp_path)
    in_order(crawl, SHOP, ["/", "/old"][::order])
    assert crawl.states() == dict.fromkeys(["/", "/old", "/x", "/y", "/z"], "done")
    assert crawl.one("SELECT count(*) FROM url") == 6
    assert crawl.reasons() == {"http://other.test/": "scope"}
    assert crawl.counter("refused.scope") == 1
    assert is_settled(crawl)
    told = crawl.ask("SELECT message FROM log WHERE kind = 'seed' AND message LIKE '%came in%'")
    assert told == ([("2 URLs left out before came in with the scope that seeds widened.",)] if order == 1 else [])


def test_links_lead_to_what_came_in(tmp_path: Path) -> None:
    crawl = started(tmp_path)
    in_order(crawl, SHOP, ["/", "/old"])
    assert sorted(crawl.ask(LINKED)) == [(f"{MOVED}/x",), (f"{MOVED}/y",)]


def test_other_rules_go_on_to_count(tmp_path: Path) -> None:
    crawl = started(tmp_path, scope={"exclude": ["/y"]}, budgets={"max_url_length": 20})
    site = {**SHOP, f"{SITE}/": [f"{MOVED}/x", f"{MOVED}/y", f"{MOVED}/much-longer"]}
    in_order(crawl, site, ["/", "/old"])
    assert crawl.reasons() == {f"{MOVED}/y": "pattern: /y", f"{MOVED}/much-longer": "length"}
    assert is_settled(crawl)


def test_in_list_mode_links_stay_out(tmp_path: Path) -> None:
    crawl = started(tmp_path, scope={"follow": False})
    in_order(crawl, SHOP, ["/", "/old"])
    assert crawl.reasons() == dict.fromkeys([f"{MOVED}/x", f"{MOVED}/y", "http://other.test/"], "scope")
    assert is_settled(crawl)


@pytest.mark.parametrize(
    ("more", "linked"),
    [
        ({"scope": {"subdomains": True}}, "http://shop.moved.test/"),
        ({"normalise": {"ignore_www": True}}, "http://www.moved.test/a"),
    ],
)
def test_hosts_count_as_the_settings_compare_them(tmp_path: Path, more: dict[str, Any], linked: str) -> None:
    crawl = started(tmp_path, **more)
    asked = in_order(crawl, {**SHOP, f"{SITE}/": [linked, "http://unmoved.test/"]}, ["/", "/old"])
    assert linked in asked
    assert crawl.reasons() == {"http://unmoved.test/": "scope"}


def test_url_that_a_narrower_scope_excluded_comes_back(tmp_path: Path) -> None:
    both = settings_of(seeds=SEEDS, scope={"hosts": ["shop.test", "moved.test"]}, politeness={"per_host": 1})
    one = settings_of(seeds=SEEDS, scope={"hosts": ["shop.test"]}, politeness={"per_host": 1})
    crawl = SmallCrawl(tmp_path / "a.crawl", both)
    (root,) = crawl.turn().work
    turn = crawl.turn(answer(crawl, root, SHOP))
    in_flight = {work.url.text: work for work in turn.work}
    crawl.change(one)
    crawl.turn(answer(crawl, in_flight[f"{MOVED}/x"], {}))
    assert crawl.states()["/y"] == "excluded"
    drive(crawl, SHOP, crawl.turn(answer(crawl, in_flight[f"{SITE}/old"], SHOP)))
    assert crawl.states()["/y"] == "done"
    assert is_settled(crawl)


def test_pages_whose_refusals_were_only_counted_are_read_again_once_at_the_end(tmp_path: Path) -> None:
    seeds = {"urls": [f"{SITE}/", *(f"{SITE}/old{number}" for number in range(3))]}
    crawl = started(tmp_path, 0, seeds=seeds)
    site = {f"{SITE}/": [f"http://moved{number}.test/x" for number in range(3)]} | {
        f"{SITE}/old{number}": [f">http://moved{number}.test/"] for number in range(3)
    }
    asked = in_order(crawl, site, ["/", "/old0", "/old1", "/old2"])
    assert asked.count(f"{SITE}/") == 1
    assert {f"http://moved{number}.test/x" for number in range(3)} <= {*asked}
    assert crawl.counter("refused.scope") == 0
    assert is_settled(crawl)


def test_hosts_that_come_in_the_middle_of_a_pass_have_one_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(widening, "PIECE", 2)
    seeds = {"urls": [f"{SITE}/", f"{SITE}/old0", f"{SITE}/old1"]}
    crawl = started(tmp_path, seeds=seeds)
    linked = [f"http://moved{number % 2}.test/{number}" for number in range(12)]
    site = {f"{SITE}/": linked} | {f"{SITE}/old{number}": [f">http://moved{number}.test/"] for number in range(2)}
    asked = in_order(crawl, site, ["/", "/old0", "/old1"])
    assert sorted(asked) == sorted([*linked, "http://moved0.test/", "http://moved1.test/"])
    assert is_settled(crawl)


def test_hosts_stand_in_the_file_until_all_is_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widening, "PIECE", 1)
    crawl = started(tmp_path)
    works = {work.url.target: work for work in crawl.turn().work}
    crawl.turn(answer(crawl, works["/"], SHOP))
    turn = crawl.turn(answer(crawl, works["/old"], SHOP))
    assert not turn.idle
    stored = crawl.one("SELECT value FROM meta WHERE name = ?", widening.UNJUDGED)
    assert json.loads(stored) == ["moved.test"]
    crawl.reopen()
    drive(crawl, SHOP, crawl.turn())
    assert crawl.states() == dict.fromkeys(["/", "/old", "/x", "/y", "/z"], "done")
    assert is_settled(crawl)


@pytest.mark.parametrize("most_refused", [None, 0])
def test_killed_between_any_two_statements_it_comes_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_refused: int | None
) -> None:
    monkeypatch.setattr(widening, "PIECE", 1)
    number, killed = 0, True
    while killed:
        (folder := tmp_path / str(number)).mkdir()
        crawl = started(folder, most_refused)
        works = {work.url.target: work for work in crawl.turn().work}
        crawl.turn(answer(crawl, works["/"], SHOP))
        crawl.writer._connection.exec_trace = Death(number)
        try:
            drive(crawl, SHOP, crawl.turn(answer(crawl, works["/old"], SHOP)))
            killed = False
        except Killed:
            crawl.reopen()
            drive(crawl, SHOP, crawl.turn())
        assert crawl.states() == dict.fromkeys(["/", "/old", "/x", "/y", "/z"], "done")
        assert crawl.counter("refused.scope") == 1
        assert is_settled(crawl)
        crawl.kill()
        number += 7
    assert number > 100


HOSTS = [f"h{number}.test" for number in range(3)]


@settings(deadline=None, max_examples=25)
@given(
    st.dictionaries(st.sampled_from(range(4)), st.lists(st.sampled_from(HOSTS), max_size=4)),
    st.dictionaries(st.sampled_from(range(4)), st.sampled_from(HOSTS)),
    st.permutations(range(4)),
    st.sampled_from([None, 1, 0]),
)
def test_in_whatever_order_the_seeds_answer_the_same_urls_are_known(
    links: dict[int, list[str]], moved: dict[int, str], order: list[int], most_refused: int | None
) -> None:
    site = {f"{SITE}/{number}": [f"http://{host}/{number}" for host in hosts] for number, hosts in links.items()}
    site |= {f"{SITE}/{number}": [f">http://{host}/"] for number, host in moved.items()}
    known = []
    for turn in (sorted(order, key=lambda number: number not in moved), order):
        with tempfile.TemporaryDirectory() as folder:
            crawl = started(folder, most_refused, seeds={"urls": [f"{SITE}/{number}" for number in range(4)]})
            in_order(crawl, site, [f"/{number}" for number in turn])
            assert is_settled(crawl)
            sql = "SELECT base || path, state FROM url JOIN origin ON origin.id = origin_id ORDER BY 1"
            known.append((crawl.ask(sql), crawl.counter("refused.scope")))
            crawl.kill()
    assert known[0] == known[1]
