"""For every fault of a file there is a sentence, and an answer that helps."""

from __future__ import annotations

import pytest

from core.errors import (
    BadInput,
    CorruptFile,
    FileError,
    FileMissing,
    ForeignFile,
    FronteiraError,
    ManyNames,
    NewerFile,
    NotACrawl,
    OlderFile,
    ReadOnlyFile,
)
from gui.files.offers import CLOSE, LOCATE, OTHER, SALVAGE, UPDATE, remedy


@pytest.mark.parametrize(
    ("kind", "helps"),
    [
        (FileMissing, LOCATE),
        (NotACrawl, SALVAGE),
        (CorruptFile, SALVAGE),
        (ForeignFile, SALVAGE),
        (OlderFile, UPDATE),
        (NewerFile, OTHER),
        (ManyNames, OTHER),
        (ReadOnlyFile, OTHER),
        (BadInput, CLOSE),
    ],
)
def test_every_fault_has_an_answer_that_helps_and_one_that_does_nothing(kind: type[FronteiraError], helps: str) -> None:
    found = remedy(kind("It is so.", "Do that."))
    keys = [answer.key for answer in found.answers]
    assert helps in keys
    assert CLOSE in keys
    assert found.title


def test_no_kind_of_file_fault_is_forgotten() -> None:
    for kind in FileError.__subclasses__():
        assert remedy(kind("It is so.", "Do that.")).answers
