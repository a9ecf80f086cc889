"""robots.txt as the engine lives it: once an origin, before any page, and what follows from each answer."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import core.fetch.retry
from core.explain import explain
from core.settings import Normalise, RobotsOverride, Scope, Seeds
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path

TWO = {"a.test": "127.0.0.1", "b.test": "127.0.0.1"}


def rules(*lines: str) -> Reply:
    return Reply("\n".join(("User-agent: *", *lines, "")).encode(), type="text/plain")


@pytest.fixture(autouse=True)
def _quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.fetch.retry, "FIRST_DELAY", 0.02)


@pytest.mark.parametrize("status", [404, 410, 403])
def test_an_answer_of_4xx_allows_all(tmp_path: Path, status: int) -> None:
    """ROB-25."""
    with ScriptedSite({"/robots.txt": Reply(status=status), "/": page("/a"), "/a": page(title="A")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/robots.txt", "/", "/a"]
    assert crawl.rows("SELECT robots_state, robots_status FROM origin") == [("allow", status)]


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (Reply(status=503), "status 503"),
        (Reply(raw=b""), "disconnect"),
        (Reply(status=429), "status 429"),
    ],
)
def test_unreachable_blocks_its_origin_alone_and_ends_with_3(tmp_path: Path, answer: Reply, cause: str) -> None:
    """ROB-26, ROB-27."""
    with ScriptedSite({"b.test/robots.txt": answer, "/": page("/a"), "/a": page(title="A")}) as site:
        paces = politeness(retry_after_max=0.05)
        seeds = (f"{site.at('a.test')}/", f"{site.at('b.test')}/")
        crawl = Crawl(tmp_path, quick(*seeds, fetch=fetch(retries=2, resolve=TWO), politeness=paces))
        ending = crawl.run()
        assert site.targets("b.test") == ["/robots.txt"] * 3
        assert site.targets("a.test") == ["/robots.txt", "/", "/a"]
    assert ending.exit_status == 3
    assert ending.reason.startswith("unreachable: 1 URL")
    assert {row.reason for row in crawl.urls().values() if row.state == "blocked"} == {f"robots: unreachable ({cause})"}


def test_a_robots_txt_at_a_private_address_blocks_at_once_until_the_next_start(tmp_path: Path) -> None:
    with ScriptedSite({"/robots.txt": moved("http://127.0.0.2:1/robots.txt"), "/": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", fetch=fetch(retries=3)))
        assert crawl.run().exit_status == 3
        assert site.targets() == ["/robots.txt"]
        assert crawl.urls()["/"].reason == "robots: unreachable (a private address)"
        ((wait,),) = crawl.rows("SELECT robots_due - robots_fetched FROM origin")
        assert wait > 86_400
        site.answers["/robots.txt"] = Reply(status=404)
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/": "done"}


def test_an_origin_that_waits_for_its_robots_txt_holds_up_no_other_of_its_host(tmp_path: Path) -> None:
    """The slow robots.txt is answered only when the other port's last page was asked for."""
    last = threading.Event()

    def tell(_asked: Asked) -> Reply:
        last.set()
        return Reply(page(title="A"))

    with (
        ScriptedSite({"/robots.txt": Reply(status=404, gate=last), "/": page()}) as slow,
        ScriptedSite({"/robots.txt": Reply(status=503), "/": page()}) as failing,
        ScriptedSite({"/": page("/a"), "/a": tell}) as quick_one,
    ):
        seeds = (f"{slow.root}/", f"{failing.root}/", f"{quick_one.root}/")
        paces = politeness(retry_after_max=0.05)
        crawl = Crawl(tmp_path, quick(*seeds, fetch=fetch(retries=1), politeness=paces))
        assert crawl.run().exit_status == 3
        assert quick_one.targets() == ["/robots.txt", "/", "/a"]
        assert slow.targets() == ["/robots.txt", "/"]
        assert failing.targets() == ["/robots.txt"] * 2


