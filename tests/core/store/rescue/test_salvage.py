"""A damaged file gives up every row that can be read, and what comes of it is a consistent crawl that goes on."""

from __future__ import annotations

import os
import random
import shutil
import struct
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from core.errors import EngineHeld, FileExists, FileMissing, FronteiraError, NotACrawl
from core.store.crawl_file import backup, connect
from core.store.lock import EngineLock
from core.store.read.audit import audit
from core.store.read.columns import TableQuery
from core.store.read.reader import Reader
from core.store.read.snapshot import Snapshot
from core.store.rescue.pages import MOST_TIMES, PageFile
from core.store.rescue.salvage import Salvage, salvage
from core.store.wishes import Wishes
from tests.small_crawl import NOON, SITE, SmallCrawl, record, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = int(os.environ.get("DAMAGED_FILES", "25"))  # the law, so many times; more by hand
PAGE = 4096
FIRST = Path(__file__).parent.parent / "migrations" / "first_form.sql"
TABLES = ("urls", "records", "links", "hosts", "alarms", "metrics", "refused", "robots", "log", "changes", "seeds")


def site(target: str) -> list[str]:
    return [f"{target.rstrip('/')}/{'long' * 6}{number}" for number in range(5)] if target.count("/") < 4 else []


def crawled(path: Path) -> SmallCrawl:
    """A small crawl that has met most things: records, refusals, a kill, a redirect, a failure."""
    crawl = SmallCrawl(path, settings_of(scope={"exclude": ["/private/"]}, budgets={"max_depth": 5}))
    (root,) = crawl.turn().work
    found = {"records": tuple(record(str(number), f'{{"price": {number}}}') for number in range(40))}
    turn = crawl.turn(crawl.page(root, *site("/"), "/moved", "/broken", "/private/x", "/b?x=1", parsed=found))
    crawl.reopen()
    works = {work.url.target: work for work in crawl.turn().work}
    turn = crawl.turn(crawl.redirect(works.pop("/moved"), "/b?x=2"), crawl.failure(works.pop("/broken")))
    crawl.crawl(site, [*works.values(), *turn.work])
    crawl.finish()
    return crawl


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crawled(tmp_path_factory.mktemp("whole") / "whole.crawl").path


def rescued(path: Path, to: Path | None = None, **more: Any) -> tuple[Path, Salvage]:
    to = to or path.with_name("rescued.crawl")
    to.unlink(missing_ok=True)
    return to, salvage(path, to, NOON, **more)


