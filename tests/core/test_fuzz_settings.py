"""Whatever stands in a settings file: settings that can be used, or problems that name their place."""

from __future__ import annotations

from hypothesis import strategies as st

from core.errors import SettingsError
from core.profile import read_profile, readable_profile, write_profile
from core.settings import CrawlSettings, decode, encode
from core.validation.check import check
from tests.fuzzing import fuzz

SECTIONS = (
    "seeds scope normalise budgets politeness fetch priority pages recrawl notify records seeds.feeds bogus".split()
)
KEYS = (
    "name tenant urls sitemaps feeds archives files hosts subdomains include exclude block_hosts authorised patterns "
    "max_depth max_pages max_url_length delay per_host concurrency timeout retries user_agent headers auth cookies "
    "proxy resolve ca_file order every at match key fields rows cast css xpath regex checks drop_parameters bogus"
).split()
VALUES = (
    *("1", "-1", "0", "99999999999999999999999", "1e400", "nan", "inf", "true", "''", '""', "[]", "{}", "1979-05-27"),
    *(
        '"http://a.test/"',
        '["/x", "re:(a+)+$"]',
        '["re:["]',
        '"\\u0000"',
        '"env:X"',
        '["http://["]',
        "[[]]",
        "[1, 'a']",
    ),
    *(
        '{css = "["}',
        '{xpath = "//["}',
        '{regex = "(?P<"}',
        '[{pattern = "/", max_pages = 1}]',
        '["' + "a" * 5000 + '"]',
    ),
    *(
        '[{origin = "x", name = "Host", value = "y"}]',
        '{"a.test" = "300.1.1.1"}',
        '"Mon 99:99"',
        "[" * 400 + "]" * 400,
        "=",
    ),
)
LINES = st.one_of(
    st.builds("{} = {}".format, st.sampled_from(KEYS), st.sampled_from(VALUES)),
    st.sampled_from(SECTIONS).map("[{}]".format),
    st.sampled_from(SECTIONS).map("[[{}]]".format),
    st.sampled_from(["[records.fields]", "#", "[", "]]", "a.b.c = 1", "\ufeff", '"', "'''", "= 1", "\x00", "\ud800"]),
    st.text(max_size=20),
)
TEXTS = st.lists(LINES, max_size=12).map("\n".join)


def read(text: str) -> CrawlSettings | SettingsError:
    try:
        readable_profile(text)
        return read_profile(text)[0]
    except SettingsError as error:
        return error


@fuzz(TEXTS)
def test_every_text_is_settings_or_problems(text: str) -> None:
    found = read(text)
    if isinstance(found, SettingsError):
        assert found.problems
        assert all(problem.message for problem in found.problems)
        assert len(str(found)) < 200_000
        return
    check(found)
    assert decode(encode(found)) == found
    assert read(write_profile(found)) == found
