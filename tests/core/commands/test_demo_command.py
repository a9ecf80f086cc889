"""`demo --headless`: a site, a crawl, a summary, and a crawl file to look at."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import core.demo
from core.cli import main
from core.demo import SiteOptions
from core.store.read.audit import audit

if TYPE_CHECKING:
    import pytest


def test_the_headless_demo_crawls_a_site_and_tells_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(core.demo, "demo_options", lambda _mode: SiteOptions(listings=2, per_listing=3))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert main(["demo", "--headless"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Sample shop: finished\n")
    assert "8 by" in out
    assert "6 created" in out
    assert err.startswith("The sample site is at http://127.0.0.1:")
    (kept,) = Path(tmp_path).glob("*/*.crawl")
    assert f"The crawl file is kept: {kept}" in err
    assert audit(kept).ok
