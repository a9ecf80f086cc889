"""Chains of canonicals and redirects: all of a chain are aliases of its end, in whatever order they are fetched."""

from __future__ import annotations

import itertools
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from core.identity import fingerprint, record_id
from core.store.results import FoundRecord
from core.store.write import aliases
from tests.core.store.write.naming_pages import ALIASES, KEYLESS
from tests.death import Death, Killed
from tests.small_crawl import SITE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.store.results import PageResult, Turn, Work

RECORDS = "SELECT natural_key, data FROM record ORDER BY 1"
USEFUL = "SELECT path FROM page JOIN url ON id = url_id WHERE useful AND path <> '/' ORDER BY 1"
PATHS = ("/a", "/b", "/c", "/d", "/e")

# What a page says: "" is plain, "404" missing, "/x" names x, ">/x" redirects to x.
Said = dict[str, str]


def answer(crawl: SmallCrawl, work: Work, said: Said, links: Iterable[str] = ()) -> PageResult:
    """`links` are those of the root; by default it leads to all."""
    path = work.url.target
    if path == "/":
        return crawl.page(work, *(links or said))
    match said[path]:
        case "404":
            return crawl.failure(work)
        case redirect if redirect.startswith(">"):
            return crawl.redirect(work, redirect[1:])
        case named:
            parsed = {"canonical": SITE + named if named else None, "records": (shown(path),)}
            return crawl.page(work, parsed=parsed)


def shown(path: str) -> FoundRecord:
    """What a page shows of a type without a key, as the extractor brings it."""
    key, data = SITE + path, f'{{"sku":"{path}"}}'
    number = record_id("default", "shop.test", "product", key)
    return FoundRecord(
        "product", key, number, "shop.test", data, fingerprint({"sku": path}, {}), by_url=True, by_host=True
    )


def started(folder: Path | str, said: Said) -> tuple[SmallCrawl, dict[str, Work]]:
    """Everything is leased at once."""
    politeness = {"per_host": 99, "concurrency": 99}
    crawl = SmallCrawl(Path(folder) / "a.crawl", settings_of(politeness=politeness, records=[KEYLESS]))
    (root,) = crawl.turn().work
    return crawl, works_of(crawl.turn(answer(crawl, root, said)))


def works_of(turn: Turn) -> dict[str, Work]:
    return {work.url.target: work for work in turn.work}


def in_turn(crawl: SmallCrawl, works: dict[str, Work], order: Iterable[str], said: Said) -> None:
    """One page a transaction; then whatever is left or asked for once more."""
    more: dict[str, Work] = {}
    for path in order:
        more |= works_of(crawl.turn(answer(crawl, works[path], said)))
    finish(crawl, said, more)


def finish(crawl: SmallCrawl, said: Said, works: dict[str, Work]) -> None:
    turn = crawl.turn(*(answer(crawl, work, said) for work in works.values()))
    while turn.work or not turn.idle:
        turn = crawl.turn(*(answer(crawl, work, said) for work in turn.work))


def again(crawl: SmallCrawl) -> dict[str, Work]:
    """The next run fetches everything."""
    crawl.finish()
    crawl.now += 100.0
    crawl.open(recrawl="all")
    return works_of(crawl.turn())


def outcome(crawl: SmallCrawl) -> tuple[Any, ...]:
    crawl.assert_sound()
    assert crawl.ask("SELECT 1 FROM meta WHERE name LIKE 'canonicals%'") == []
    assert crawl.counter("useful") == crawl.one("SELECT count(*) FROM capture WHERE useful")
    return dict(crawl.ask(ALIASES)), [path for (path,) in crawl.ask(USEFUL)], crawl.ask(RECORDS)


# -- what is right, from the whole site at once ----------------------------------------------------------------------


def lands(path: str, said: Said) -> str:
    """The page at the end of redirects, "" where there is none."""
    hops = [path]
    while said[path].startswith(">"):
        path = said[path][1:]
        if path in hops:
            return ""
        hops.append(path)
    return "" if said[path] == "404" else path


def heirs(said: Said) -> dict[str, str]:
    """Each page that has a page behind it that is believed, with that page."""
    named = {path: lands(word, said) for path, word in said.items() if word.startswith("/")}
    return {path: other for path, other in named.items() if other not in {"", path}}


def expected(said: Said) -> tuple[Any, ...]:
    behind, alias_of = heirs(said), {}
    for path in behind:
        trail = [path]
        while trail[-1] in behind and len(trail) <= len(said):
            trail.append(behind[trail[-1]])
        if trail[-1] not in behind:
            alias_of[path] = trail[-1]
    pages = sorted(path for path, word in said.items() if word == "" or word.startswith("/"))
    own = [path for path in pages if path not in alias_of]
    return alias_of, own, [(SITE + path, shown(path).data) for path in own]


WORDS = st.sampled_from(["", "404", *PATHS, *(f">{path}" for path in PATHS)])
SITES = st.fixed_dictionaries(dict.fromkeys(PATHS, WORDS))
ORDERS = st.permutations(PATHS)


