"""Whatever stands in a robots.txt and whatever is asked of it: there is a verdict, at once."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from core.policy.robots import Robots
from tests.fuzzing import fuzz

NAMES = ("User-agent", "Disallow", "allow", "Crawl-delay", "Sitemap", "useragent", "Dissallow", "Host", "", "\u00e9")
VALUES = (
    *(
        "*",
        "fronteira",
        "/",
        "",
        "/*a" * 30 + "$",
        "/" + "*" * 3000 + "b$",
        "/a$b",
        "%",
        "%zz",
        "%c3%a9",
        "/\u00e9",
        "nan",
    ),
    *("1e9", "-1", "inf", "0.5 # x", "http://[", "//x", "\x00", "\ud800", "a" * 5000, "/?a=*&b", "\ufeff"),
)
LINES = st.one_of(
    st.builds("{}: {}".format, st.sampled_from(NAMES), st.sampled_from(VALUES)),
    st.builds("{} {}".format, st.sampled_from(NAMES), st.sampled_from(VALUES)),
    st.sampled_from(["#", ":", "::", " ", "\t:", "<html>"]),
    st.text(max_size=20),
)
BODIES = st.builds(
    lambda mark, lines, end, times: mark + (end.join(lines) * times).encode("utf-8", "surrogatepass"),
    st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xef", b"\x00"]),
    st.lists(LINES, max_size=20),
    st.sampled_from(["\n", "\r", "\r\n", "\x00", "\u2028"]),
    st.sampled_from([1, 1, 500]),
)
TARGETS = st.one_of(st.sampled_from(["/", "/a" * 1000, "/?", "/%zz", "*", "", "/\u00e9"]), st.text(max_size=40))


@fuzz(st.one_of(BODIES, st.binary(max_size=300)), TARGETS)
def test_every_file_has_a_verdict_on_every_target(body: bytes, target: str) -> None:
    robots = Robots.parse(body, "fronteira")
    verdict = robots.verdict(target)
    assert verdict.allowed in {True, False}
    assert (verdict.line > 0) == bool(verdict.rule)
    delay = robots.crawl_delay
    assert delay is None or (math.isfinite(delay) and delay >= 0)
