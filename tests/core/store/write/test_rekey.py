"""Other normalisation rules for a crawl that was stopped: merged, never lost, and apart again as it was."""

from __future__ import annotations

import tempfile
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from core.identity import record_id
from core.settings import Normalise
from core.store.read.merges import count_merges
from core.store.read.reader import Reader
from core.store.read.standing import read_standing
from core.store.wishes import Wishes
from core.store.write.writer import Writer
from core.urls import Rules, Url, key_form, parse
from tests.death import Death, Killed
from tests.small_crawl import SITE, SmallCrawl, record, settings_of

if TYPE_CHECKING:
    from core.settings import CrawlSettings
    from core.store.results import FoundRecord

HOSTS = ("http://shop.test", "http://www.shop.test", "https://shop.test")
SPELLINGS = (
    "/a",
    "/a/",
    "/A",
    "/a/index.html",
    "/b?x=1&y=1",
    "/b?y=1&x=1",
    "/b?x=2&y=1",
    "/b/?y=1",
    "/",
    "/deep/deep/deep/deep/",
)
TABLES = {
    "url": "id",
    "page": "url_id",
    "link": "source, target",
    "refused": "id",
    "record": "id",
    "record_version": "record_id, version",
    "path_count": "host_id, path",
    "origin": "id",
    "conflict": "id",
    "counter": "name, run",
}
PRODUCT = {"name": "product", "match": "/", "fields": {"n": {"css": "b"}}}
SLASH = Normalise(trailing_slash=True)
APART = Normalise(sort_parameters=False)  # every spelling is a page


def with_rules(settings: CrawlSettings, normalise: Normalise) -> CrawlSettings:
    return msgspec.structs.replace(settings, normalise=normalise)


def change_rules(crawl: SmallCrawl, normalise: Normalise) -> None:
    """What `fronteira set` and `fronteira apply` do."""
    wishes = Wishes(crawl.path, now=lambda: crawl.at)
    wishes.set_settings(with_rules(crawl.settings, normalise))
    wishes.close()
    apply(crawl)


def apply(crawl: SmallCrawl) -> None:
    writer = Writer(crawl.path)
    writer.apply(crawl.now, crawl.at)
    writer.close()
    crawl.settings = writer.settings
    crawl.assert_sound()


def content(crawl: SmallCrawl) -> dict[str, list[Any]]:
    """All rows that keys may touch; counters that are nought say what none says."""
    statements = {table: f"SELECT * FROM {table} ORDER BY {order}" for table, order in TABLES.items()}  # noqa: S608
    found = {table: crawl.ask(sql) for table, sql in statements.items()}
    found["counter"] = [counter for counter in found["counter"] if counter[2]]
    found["host"] = crawl.ask("SELECT name, pending, waiting, done, failed, excluded FROM host ORDER BY name")
    return found


def keys(crawl: SmallCrawl) -> list[tuple[str, str]]:
    """Host and key form of every URL that is not the same as another; each hash is that of its key form."""
    rules = Rules.of(crawl.settings.normalise)
    found = []
    sql = (
        "SELECT name, base || path, url.key FROM url JOIN origin ON origin.id = origin_id "
        "JOIN host ON host.id = url.host_id WHERE same_as IS NULL"
    )
    for host, text, _ in crawl.ask(sql):
        url = parse(text)
        assert isinstance(url, Url)
        found.append((host, key_form(url, rules).text))
    return sorted(found)


