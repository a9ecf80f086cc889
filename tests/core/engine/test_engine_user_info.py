"""A password in an address is nobody's business: it is sent to no server and stands in no table, log or export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.export import export
from core.settings import FieldRule, Pages, RecordType, Scope, Seeds
from core.store.read.tables import TableQuery, tables
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "hunter22"  # noqa: S105 - made up
LOGIN = f"http://me:{SECRET}@"
THING = RecordType(name="thing", match="/", fields={"title": FieldRule(css="title")})


def hostile(place: str) -> dict[str, object]:
    """A site that writes a password wherever an address can stand, in good ones and in broken ones."""
    head = (
        f'<base href="{LOGIN}{place}/"><link rel=canonical href="{LOGIN}{place}/canonical">'
        f'<link rel=next href="{LOGIN}{place}/next"><meta http-equiv=refresh content="9;url={LOGIN}{place}/fresh">'
    )
    links = (f"{LOGIN}{place}/a", f"//me:{SECRET}@{place}/b", f"{LOGIN}elsewhere.test/", f"{LOGIN}[bad/")
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    lines = (("Link", f"<{LOGIN}{place}/linked>; rel=next"), ("Content-Location", "/"))
    return {
        "/": Reply(page("/moved", "/broken", "/looped", head=head) + anchors.encode(), headers=lines),
        "/moved": moved(f"{LOGIN}{place}/target"),
        "/broken": moved(f"{LOGIN}[bad/"),
        "/looped": moved(f"{LOGIN}{place}/looped"),
        "/map.xml": f"<urlset><url><loc>{LOGIN}{place}/mapped</loc></url><url><loc>{LOGIN}[bad/</loc></url></urlset>",
        **{f"/{name}": page() for name in ("a", "b", "next", "fresh", "linked", "target", "mapped", "canonical")},
    }


def test_a_password_in_an_address_is_sent_nowhere_and_stands_nowhere(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        place = f"127.0.0.1:{site.port}"
        site.answers.update(hostile(place))
        seeds = Seeds(urls=(f"{site.root}/",), sitemaps=(f"{site.root}/map.xml",))
        settings = quick(seeds=seeds, pages=Pages(keep_responses=False), scope=Scope(forms=True), records=(THING,))
        crawl = Crawl(tmp_path, settings)
        crawl.run()
        asked = [(one.target, one.headers) for one in site.asked]
    reached = {target for target, _ in asked}
    assert {"/a", "/b", "/next", "/fresh", "/linked", "/target", "/mapped"} <= reached
    assert SECRET not in str(asked)
    assert not any("authorization" in headers for _, headers in asked)
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert SECRET.encode() not in stored


def test_no_export_shows_a_password(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        site.answers.update(hostile(f"127.0.0.1:{site.port}"))
        settings = quick(seeds=Seeds(urls=(f"{site.root}/",), sitemaps=(f"{site.root}/map.xml",)), records=(THING,))
        crawl = Crawl(tmp_path, settings)
        crawl.run()
    for table in tables(settings):
        to = tmp_path / f"{table.name}.csv"
        export(crawl.path, TableQuery(table.name), to, "csv")
        assert SECRET not in to.read_text(), table.name


def test_a_password_typed_into_a_seed_is_taken_out_before_it_stands_in_the_file(tmp_path: Path) -> None:
    with ScriptedSite({"/": page(), "/later": page(), "/map.xml": b"<urlset/>"}) as site:
        place = f"{LOGIN}127.0.0.1:{site.port}"
        seeds = Seeds(urls=(f"{place}/", f"{LOGIN}[bad/"), sitemaps=(f"{place}/map.xml",))
        crawl = Crawl(tmp_path, quick(seeds=seeds))
        crawl.run()
        crawl.set(quick(f"{place}/", f"{place}/later"))
        crawl.run()
        asked = str([(one.target, one.headers) for one in site.asked])
    assert crawl.states()["/later"] == "done"
    assert SECRET not in asked
    assert SECRET.encode() not in b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