@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(said=SITES, first=ORDERS, second=ORDERS, piece=st.sampled_from([1, 2, 500]))
@example(said=dict(zip(PATHS, ("/b", "/c", "/d", "/e", ""), strict=True)), first=PATHS, second=PATHS[::-1], piece=1)
@example(said=dict(zip(PATHS, ("/b", ">/c", "/d", ">/e", ""), strict=True)), first=PATHS[::-1], second=PATHS, piece=1)
@example(said=dict(zip(PATHS, ("/b", "/c", "/a", "/a", "/d"), strict=True)), first=PATHS, second=PATHS[::-1], piece=1)
def test_outcome_is_that_of_the_whole_site_in_any_order_and_again_in_the_next_run(
    said: Said, first: tuple[str, ...], second: tuple[str, ...], piece: int
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(aliases, "PIECE", piece)
        crawl, works = started(folder, said)
        in_turn(crawl, works, first, said)
        assert outcome(crawl) == expected(said)
        in_turn(crawl, again(crawl), ("/", *second), said)
        assert outcome(crawl) == expected(said)
        crawl.kill()


@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(said=SITES, order=ORDERS, after=st.integers(1, 400), piece=st.sampled_from([1, 500]))
def test_outcome_is_the_same_after_a_kill_at_any_statement(
    said: Said, order: tuple[str, ...], after: int, piece: int
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(aliases, "PIECE", piece)
        crawl, works = started(folder, said)
        with suppress(Killed):
            crawl.writer._connection.exec_trace = Death(after)
            in_turn(crawl, works, order, said)
        crawl.reopen()
        crawl.assert_sound()
        finish(crawl, said, {})
        assert outcome(crawl) == expected(said)
        crawl.kill()


@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(said=SITES, other=SITES, first=ORDERS, second=ORDERS)
def test_site_that_says_otherwise_in_the_next_run_has_the_aliases_of_what_it_says_now(
    said: Said, other: Said, first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        crawl, works = started(folder, said)
        in_turn(crawl, works, first, said)
        in_turn(crawl, again(crawl), ("/", *second), other)
        found, useful, _ = outcome(crawl)
        assert (found, useful) == expected(other)[:2]
        crawl.kill()


# -- each kind -------------------------------------------------------------------------------------------------------

ONE_RECORD = {
    "names": {"/a": "/b", "/b": "/c", "/c": ""},
    "redirects": {"/a": "/b", "/b": ">/c", "/c": ""},
    "names itself": {"/a": "/b", "/b": "/c", "/c": "/c"},
}


@pytest.mark.parametrize("kind", ONE_RECORD)
@pytest.mark.parametrize("order", list(itertools.permutations(["/a", "/b", "/c"])))
def test_whole_chain_has_one_record_of_which_the_end_has_its_own_words(
    tmp_path: Path, kind: str, order: tuple[str, ...]
) -> None:
    said = ONE_RECORD[kind]
    crawl, works = started(tmp_path, said)
    in_turn(crawl, works, order, said)
    found, useful, records = outcome(crawl)
    assert found == {path: "/c" for path in ("/a", "/b") if not said[path].startswith(">")}
    assert (useful, records) == (["/c"], [(f"{SITE}/c", '{"sku":"/c"}')])


def test_many_aliases_of_the_middle_follow_it_in_pieces_without_a_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aliases, "PIECE", 3)
    said = {f"/{number}": "/b" for number in range(20)} | {"/b": "/c", "/c": ""}
    crawl, works = started(tmp_path, said)
    for path in works:
        if path not in {"/b", "/c"}:
            crawl.turn(answer(crawl, works[path], said))
    assert set(dict(crawl.ask(ALIASES)).values()) == {"/b"}
    crawl.turn(answer(crawl, works["/b"], said), granting=False)
    assert {"/b", "/c"} == set(dict(crawl.ask(ALIASES)).values())
    crawl.assert_sound()
    crawl.reopen()
    finish(crawl, said, {})
    assert outcome(crawl) == expected(said)
    assert crawl.counter("pages") == len(said) + 1
    assert crawl.one("SELECT max(times) FROM (SELECT count(*) AS times FROM capture GROUP BY url_id)") == 1


def test_chain_of_ten_steps_is_believed_and_a_longer_one_is_not(tmp_path: Path) -> None:
    said = {f"/{number}": f"/{number + 1}" for number in range(11)} | {"/11": ""}
    crawl, works = started(tmp_path, said)
    in_turn(crawl, works, said, said)
    assert outcome(crawl)[0] == {f"/{number}": "/11" for number in range(1, 11)}


def test_middle_that_is_excluded_leaves_its_aliases_their_own_pages_until_it_comes_back(tmp_path: Path) -> None:
    said = {"/a": "/b", "/b": "/c", "/c": ""}
    crawl, works = started(tmp_path, said)
    in_turn(crawl, works, said, said)
    crawl.finish()
    crawl.now += 100.0
    crawl.open(recrawl="all")
    crawl.change(settings_of(records=[KEYLESS], scope={"exclude": ["/b"]}))
    finish(crawl, said, {})
    assert "/a" not in dict(crawl.ask(ALIASES))
    crawl.assert_sound()
    crawl.change(settings_of(records=[KEYLESS]))
    finish(crawl, said, {})
    assert outcome(crawl) == expected(said)


def test_page_in_the_middle_that_only_an_alias_names_is_found_as_before(tmp_path: Path) -> None:
    """No link leads to it, and its alias stands for the end of the chain: it is not gone."""
    said = {"/a": "/b", "/b": "/c", "/c": ""}
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(records=[KEYLESS], recrawl={"gone_after": 1}))
    for _ in range(2):
        turn = crawl.turn()
        while turn.work or not turn.idle:
            turn = crawl.turn(*(answer(crawl, work, said, links=("/a",)) for work in turn.work))
        assert crawl.writer.reckon(crawl.now, crawl.at) == 0
        assert crawl.states() == dict.fromkeys(("/", *said), "done")
        crawl.finish()
        crawl.now += 100.0
        crawl.open(recrawl="all")
