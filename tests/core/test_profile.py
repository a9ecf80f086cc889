"""The settings file: every problem at once with its line, and writing that reads back equal."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import inspect

from core.errors import SettingsError
from core.profile import line_of, read_profile, write_profile
from core.profile_lines import key_lines
from core.settings import CrawlSettings, Seeds

WRONG = """\
name = 3
max_depth = 3

[budgets]
max_depht = 3        # misspelt
max_pages = -1
max_body_bytes = 0

[scope]
exclude = ["/a", 3,
    # a comment with ] and "
    4]
private = "x"

[fetch]
auth = [{origin = "http://a.test", user = "u", password = 5}]
resolve = {"a.b" = 3}

[[records]]
name = "p"
match = "/"
[records.fields]
sku = {css = 3}

[[records]]
name = "9"

[priority]
order = "x"
"""


def problems_of(text: str) -> dict[str, tuple[int | None, str]]:
    with pytest.raises(SettingsError) as caught:
        read_profile(text)
    return {problem.key: (problem.line, problem.message) for problem in caught.value.problems}


def test_every_problem_is_named_with_its_line() -> None:
    lines = {key: line for key, (line, _) in problems_of(WRONG).items()}
    assert lines == {
        "name": 1,
        "max_depth": 2,
        "budgets.max_depht": 5,
        "budgets.max_pages": 6,
        "budgets.max_body_bytes": 7,
        "scope.exclude[1]": 10,
        "scope.exclude[2]": 12,
        "scope.private": 13,
        "fetch.auth[0].password": 16,
        "fetch.resolve.a.b": 17,
        "records[0].fields.sku.css": 23,
        "records[1].name": 26,
        "records[1].match": 25,
        "priority.order": 29,
    }


def test_messages_say_what_is_allowed() -> None:
    said = {key: message for key, (_, message) in problems_of(WRONG).items()}
    assert "Did you mean budgets.max_depth?" in said["budgets.max_depht"]
    assert "Did you mean budgets.max_depth?" in said["max_depth"]
    assert "a whole number from 0" in said["budgets.max_pages"]
    assert "from 1" in said["budgets.max_body_bytes"]
    assert '"breadth", "depth", "score"' in said["priority.order"]
    assert '"listed"' in said["scope.private"]
    assert "missing" in said["records[1].match"]


def test_a_message_never_shows_what_may_be_a_secret() -> None:
    assert "5 " not in problems_of(WRONG)["fetch.auth[0].password"][1]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = ", 1),
        ("\n\n[x", 3),
        ('x = "', 1),
        ("a=1\na=2", 2),
        ("x = 1\ny = 2\nz =\n", 3),
        ("a = " + "[" * 3000, None),
    ],
)
def test_bad_toml_is_a_problem_with_its_line(text: str, line: int | None) -> None:
    found = problems_of(text)
    assert list(found) == ["TOML"]
    assert found["TOML"][0] == line


def test_an_empty_file_is_all_defaults() -> None:
    assert read_profile("") == (CrawlSettings(), [])
    assert read_profile("\ufeff# nothing\r\n")[0] == CrawlSettings()


def test_a_text_named_twice_is_a_warning() -> None:
    _, warnings = read_profile('[scope]\nexclude = [\n"/a",\n"/b",\n"/a"]\n')
    assert [(w.key, w.line) for w in warnings] == [("scope.exclude[2]", 5)]


def test_a_whole_file_reads() -> None:
    text = """
        name = "Shop"
        seeds.urls = ["http://a.test/"]
        [scope]
        authorised = [{host = "a.test", by = "me", until = 2027-01-31}]
        [[records]]
        name = "product"
        match = "/product/*"
        key = ["sku", "size"]
        [records.fields]
        sku = {css = ".sku"}
        size = {xpath = "//p[@id='n']", fingerprint = false}
    """
    crawl, warnings = read_profile(text)
    assert warnings == []
    assert crawl.scope.authorised[0].until == date(2027, 1, 31)
    assert crawl.records[0].key_fields == ("sku", "size")


def test_only_what_differs_is_written() -> None:
    crawl, _ = read_profile('name = "A"\n[budgets]\nmax_depth = 6\nmax_pages = 9\n')
    assert write_profile(crawl).splitlines()[1:] == ["", 'name = "A"', "", "[budgets]", "max_pages = 9"]


def test_a_long_list_is_written_one_item_a_line() -> None:
    crawl = CrawlSettings(seeds=Seeds(urls=tuple(f"http://a.test/{n}" for n in range(9))))
    assert '\n    "http://a.test/8",\n]' in write_profile(crawl)
    assert read_profile(write_profile(crawl))[0] == crawl


def test_the_line_of_a_key_or_of_what_is_around_it() -> None:
    text = "a = 1\n[b.c]\n\"d.e\" = {f = [\n1,\n2]}\n[[g]]\n[g.h]\ni.j = '''\n]\n'''\n[[g]]\nk = 1\n"
    assert line_of(text, "b.c.d.e.f[1]") == 5
    assert line_of(text, "b.c.d.e.f[9]") == 3
    assert line_of(text, "b.unknown") is None
    assert line_of(text, "g[0].h.i.j") == 8
    assert line_of(text, "g[1].k") == 12
    assert line_of(text, "g[1].missing") == 11


@given(st.text(alphabet="ab.=[]{}\"'#\n\\ ,1", max_size=60))
def test_the_scan_for_lines_ends_on_any_text(text: str) -> None:
    assert all(1 <= line <= text.count("\n") + 1 for line in key_lines(text).values())


TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)


def values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Anything the settings' types allow."""
    match kind:
        case inspect.StructType():
            inner = {field.name: values(field.type) for field in kind.fields}
            needed = {field.name for field in kind.fields if field.required}
            return st.fixed_dictionaries(
                {name: inner[name] for name in needed},
                optional={name: held for name, held in inner.items() if name not in needed},
            )
        case inspect.VarTupleType():
            return st.lists(values(kind.item_type), max_size=3)
        case inspect.DictType():
            return st.dictionaries(values(kind.key_type), values(kind.value_type), max_size=3)
        case inspect.UnionType():
            return st.one_of([values(part) for part in kind.types])
        case _:
            return leaves(kind)


def leaves(kind: inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.BoolType():
            return st.booleans()
        case inspect.DateType():
            return st.dates()
        case inspect.IntType():
            return st.integers(kind.ge if kind.ge is not None else -(10**9), kind.le if kind.le is not None else 10**15)
        case inspect.FloatType():
            least = kind.ge if kind.ge is not None else 0.001
            return st.floats(least, kind.le, allow_nan=False, allow_infinity=False)
        case inspect.StrType(pattern=str()):
            return st.text("abcXYZ_", min_size=1, max_size=8)
        case _:
            return TEXT.map(lambda text: text or "x")


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], max_examples=80, deadline=None)
@given(values(inspect.type_info(CrawlSettings)))
def test_what_is_written_reads_back_equal(content: dict[str, Any]) -> None:
    crawl = msgspec.convert(content, CrawlSettings)
    text = write_profile(crawl)
    assert read_profile(text)[0] == crawl
    assert write_profile(read_profile(text)[0]) == text


@given(st.text(alphabet="ab.=[]{}\"'#\n\\ ,1", max_size=40))
def test_any_text_is_settings_or_problems(text: str) -> None:
    try:
        crawl, _ = read_profile(text)
    except SettingsError:
        return
    assert crawl == CrawlSettings()  # no key of these letters is known
