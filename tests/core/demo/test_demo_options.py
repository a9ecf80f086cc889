"""The site's options: read from text, and refused where no site can have them."""

from __future__ import annotations

from dataclasses import fields

import pytest

from core.demo.options import SiteOptions, changed
from core.errors import BadInput


def test_text_is_read_by_the_kind_of_the_option() -> None:
    texts = {"round": "2", "latency_ms": "1.5", "gzip": "1", "front": "web", "error_kinds": "429,drip"}
    options = changed(SiteOptions(), texts)
    assert (options.round, options.latency_ms, options.gzip, options.front) == (2, 1.5, True, "web")
    assert options.error_kinds == ("429", "drip")


def test_every_option_reads_back_what_it_writes() -> None:
    plain = SiteOptions()
    for field in fields(plain):
        value = getattr(plain, field.name)
        text = ",".join(value) if isinstance(value, tuple) else str(value)
        assert changed(plain, {field.name: text}) == plain


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("wrong", "1"),
        ("round", "soon"),
        ("latency_ms", "nan"),
        ("latency_ms", "-1"),
        ("listings", "0"),
        ("dup_rate", "1.5"),
        ("front", "bazaar"),
        ("error_kinds", "500,boredom"),
        ("error_kinds", ""),
        ("gzip", "perhaps"),
        ("soft404_rate", "0.95"),
        ("sitemap_size", "50001"),
    ],
)
def test_impossible_options_are_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(BadInput, match=name):
        changed(SiteOptions(), {name: text})