def begun(path: Path, links: list[str], answered: int, normalise: Normalise = Normalise()) -> SmallCrawl:  # noqa: B008  # frozen
    """A crawl that was stopped with so many of its links answered."""
    scope = {"hosts": ["shop.test", "www.shop.test"]}
    normal = {name: getattr(normalise, name) for name in Normalise.__struct_fields__}
    sections = {"scope": scope, "normalise": normal, "records": [PRODUCT], "politeness": {"concurrency": 1}}
    crawl = SmallCrawl(path, settings_of(**sections))
    (work,) = crawl.turn().work
    turn = crawl.turn(crawl.page(work, *links))
    for number in range(answered):
        for work in turn.work:
            seen = {"records": (of_page(work.url, crawl.rules),)}
            answer = crawl.page(work, parsed=seen) if number % 3 != 2 else crawl.failure(work, 404)
            turn = crawl.turn(answer if number % 5 else crawl.failure(work, 503, retry_in=50.0))
    crawl.kill()
    return crawl


RULES = st.builds(
    Normalise,
    trailing_slash=st.booleans(),
    ignore_www=st.booleans(),
    index_pages=st.booleans(),
    lower_path=st.booleans(),
    ignore_scheme=st.booleans(),
    sort_parameters=st.booleans(),
    drop_parameters=st.sampled_from([(), ("x",), ("x", "y")]),
)
LINKS = st.lists(
    st.builds(str.__add__, st.sampled_from(HOSTS), st.sampled_from(SPELLINGS)), min_size=2, max_size=14, unique=True
)
SLOW = examples(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])


