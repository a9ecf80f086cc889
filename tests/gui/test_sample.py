"""Sample crawls are named by what is free, and find their site again by the port in their file."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from gui import sample as samples
from gui.sample import Sample, port_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def ports(monkeypatch: pytest.MonkeyPatch) -> tuple[int, ...]:
    """Ports of this test's own, in place of the program's."""
    found = tuple(range(52_611, 52_711, 20))
    monkeypatch.setattr(samples, "PORTS", found)
    return found


@pytest.fixture
def busy(ports: tuple[int, ...]) -> Iterator[None]:
    """Somebody else listens on the first port."""
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", ports[0]))
        taken.listen()
        yield


@pytest.mark.usefixtures("busy")
def test_the_first_sample_is_number_one_whichever_port_is_free(tmp_path: Path, ports: tuple[int, ...]) -> None:
    sample = Sample(tmp_path / "samples")
    try:
        path = sample.open()
        assert path.name == "Sample shop.crawl"
        assert port_of(path) in ports[1:]
        assert sample.covers(path)
    finally:
        sample.close()


def test_a_second_window_gets_another_file_and_the_first_its_own_again(tmp_path: Path, ports: tuple[int, ...]) -> None:
    first, second = Sample(tmp_path / "samples"), Sample(tmp_path / "samples")
    try:
        path = first.open()
        assert second.open().name == "Sample shop 2.crawl"
        assert first.open() == path
        assert port_of(path) == ports[0]
    finally:
        first.close()
        second.close()
