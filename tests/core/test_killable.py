"""What goes between a program and its killable child: whole values, or the end."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.killable import command, environment, frame, next_value

VALUES = st.recursive(st.none() | st.integers() | st.text() | st.binary(), st.lists, max_leaves=5)


@given(st.lists(VALUES, max_size=4))
def test_values_come_out_as_they_went_in(values: list[object]) -> None:
    pipe = io.BytesIO(b"".join(map(frame, values)))
    assert [next_value(pipe) for _ in values] == values
    with pytest.raises(EOFError):
        next_value(pipe)


@given(VALUES, st.data())
def test_half_a_value_is_the_end(value: object, data: st.DataObject) -> None:
    whole = frame(value)
    with pytest.raises(EOFError):
        next_value(io.BytesIO(whole[: data.draw(st.integers(0, len(whole) - 1))]))


def test_a_frozen_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    assert command("-m", "core", "word")[1:] == ["-m", "core", "word"]
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert command("-m", "core", "word")[1:] == ["word"]
    assert environment()["PYTHONPATH"]
