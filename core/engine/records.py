"""From what the extractor read to records with an identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.identity import canonical_json, fingerprint, record_id
from core.store.results import FoundRecord
from core.urls import key_form

if TYPE_CHECKING:
    from core.engine.rules import RulesInForce
    from core.extract import Extracted
    from core.parse.page import ParsedPage
    from core.settings import RecordType
    from core.urls import Url


def found_records(rules: RulesInForce, types: tuple[int, ...], url: Url, page: ParsedPage) -> tuple[FoundRecord, ...]:
    """The records of a page, for the record types (by number) that its URL matches.

    Without a declared key a record's is the page's own address, in the form that is compared; where the page is an
    alias, the store puts its canonical page's in its place: only it knows which canonicals are believed.
    """
    kinds = {kind.name: kind for kind in rules.settings.records}
    address = key_form(url, rules.urls).text
    return tuple(
        _identified(rules.settings.tenant, kinds[item.type], item, url, address)
        for item in rules.extractor.extract(page, types)
    )


def _identified(tenant: str, kind: RecordType, item: Extracted, url: Url, address: str) -> FoundRecord:
    source = kind.source or url.host
    key = item.natural_key if kind.key_fields else address
    reason = f"no {' and no '.join(item.missing)} on the page" if key is None else " ".join(item.faults)
    return FoundRecord(
        type=kind.name,
        natural_key=key,
        record_id=record_id(tenant, source, kind.name, key) if key is not None else "",
        source=source,
        data=canonical_json(item.data).decode("utf-8", "replace"),
        fingerprint=fingerprint(item.data, kind.fields),
        history=kind.history,
        reason=reason,
        by_url=not kind.key_fields,
        by_host=not kind.source,
    )
