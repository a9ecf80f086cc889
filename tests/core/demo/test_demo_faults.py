"""Faults: at the asked rate, of the asked kinds, and gone again after the asked number of requests."""

from __future__ import annotations

from core.demo.faults import delay_of, fault_of
from core.demo.options import SiteOptions

OPTIONS = SiteOptions(error_rate=0.2, error_kinds=("500", "429"), fail_times=2)
TARGETS = [f"/product/{n}" for n in range(1000)]


def test_the_asked_share_fails_with_the_asked_kinds() -> None:
    faults = [fault_of(OPTIONS, 0, target, 0) for target in TARGETS]
    assert 150 < sum(fault is not None for fault in faults) < 250
    assert set(faults) == {None, "500", "429"}


def test_a_failing_url_recovers_after_its_times() -> None:
    failing = next(target for target in TARGETS if fault_of(OPTIONS, 0, target, 0))
    assert fault_of(OPTIONS, 0, failing, 1) == fault_of(OPTIONS, 0, failing, 0)
    assert fault_of(OPTIONS, 0, failing, 2) is None


def test_robots_and_sitemaps_are_spared() -> None:
    always = SiteOptions(error_rate=1)
    assert fault_of(always, 0, "/robots.txt", 0) is None
    assert fault_of(always, 0, "/sitemap-0.xml.gz", 0) is None
    assert fault_of(always, 0, "/list/0", 0) is not None


def test_delay_lies_within_its_jitter_and_stays_the_same() -> None:
    options = SiteOptions(latency_ms=20, latency_jitter_ms=10)
    delays = [delay_of(options, 0, target) for target in TARGETS]
    assert all(0.02 <= delay < 0.03 for delay in delays)
    assert len(set(delays)) > 900
    assert delays == [delay_of(options, 0, target) for target in TARGETS]
