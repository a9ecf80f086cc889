"""The settings as the crawl file keeps them."""

from __future__ import annotations

import msgspec
import pytest

from core.settings import CrawlSettings, FieldRule, RecordType, Scope, decode, encode


def test_settings_come_back_as_they_were_kept() -> None:
    settings = CrawlSettings(name="Shop", scope=Scope(exclude=("/calendar/",)))

    assert decode(encode(settings)) == settings


def test_record_fields_keep_the_order_of_the_analyst() -> None:
    fields = {name: FieldRule(css=f".{name}") for name in ("sku", "price", "currency", "name")}
    settings = CrawlSettings(records=(RecordType(name="product", match="/", fields=fields),))

    assert list(decode(encode(settings)).records[0].fields) == ["sku", "price", "currency", "name"]


@pytest.mark.parametrize("text", ["{}x", '{"budgets": {"max_depth": -1}}', '{"colour": "red"}'])
def test_what_encode_did_not_write_is_refused(text: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(text)