def ask(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(apsw.Connection(str(path))) as connection:
        return connection.execute(sql).fetchall()


def overwritten(path: Path, *pieces: tuple[int, bytes]) -> Path:
    with path.open("r+b") as file:
        for at, content in pieces:
            file.seek(at)
            file.write(content)
    return path


def copied_to(path: Path, to: Path) -> Path:
    shutil.copy(path, to)
    return to


def rows_of(path: Path, table: str) -> list[tuple[Any, ...]]:
    return ask(path, f"SELECT * FROM {table} ORDER BY 1, 2")  # noqa: S608


def root_of(path: Path, name: str) -> int:
    ((root,),) = ask(path, f"SELECT rootpage FROM sqlite_schema WHERE name = '{name}'")  # noqa: S608
    return (int(root) - 1) * PAGE


def leaves_of(path: Path, name: str) -> list[int]:
    found = ask(path, f"SELECT pageno FROM dbstat('main') WHERE name = '{name}'")  # noqa: S608
    return [(number - 1) * PAGE for (number,) in found]


def goes_on(path: Path) -> list[str]:
    """Open the rescued crawl and crawl it to its end; the paths that were asked."""
    crawl = SmallCrawl.__new__(SmallCrawl)
    crawl.path, crawl.now = path, 5000.0  # nothing is due yet
    crawl.open()
    if crawl.settings.politeness.robots:  # its settings were lost, or left out
        crawl.change(settings_of())
    asked = crawl.crawl(site)
    crawl.assert_sound()
    crawl.finish()
    return asked


def test_a_whole_file_is_rescued_whole(whole: Path, tmp_path: Path) -> None:
    before = whole.read_bytes()
    to, found = rescued(whole, tmp_path / "to.crawl")
    assert found.sound
    assert found.trusted
    assert all(table.whole for table in found.tables)
    for table in ("url", "page", "link", "record", "record_version", "refused", "capture", "host", "origin"):
        assert rows_of(to, table) == rows_of(whole, table)
    assert found.mended == {}
    with closing(apsw.Connection(str(to))) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert whole.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["to.crawl"]


@pytest.mark.parametrize("much", [16, 100, PAGE])
def test_a_file_without_its_beginning_loses_nothing_of_the_crawl(whole: Path, tmp_path: Path, much: int) -> None:
    path = overwritten(copied_to(whole, tmp_path / "a.crawl"), (0, random.Random(5).randbytes(much)))
    to, found = rescued(path, trusted=True)
    assert found.sound
    for table in ("url", "page", "link", "record", "refused", "origin", "setting"):
        assert rows_of(to, table) == rows_of(whole, table), table
    assert goes_on(to) == []


def test_lost_pages_of_links_and_urls_are_found_again_by_crawling(whole: Path, tmp_path: Path) -> None:
    path = copied_to(whole, tmp_path / "a.crawl")
    lost = leaves_of(path, "url")[2:4]
    overwritten(path, *((at, bytes(PAGE)) for at in lost))
    to, found = rescued(path)
    assert found.sound
    (urls,) = [table for table in found.tables if table.name == "url"]
    assert (urls.whole, urls.lost_pages) == (False, 2)
    assert any(line.startswith("url: ") and "2 pages could not be read" in line for line in found.sentences())
    assert goes_on(to)
    addresses = "SELECT base || path FROM url JOIN origin ON origin.id = origin_id ORDER BY 1"
    assert ask(to, addresses) == ask(whole, addresses)


def test_a_page_whose_answer_is_lost_is_asked_again(whole: Path, tmp_path: Path) -> None:
    path = copied_to(whole, tmp_path / "a.crawl")
    overwritten(path, (leaves_of(path, "page")[-1], bytes(PAGE)))
    to, found = rescued(path)
    assert found.sound
    again = found.mended["URLs whose answer is lost are asked again"]
    assert len(goes_on(to)) == again > 0
    assert ask(to, "SELECT count(*) FROM page") == ask(whole, "SELECT count(*) FROM page")


@pytest.mark.parametrize("table", ["host", "origin"])
def test_hosts_and_origins_are_made_again_of_their_index(whole: Path, tmp_path: Path, table: str) -> None:
    path = copied_to(whole, tmp_path / "a.crawl")
    overwritten(path, (root_of(path, table), bytes(PAGE)))
    to, found = rescued(path)
    assert found.sound
    assert ask(to, "SELECT count(*) FROM url") == ask(whole, "SELECT count(*) FROM url")
    names = "SELECT id, name FROM host" if table == "host" else "SELECT id, host_id, base FROM origin"
    assert ask(to, names) == ask(whole, names)


def test_hosts_without_table_and_index_are_made_again_of_their_origins(whole: Path, tmp_path: Path) -> None:
    path = copied_to(whole, tmp_path / "a.crawl")
    overwritten(path, (root_of(path, "host"), bytes(PAGE)), (root_of(path, "host_tenant_name"), bytes(PAGE)))
    to, found = rescued(path)
    assert found.sound
    assert ask(to, "SELECT id, tenant, name FROM host") == [(1, "default", "shop.test")]
    assert goes_on(to) == []


def test_settings_that_are_lost_begin_with_the_seeds(whole: Path, tmp_path: Path) -> None:
    path = copied_to(whole, tmp_path / "a.crawl")
    overwritten(path, (root_of(path, "setting"), bytes(PAGE)))
    to, found = rescued(path)
    assert found.sound
    with closing(Reader(to)) as reader:
        assert reader.settings()[1].seeds.urls == (f"{SITE}/",)


def test_a_wrong_key_does_not_let_a_url_in_twice(whole: Path, tmp_path: Path) -> None:
    path = copied_to(whole, tmp_path / "a.crawl")
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("UPDATE url SET key = key + 1 WHERE path LIKE '%long%3'")
    to, found = rescued(path)
    assert found.sound
    assert ask(to, "SELECT id, key FROM url ORDER BY 1") == ask(whole, "SELECT id, key FROM url ORDER BY 1")


def test_a_url_whose_text_is_damaged_is_found_again(whole: Path, tmp_path: Path) -> None:
    path = copied_to(whole, tmp_path / "a.crawl")
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("UPDATE url SET path = '/broken' WHERE path = '/longlonglonglonglonglong2'")
        connection.execute(
            "UPDATE url SET path = '/longlonglonglonglonglong4/wrong' WHERE path LIKE '/%4/%3' AND depth = 2"
        )
    to, found = rescued(path)
    assert found.sound
    goes_on(to)
    addresses = "SELECT path FROM url ORDER BY 1"
    assert ask(to, addresses) == ask(whole, addresses)


def test_requests_in_flight_are_listed_and_sent_again(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    crawl.turn(crawl.page(root, "/a"))
    crawl.kill()
    to, found = rescued(crawl.path)
    assert found.sound
    assert found.mended == {"requests in flight": 1}
    certificate = audit(to)
    assert (certificate.possibly_repeated, certificate.kills) == ((f"{SITE}/a",), 1)
    assert goes_on(to)[0] == "/a"


def test_what_lies_in_the_wal_is_rescued(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl(site)
    copy = copied_to(crawl.path, tmp_path / "copy.crawl")
    shutil.copy(f"{crawl.path}-wal", f"{copy}-wal")
    overwritten(copy, (0, bytes(100)))
    to, found = rescued(copy)
    assert found.sound
    assert ask(to, "SELECT count(*) FROM url") == crawl.ask("SELECT count(*) FROM url")
    (tmp_path / "copy.crawl-wal").unlink()
    to, found = rescued(copy)
    assert found.sound


def test_kept_values_of_any_kind_come_through_page_by_page(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    long = "x" * 30_000 + "ü€😀"
    with closing(apsw.Connection(str(crawl.path))) as other:
        rows = [(1.5, long, -1), (2.0, "", 2**62), (-3.25, "\x00", -(2**63)), (0.0, "é", 300), (1e300, "0", 2**31)]
        sql = "INSERT INTO log(id, at, elapsed, level, kind, message) VALUES (?, ?, 1, 'info', 'page', ?)"
        other.executemany(sql, [(number, at, text) for at, text, number in rows])
    crawl.finish()
    sql = "SELECT id, at, message FROM log WHERE kind = 'page' ORDER BY id"
    before = ask(crawl.path, sql)
    overwritten(crawl.path, (0, bytes(PAGE)))
    to, _ = rescued(crawl.path)
    assert ask(to, sql) == before


@pytest.mark.parametrize("name", ["wrong.crawl", "empty.crawl", "text.crawl"])
def test_what_is_no_crawl_leaves_no_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes({"wrong": random.Random(1).randbytes(50_000), "empty": b"", "text": b"no crawl"}[path.stem])
    with pytest.raises(NotACrawl):
        salvage(path, tmp_path / "to.crawl", NOON)
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_what_stands_in_the_way_is_told(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(FileExists):
        salvage(whole, whole, NOON)
    with pytest.raises(FileMissing):
        salvage(tmp_path / "none.crawl", tmp_path / "to.crawl", NOON)
    with pytest.raises(FileMissing):
        salvage(whole, tmp_path / "nowhere" / "to.crawl", NOON)
    lock = EngineLock.acquire(whole)
    with pytest.raises(EngineHeld):
        salvage(whole, tmp_path / "to.crawl", NOON)
    lock.release()


def test_giving_up_leaves_nothing(whole: Path, tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def enough(share: float) -> None:
        raise Enough

    with pytest.raises(Enough):
        salvage(whole, tmp_path / "to.crawl", NOON, progress=enough)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_an_earlier_form_is_rescued_into_this_one(tmp_path: Path) -> None:
    first = FIRST.read_text(encoding="utf-8")
    path = tmp_path / "a.crawl"
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(first)
    _, found = rescued(path)
    assert (found.sound, found.trusted) == (True, True)
    overwritten(path, (0, bytes(PAGE)))
    to, found = rescued(path)
    assert found.sound
    assert ask(to, "SELECT count(*) FROM url") == [(7,)]
    assert ask(to, "SELECT count(*) FROM link") == [(14,)]


def test_rows_that_lie_over_one_another_do_not_multiply(tmp_path: Path) -> None:
    """Each of 200 pages claims 600 rows that all share one long chain: 100 GB, if it were believed."""
    leaf = bytearray(PAGE)
    leaf[0] = 13
    leaf[3:5] = struct.pack(">H", 600)
    leaf[8:1208] = struct.pack(">600H", *range(2000, 2600))
    leaf[2000:2700] = b"\xb0" * 500 + b"\xb0\x80\x01" + bytes(197)
    chain = [struct.pack(">I", number + 1) + bytes(PAGE - 4) for number in range(202, 402)]
    path = tmp_path / "a.crawl"
    path.write_bytes(bytes(PAGE) + bytes(leaf) * 200 + b"".join(chain))
    file = PageFile(path, PAGE)
    size = sum(len(cell.payload) for number in range(2, 202) for cell in file.cells(number) if cell)
    file.close()
    assert size <= MOST_TIMES * path.stat().st_size


# -- the law ----------------------------------------------------------------------------------------------------------


def flip(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice([1, 10, 300])):
        content[chance.randrange(len(content))] = chance.randrange(256)


def zero_pages(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(content) // PAGE) * PAGE
        content[at : at + PAGE] = bytes(PAGE)


def cut_off(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content)) :]


def spoil_head(content: bytearray, chance: random.Random) -> None:
    much = chance.choice([1, 50, 100, PAGE])
    content[:much] = chance.randbytes(much)


def shuffle_pages(content: bytearray, chance: random.Random) -> None:
    """As after a checkpoint or a copy that was cut short: pages stand where others belong."""
    for _ in range(chance.randint(1, 6)):
        one, other = (chance.randrange(len(content) // PAGE) * PAGE for _ in range(2))
        content[one : one + PAGE], content[other : other + PAGE] = (
            content[other : other + PAGE],
            content[one : one + PAGE],
        )


def lead_in_circles(content: bytearray, chance: random.Random) -> None:
    """Inner pages lead anywhere, also to themselves."""
    for at in range(0, len(content), PAGE):
        if content[at] in {2, 5} and chance.random() < 0.5:
            target = chance.randrange(1, len(content) // PAGE + 1)
            content[at + 8 : at + 12] = struct.pack(">I", target)


DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (
    *(flip, zero_pages, cut_off, spoil_head, shuffle_pages, lead_in_circles),
)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],  # a smaller damage explains nothing, and takes minutes to find
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 2**32), damage=st.sampled_from(DAMAGES))
def test_any_damage_is_told_and_what_is_rescued_is_a_crawl(
    whole: Path, tmp_path: Path, seed: int, damage: Callable[[bytearray, random.Random], None]
) -> None:
    content = bytearray(whole.read_bytes())
    damage(content, random.Random(seed))
    path = tmp_path / "a.crawl"
    for use in (looked_at, audited, listed, wished, copied):
        fresh(path, content)
        with suppress(FronteiraError):
            use(path)
    fresh(path, content)
    begun = time.monotonic()
    with suppress(NotACrawl):  # too little is left
        to, found = rescued(path)
        assert found.sound, audit(to)
        assert {table for table, *_ in ask(to, "PRAGMA foreign_key_check")} <= {
            "record",
            "record_apart",
            "record_version_apart",
        }
        goes_on(to)
    assert path.read_bytes() == content
    assert time.monotonic() - begun < 60


def fresh(path: Path, content: bytes | bytearray) -> None:
    for file in path.parent.glob("*"):
        file.unlink()
    path.write_bytes(content)


def looked_at(path: Path) -> None:
    reader = Reader(path)
    try:
        reader.status()
        reader.settings()
        reader.url_details(5)
        reader.in_links(5)
        for look in (reader.samples, reader.marks, reader.log, reader.seeds, reader.hosts_brief, reader.alarms):
            look()
    finally:
        reader.close()


def audited(path: Path) -> None:
    audit(path)


def listed(path: Path) -> None:
    snapshot = Snapshot(path)
    try:
        for table in TABLES:
            snapshot.first(TableQuery(table))
            snapshot.build(TableQuery(table))
            snapshot.page(0)
    finally:
        snapshot.close()


def wished(path: Path) -> None:
    wishes = Wishes(path)
    try:
        wishes.stop()
    finally:
        wishes.close()


def copied(path: Path) -> None:
    backup(path, path.with_name("copy.crawl"))


def test_the_law_holds_for_a_file_that_can_be_opened(whole: Path) -> None:
    """The looks of the law above are looks at all: on a whole file none of them fails."""
    for use in (looked_at, audited, listed):
        use(whole)
    connect(whole).close()
