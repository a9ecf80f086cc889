from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gui.setup.seed_lines import read_seed_lines


def test_each_bad_line_has_its_message_and_good_lines_are_kept() -> None:
    read = read_seed_lines("# news\nhttps://a.example/\n\nwww.b.example\nftp://c.example/\n  https://d.example/x  ")
    assert read.good == ("https://a.example/", "https://d.example/x")
    assert read.places == (2, 6)
    assert [line for line, _ in read.problems] == [4, 5]
    assert "https://www.b.example/" in read.problems[0][1]
    assert read.comments == (1,)


def test_the_same_page_twice_counts_once() -> None:
    read = read_seed_lines("http://a.example\nhttp://a.example:80/")
    assert read.good == ("http://a.example",)
    assert read.doubles == ((2, 1),)


@given(st.text(max_size=300))
def test_every_line_is_one_of_the_kinds(text: str) -> None:
    read = read_seed_lines(text)
    counted = len(read.good) + len(read.problems) + len(read.doubles) + len(read.comments)
    assert counted == sum(bool(line.strip()) for line in text.split("\n"))