@SLOW
@given(LINKS, st.integers(0, 8), RULES)
def test_other_rules_give_the_keys_of_a_crawl_that_began_with_them(
    links: list[str], answered: int, rules: Normalise
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        crawl = begun(Path(folder) / "a.crawl", links, answered, APART)
        change_rules(crawl, rules)
        fresh = begun(Path(folder) / "b.crawl", links, 0, rules)
        assert keys(crawl) == keys(fresh)


@SLOW
@given(LINKS, st.integers(0, 8), RULES, RULES)
def test_the_old_rules_again_leave_everything_as_it_was(
    links: list[str], answered: int, one: Normalise, other: Normalise
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        crawl = begun(Path(folder) / "a.crawl", links, answered, APART)
        crawl.now += 1
        apply_leases(crawl)
        before = content(crawl)
        change_rules(crawl, one)
        change_rules(crawl, other)
        change_rules(crawl, APART)
        after = content(crawl)
        hosts = {host[0] for host in before["host"]}
        after["host"] = [host for host in after["host"] if host[0] in hosts]
        assert after == before


def apply_leases(crawl: SmallCrawl) -> None:
    """The leases of the killed engine are taken back, as any change of keys does first."""
    crawl.open()
    crawl.kill()


def merged(crawl: SmallCrawl) -> dict[str, str]:
    sql = "SELECT url.path, other.path FROM url JOIN url other ON other.id = url.same_as"
    return dict(crawl.ask(sql))


def test_the_answered_spelling_stands_for_those_that_wait_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(politeness={"concurrency": 1}))
    (work,) = crawl.turn().work
    (work,) = crawl.turn(crawl.page(work, "/p/", "/p", "/q", "/q/")).work
    assert work.url.target == "/p/"
    crawl.turn(crawl.page(work), granting=False)
    crawl.kill()
    change_rules(crawl, SLASH)
    assert merged(crawl) == {"/p": "/p/", "/q/": "/q"}
    assert crawl.states() == {"/": "done", "/p/": "done", "/p": "excluded", "/q": "pending", "/q/": "excluded"}
    crawl.open()
    assert crawl.crawl({"/q": ["/p", "/q/", "/r"], "/r": ["/r/"]}) == ["/q", "/r"]
    crawl.kill()
    change_rules(crawl, Normalise())
    assert merged(crawl) == {}
    crawl.open()
    assert sorted(crawl.crawl({})) == ["/p", "/q/"]
    crawl.assert_sound()


def test_a_page_stands_before_the_redirect_that_leads_to_it(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (work,) = crawl.turn().work
    (work,) = crawl.turn(crawl.page(work, "/p")).work
    (work,) = crawl.turn(crawl.redirect(work, "/p/")).work
    crawl.turn(crawl.page(work))
    crawl.kill()
    change_rules(crawl, SLASH)
    assert merged(crawl) == {"/p": "/p/"}
    assert crawl.states()["/p"] == "done"


def test_a_recrawl_asks_for_one_of_them(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": ["/p", "/p/"]})
    crawl.finish()
    change_rules(crawl, SLASH)
    crawl.open(recrawl="all")
    assert sorted(crawl.crawl({"/": ["/p", "/p/"]})) == ["/", "/p"]
    crawl.assert_sound()


def records_of(crawl: SmallCrawl) -> set[tuple[str, str]]:
    return set(crawl.ask("SELECT natural_key, data FROM record"))


def test_records_named_by_their_page_follow_it_and_come_apart_again(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(records=[PRODUCT]))
    (work,) = crawl.turn().work
    works = crawl.turn(crawl.page(work, "/p/", "/p", "/p2/")).work
    crawl.turn(*(crawl.page(work, parsed={"records": (of_page(work.url, crawl.rules),)}) for work in works))
    crawl.kill()
    apart = records_of(crawl)
    before = content(crawl)
    assert len(apart) == 3
    change_rules(crawl, SLASH)
    assert records_of(crawl) == {(f"{SITE}/p", '{"n":"/p/"}'), (f"{SITE}/p2", '{"n":"/p2/"}')}
    assert crawl.counter("records") == 2
    change_rules(crawl, Normalise())
    assert records_of(crawl) == apart
    assert content(crawl) == before


def of_page(url: Url, rules: Rules) -> FoundRecord:
    """The record of a type without a key: its page's key form names it."""
    key = key_form(url, rules).text
    found = record("x", f'{{"n":"{url.text.removeprefix(SITE)}"}}')
    number = record_id("default", found.source, found.type, key)
    return replace(found, natural_key=key, record_id=number, by_url=True, history=True)


def test_killed_at_any_statement_the_keys_are_all_old_or_all_new(tmp_path: Path) -> None:
    outcomes = set()
    number = 0
    while True:
        crawl = begun(tmp_path / f"{number}.crawl", [HOSTS[0] + "/a", HOSTS[0] + "/a/", HOSTS[1] + "/a"], 2)
        wishes = Wishes(crawl.path, now=lambda crawl=crawl: crawl.at)  # type: ignore[misc]  # binds the loop's value
        rules = Normalise(trailing_slash=True, ignore_www=True)
        wishes.set_settings(with_rules(crawl.settings, rules))
        wishes.close()
        writer = Writer(crawl.path)
        writer._connection.exec_trace = Death(number)
        with suppress(Killed):
            writer.apply(crawl.now, crawl.at)
            break
        writer._connection.close(force=True)
        crawl.assert_sound()
        outcomes.add(crawl.one("SELECT count(*) FROM url WHERE same_as IS NOT NULL"))
        apply(crawl)
        assert crawl.one("SELECT count(*) FROM url WHERE same_as IS NOT NULL") == 2
        assert crawl.one("SELECT count(*) FROM meta WHERE name = 'keyed_by'") == 0
        number += 1
    writer._connection.close(force=True)
    assert number > 30
    assert outcomes == {0, 2}


def test_a_start_brings_the_keys_in_line_as_well(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl", [HOSTS[0] + "/a", HOSTS[0] + "/a/"], 0)
    wishes = Wishes(crawl.path, now=lambda: crawl.at)
    wishes.set_settings(with_rules(crawl.settings, SLASH))
    wishes.close()
    crawl.open()
    assert merged(crawl) == {"/a/": "/a"}
    assert crawl.crawl({}) == ["/a"]
    crawl.assert_sound()


def test_refused_spellings_of_one_url_are_let_in_once(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(scope={"exclude": ["/x"]}))
    crawl.crawl({"/": ["/x", "/x/", "/y"]})
    crawl.kill()
    opened = msgspec.structs.replace(crawl.settings, scope=msgspec.structs.replace(crawl.settings.scope, exclude=()))
    crawl.settings = opened
    change_rules(crawl, SLASH)
    assert crawl.one("SELECT count(*) FROM refused") == 0
    assert crawl.one("SELECT count(*) FROM url WHERE path LIKE '/x%'") == 1
    crawl.assert_sound()


def test_no_more_than_what_set_foretold_is_merged(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl", [f"{host}{path}" for host in HOSTS for path in SPELLINGS], 0, APART)
    rules = Normalise(trailing_slash=True, ignore_www=True, lower_path=True)
    foretold, known = count_merges(crawl.path, with_rules(crawl.settings, rules))
    change_rules(crawl, rules)
    assert foretold == crawl.one("SELECT count(*) FROM url WHERE same_as IS NOT NULL") > 10
    assert known == crawl.one("SELECT count(*) FROM url")
    assert count_merges(crawl.path, with_rules(crawl.settings, rules), most=3)[1] == 3


def test_another_spelling_is_explained_by_the_url_that_stands_for_it(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": ["/p", "/p/"]})
    crawl.kill()
    change_rules(crawl, SLASH)
    for spelling in ("/p", "/p/"):
        url = parse(SITE + spelling)
        assert isinstance(url, Url)
        assert read_standing(crawl.path, crawl.settings, url, key_form(url, Rules.of(SLASH))).state == "done"


@pytest.mark.parametrize("rules", [Normalise(ignore_www=True), Normalise(ignore_scheme=True)])
def test_a_host_of_two_names_is_asked_under_both(tmp_path: Path, rules: Normalise) -> None:
    crawl = begun(tmp_path / "a.crawl", [f"{host}/{number}" for number, host in enumerate(HOSTS)], 0)
    change_rules(crawl, rules)
    crawl.open()
    crawl.settings = crawl.writer.settings
    asked = []
    turn = crawl.turn()
    while turn.work:
        asked += [work.url.text for work in turn.work]
        turn = crawl.turn(*(crawl.page(work) for work in turn.work))
    assert {f"{host}/{number}" for number, host in enumerate(HOSTS)} <= {*asked}
    crawl.assert_sound()


def test_the_smallest_depth_of_what_is_merged_is_that_of_its_survivor_and_is_given_back(tmp_path: Path) -> None:
    links = {"/": ["/1", "/p/"], "/1": ["/2"], "/2": ["/p"], "/p": ["/q"], "/q": ["/deep"]}
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets={"max_depth": 4}, politeness={"concurrency": 1}))
    (work,) = crawl.turn().work
    (work,) = crawl.turn(crawl.page(work, "/1")).work
    turn = crawl.turn(crawl.page(work, "/2"))
    while turn.work:
        (work,) = turn.work
        turn = crawl.turn(crawl.page(work, *links.get(work.url.target, ())))
    crawl.finish()
    crawl.open(recrawl="all")
    root = next(work for work in crawl.turn().work if work.url.target == "/")
    crawl.turn(crawl.page(root, "/1", "/p/"), granting=False)  # now another spelling of /p is two clicks nearer
    crawl.kill()
    apply_leases(crawl)
    depths = "SELECT path, depth FROM url ORDER BY id"
    apart = dict(crawl.ask(depths))
    assert (apart["/p"], apart["/p/"], apart["/q"]) == (3, 1, 4)
    assert crawl.reasons() == {"/deep": "depth"}
    change_rules(crawl, SLASH)
    assert merged(crawl) == {"/p/": "/p"} or merged(crawl) == {"/p": "/p/"}
    (survivor,) = merged(crawl).values()
    together = dict(crawl.ask(depths))
    assert together[survivor] == 1
    change_rules(crawl, Normalise())
    assert {path: depth for path, depth in crawl.ask(depths) if path in apart} == apart


def test_what_lies_behind_a_survivor_follows_and_links_refused_for_depth_come_in(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets={"max_depth": 4}, politeness={"per_host": 1}))
    way = {"/": ["/1"], "/1": ["/2"], "/2": ["/p"], "/p": ["/q"], "/q": ["/deep"]}
    crawl.crawl(way)
    crawl.writer.seed([("/p/", crawl.link("/p/"), "")], [], crawl.at)
    crawl.kill()
    depths = "SELECT path, depth FROM url ORDER BY id"
    apart = dict(crawl.ask(depths))
    assert (apart["/p"], apart["/q"], crawl.reasons()) == (3, 4, {"/deep": "depth"})
    change_rules(crawl, SLASH)
    assert merged(crawl) == {"/p/": "/p"}  # it is answered; the other waits, as a seed
    together = dict(crawl.ask(depths))
    assert (together["/p"], together["/q"], together["/deep"]) == (0, 1, 2)
    crawl.open()
    assert crawl.crawl(way) == ["/deep"]
    crawl.kill()
    change_rules(crawl, Normalise())
    assert {path: depth for path, depth in crawl.ask(depths) if path != "/deep"} == apart
    assert crawl.one("SELECT count(*) FROM url WHERE depth_apart IS NOT NULL") == 0


def test_pages_that_link_to_any_spelling_are_counted_once_each(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": ["/p", "/p/", "/a", "/b"], "/a": ["/p/"], "/b": ["/p", "/p/"]})
    crawl.kill()
    change_rules(crawl, SLASH)
    number = crawl.one("SELECT same_as FROM url WHERE same_as IS NOT NULL")
    with closing(Reader(crawl.path)) as reader:
        details = reader.url_details(number)
        assert details is not None
        assert details.in_links == 3
        assert [link.url.removeprefix(SITE) for link in reader.in_links(number)] == ["/", "/a", "/b"]


def test_tenant_and_rules_changed_at_once_rekey_the_old_tenant_too(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "a.crawl", [HOSTS[0] + "/a", HOSTS[0] + "/a/", HOSTS[0] + "/b/"], 1)
    old = crawl.settings
    wishes = Wishes(crawl.path, now=lambda: crawl.at)
    wishes.set_settings(msgspec.structs.replace(with_rules(old, SLASH), tenant="other"))
    wishes.close()
    apply(crawl)
    assert merged(crawl) == {"/a/": "/a"}
    wishes = Wishes(crawl.path, now=lambda: crawl.at)
    wishes.set_settings(with_rules(old, SLASH))
    wishes.close()
    crawl.open()
    requested = crawl.crawl({"/b/": ["/a", "/b"]})
    assert (requested.count("/a/"), "/b" in requested) == (0, False)
    assert crawl.one("SELECT count(*) FROM url WHERE path LIKE '/b%'") == 1
    crawl.assert_sound()


def test_refusals_of_another_tenant_keep_their_own_keys(tmp_path: Path) -> None:
    strict = settings_of(scope={"exclude": ["/x"]})
    crawl = SmallCrawl(tmp_path / "a.crawl", strict)
    crawl.crawl({"/": ["/x", "/x/"]})
    crawl.kill()
    seeds = msgspec.structs.replace(strict.seeds, urls=(f"{SITE}/other",))
    other = msgspec.structs.replace(with_rules(strict, SLASH), tenant="other", seeds=seeds)
    wishes = Wishes(crawl.path, now=lambda: crawl.at)
    wishes.set_settings(other)
    wishes.close()
    crawl.open()
    crawl.crawl({"/other": ["/x"]})
    crawl.kill()
    assert crawl.one("SELECT count(*) FROM refused") == 3
    keys_of = dict(crawl.ask("SELECT id, key FROM refused"))
    crawl.settings = other
    change_rules(crawl, Normalise())
    change_rules(crawl, SLASH)
    assert dict(crawl.ask("SELECT id, key FROM refused")) == keys_of
