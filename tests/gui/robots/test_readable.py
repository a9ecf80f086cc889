"""A robots.txt as it is shown and edited: nothing hidden, and no rule means anything else by it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.policy.robots import Robots
from gui.robots.readable import LONGEST_LINE, readable


def test_what_cannot_be_seen_is_written_as_octets() -> None:
    assert readable("\ufeffDisallow: /\u202ea\x00\tb\r\nAllow: /é\r") == "Disallow: /%E2%80%AEa%00\tb\nAllow: /é\n"


def test_a_line_longer_than_any_url_is_cut() -> None:
    lines = readable(f"Disallow: /{'a' * 4_000_000}\nAllow: /").split("\n")
    assert [len(line) for line in lines] == [LONGEST_LINE, 8]


@given(
    st.text(st.sampled_from("ab/\u202e\u200b\u0301é\x01*$ \u00a0"), max_size=12),
    st.sampled_from(["/a", "/%E2%80%AEa", "/%01"]),
)
def test_what_is_allowed_stays_allowed(path: str, target: str) -> None:
    text = f"User-agent: *\nDisallow: /{path}"
    verdicts = [Robots.parse(spelling, "fronteira").verdict(target) for spelling in (text, readable(text))]
    assert verdicts[0].allowed == verdicts[1].allowed


@given(st.text(st.characters(exclude_categories=())))
def test_every_text_can_be_edited(text: str) -> None:
    made = readable(text)
    made.encode()
    assert readable(made) == made