def test_a_robots_txt_that_comes_back_lets_the_next_run_in(tmp_path: Path) -> None:
    with ScriptedSite({"/robots.txt": Reply(status=500), "/": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 3
        site.answers["/robots.txt"] = rules("Disallow: /x")
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/robots.txt", "/robots.txt", "/"]


def test_an_unreachable_robots_txt_is_probed_and_judged_again_while_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.engine.robots.PROBE_EVERY", 0.3)
    with ScriptedSite() as site:
        site.answers |= {
            "b.test/robots.txt": lambda asked: Reply(status=404 if asked.number else 500),
            "/": page("/a"),
            "a.test/a": Reply(page(title="A"), hold=1.0),
        }
        seeds = (f"{site.at('a.test')}/", f"{site.at('b.test')}/")
        crawl = Crawl(tmp_path, quick(*seeds, fetch=fetch(resolve=TWO)))
        assert crawl.run().exit_status == 0
        assert site.targets("b.test")[:3] == ["/robots.txt", "/robots.txt", "/"]


def test_redirects_are_followed_across_hosts_and_the_rules_stay_with_the_origin(tmp_path: Path) -> None:
    """ROB-28."""
    with ScriptedSite() as site:
        site.answers |= {
            "a.test/robots.txt": moved(f"{site.at('b.test')}/rules.txt", 301),
            "b.test/rules.txt": rules("Disallow: /p"),
            "b.test/robots.txt": rules("Disallow: /q"),
            "/": page("/p", "/q"),
            "/p": page(title="P"),
            "/q": page(title="Q"),
        }
        seeds = (f"{site.at('a.test')}/", f"{site.at('b.test')}/?b")
        site.answers["/?b"] = page("/p", "/q", title="B")
        crawl = Crawl(tmp_path, quick(*seeds, fetch=fetch(resolve=TWO)))
        crawl.run()
        assert "/p" not in site.targets("a.test")
        assert "/q" in site.targets("a.test")
        assert "/p" in site.targets("b.test")
        assert "/q" not in site.targets("b.test")
        assert crawl.status().requests == len(site.asked)


def test_a_robots_txt_at_another_host_waits_for_that_hosts_turn(tmp_path: Path) -> None:
    """No two requests at once, and its delay, at the host that is led to; the Crawl-delay is for the host it rules."""
    with ScriptedSite() as site:
        site.answers |= {
            "a.test/robots.txt": lambda _: moved(f"{site.at('b.test')}/rules.txt", 301),
            "b.test/rules.txt": Reply(rules("Disallow: /x", "Crawl-delay: 0.4").body, type="text/plain", hold=0.1),
            "a.test/": page("/1", "/x", title="A"),
            "a.test/1": page(title="one"),
            "b.test/": page(*(f"/{number}" for number in range(6))),
        }
        site.answers |= {f"b.test/{number}": Reply(page(title=f"B{number}"), hold=0.1) for number in range(6)}
        seeds = (f"{site.at('b.test')}/", f"{site.at('a.test')}/")
        paces = politeness(delay=0.15, per_host=1, concurrency=8, adaptive=False)
        crawl = Crawl(tmp_path, quick(*seeds, fetch=fetch(resolve=TWO), politeness=paces))
        assert crawl.run().exit_status == 0
        asked = [item for item in site.asked if item.host.startswith("b.test")]
        assert all(after.at - before.at > 0.14 for before, after in pairwise(asked))
        assert "/rules.txt" in [item.target for item in asked][1:-1]
        assert site.targets("a.test") == ["/robots.txt", "/", "/1"]
        _, first, second = (item.at for item in site.asked if item.host.startswith("a.test"))
        assert second - first > 0.39
        assert crawl.status().requests == len(site.asked)
    (told, *_) = [line for line in crawl.log("robots") if "lies at" in line]
    assert told.startswith(f"robots.txt of {site.at('a.test')} lies at {site.at('b.test')}/rules.txt")
    assert any(line.startswith(f"robots.txt of {site.at('a.test')} was read") for line in crawl.log("robots"))


@pytest.mark.parametrize("concurrency", [1, 8])
def test_robots_txt_files_that_lead_to_one_another_end(tmp_path: Path, concurrency: int) -> None:
    """A ring of hosts is left after five redirects, as if there were no robots.txt, and no slot is lost."""
    with ScriptedSite({"/": page(title="A")}) as site:
        site.answers["a.test/robots.txt"] = lambda _: moved(f"{site.at('b.test')}/robots.txt")
        site.answers["b.test/robots.txt"] = lambda _: moved(f"{site.at('a.test')}/robots.txt")
        seeds = (f"{site.at('a.test')}/", f"{site.at('b.test')}/")
        paces = politeness(per_host=1, concurrency=concurrency)
        crawl = Crawl(tmp_path, quick(*seeds, fetch=fetch(resolve=TWO), politeness=paces))
        assert crawl.run().exit_status == 0
        assert site.count("/robots.txt") == 12
    assert crawl.rows("SELECT state FROM url") == [(3,), (3,)]
    assert crawl.rows("SELECT robots_state FROM origin") == [("allow",), ("allow",)]


def test_a_robots_txt_elsewhere_heeds_a_host_that_was_blocked_meanwhile(tmp_path: Path) -> None:
    with ScriptedSite({"/": page(title="A")}) as site:
        site.answers["a.test/robots.txt"] = lambda _: moved(f"{site.at('b.test')}/rules.txt")
        site.answers["b.test/"] = page(title="B")
        seeds = (f"{site.at('b.test')}/", f"{site.at('a.test')}/")
        paces = politeness(per_host=1, delay=2.0)
        crawl = Crawl(tmp_path, quick(*seeds, fetch=fetch(resolve=TWO), politeness=paces))

        def block() -> None:
            crawl.wait_until(lambda: any("lies at" in line for line in crawl.log("robots")))
            crawl.set(quick(*seeds, fetch=fetch(resolve=TWO), politeness=paces, scope=Scope(block_hosts=("b.test",))))

        assert crawl.run(block).exit_status == 3
        assert site.targets("b.test") == ["/robots.txt"]
    reasons = crawl.rows("SELECT reason FROM url ORDER BY reason")
    assert reasons == [("block-host",), ("robots: unreachable (a blocked host)",)]


def test_a_robots_txt_that_redirects_for_ever_allows_all(tmp_path: Path) -> None:
    with ScriptedSite({"/robots.txt": moved("/robots.txt?again"), "/": page()}) as site:
        site.answers["/robots.txt?again"] = moved("/robots.txt?again")
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        assert site.targets()[-1] == "/"
        assert len(site.asked) == 7


def test_a_huge_robots_txt_is_read_to_its_limit(tmp_path: Path) -> None:
    """ROB-32."""
    filler = b"# nothing\n" * 40_000
    body = b"User-agent: *\n" + filler + b"Disallow: /early\n" + filler * 4 + b"Disallow: /late\n"
    with ScriptedSite({"/robots.txt": Reply(body, type="text/plain"), "/": page("/early", "/late")}) as site:
        site.answers |= {"/early": page(title="E"), "/late": page(title="L")}
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        assert set(site.targets()) == {"/robots.txt", "/", "/late"}
    assert crawl.states()["/early"] == "blocked"


def test_changed_rules_judge_blocked_and_pending_urls_again(tmp_path: Path) -> None:
    with ScriptedSite({"/robots.txt": rules("Disallow: /a"), "/": page("/a", "/b")}) as site:
        site.answers |= {"/a": page(title="A"), "/b": page(title="B")}
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        assert crawl.states() == {"/": "done", "/a": "blocked", "/b": "done"}
        site.answers["/robots.txt"] = rules("Disallow: /b")
        crawl.change("UPDATE origin SET robots_due = 1")
        crawl.change("UPDATE url SET due = 1 WHERE state = 3")
        assert crawl.run().exit_status == 0
        assert crawl.states() == {"/": "done", "/a": "done", "/b": "blocked"}
    assert crawl.rows("SELECT count(*) FROM robots_version") == [(2,)]


def test_robots_txt_is_cached_over_a_restart(tmp_path: Path) -> None:
    with ScriptedSite({"/": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        crawl.run(recrawl="all")
        assert site.targets() == ["/robots.txt", "/", "/"]


def test_a_crawl_delay_is_obeyed_and_capped(tmp_path: Path) -> None:
    answers: dict[str, object] = {"/robots.txt": rules("Crawl-delay: 900"), "/": page("/a"), "/a": page(title="A")}
    with ScriptedSite(answers) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", politeness=politeness(crawl_delay_max=0.3)))
        assert crawl.run().exit_status == 0
        _, first, second = (asked.at for asked in site.asked)
    assert second - first >= 0.2


def test_robots_off_and_an_override_ask_nothing(tmp_path: Path) -> None:
    answers: dict[str, object] = {"/robots.txt": rules("Disallow: /"), "/": page()}
    override = RobotsOverride(host="127.0.0.1", reason="our own")
    for number, ours in enumerate((politeness(robots=False), politeness(robots_override=(override,)))):
        with ScriptedSite(answers) as site:
            crawl = Crawl(tmp_path, quick(f"{site.root}/", politeness=ours), f"{number}.crawl")
            assert crawl.run().exit_status == 0
            assert site.targets() == ["/"]


def test_a_robots_txt_that_redirects_to_a_blocked_host_is_not_followed_and_forbids_all(tmp_path: Path) -> None:
    with ScriptedSite({"/": page()}) as site:
        site.answers["a.test/robots.txt"] = moved(f"{site.at('b.test')}/robots.txt")
        scope = Scope(block_hosts=("b.test",))
        crawl = Crawl(tmp_path, quick(f"{site.at('a.test')}/", fetch=fetch(resolve=TWO), scope=scope))
        assert crawl.run().exit_status == 3
        assert (site.targets("a.test"), site.targets("b.test")) == (["/robots.txt"], [])
        assert crawl.urls()["/"].reason == "robots: unreachable (a blocked host)"
    (told,) = crawl.log("robots")
    assert "it redirects to b.test, where nothing may be asked" in told
    assert told.endswith("its URLs are blocked, asked again at the next start.")


@pytest.mark.parametrize(
    ("host", "name", "normalise"),
    [
        ("www.a.test", "www.a.test", Normalise(ignore_www=True)),
        ("a.test", "www.a.test", Normalise(ignore_www=True)),
        ("b\u00fccher.test", "xn--bcher-kva.test", Normalise()),
        ("*.a.test", "sub.a.test", Normalise()),
    ],
)
def test_an_override_counts_in_every_spelling_and_is_explained_alike(
    tmp_path: Path, host: str, name: str, normalise: Normalise
) -> None:
    with ScriptedSite({"/robots.txt": rules("Disallow: /"), "/": page()}) as site:
        override = RobotsOverride(host=host, reason="our own")
        crawl = Crawl(
            tmp_path,
            quick(
                f"{site.at(name)}/",
                politeness=politeness(robots_override=(override,)),
                fetch=fetch(resolve={name: "127.0.0.1"}),
                normalise=normalise,
            ),
        )
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/"]
        assert explain(crawl.path, f"{site.at(name)}/x").allowed


def test_an_overridden_robots_txt_that_is_read_for_its_sitemaps_slows_nothing_down(tmp_path: Path) -> None:
    with ScriptedSite({"/robots.txt": rules("Disallow: /", "Crawl-delay: 60"), "/": page("/a")}) as site:
        site.answers["/a"] = page(title="A")
        override = RobotsOverride(host="127.0.0.1", reason="our own")
        seeds = Seeds(urls=(f"{site.root}/",), sitemaps=("auto",))
        ours = politeness(robots_override=(override,))
        crawl = Crawl(tmp_path, quick(seeds=seeds, politeness=ours))
        assert crawl.run().exit_status == 0
        assert crawl.run(recrawl="all").exit_status == 0
        assert site.targets() == ["/robots.txt", "/", "/a", "/", "/a"]
    said = f"robots.txt of {site.root} was read for its sitemaps alone: its rules do not count here."
    assert crawl.log("robots") == [said]
