"""Ids, fingerprints and hashes: golden values (they are part of the file format), and the laws behind them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.identity import (
    canonical_json,
    content_hash,
    differing_share,
    fingerprint,
    hamming,
    record_id,
    simhash,
)


@dataclass(frozen=True)
class Rule:
    fingerprint: bool = True
    unordered: bool = False


PARTS = st.tuples(*[st.text(max_size=6)] * 4)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_golden_record_id() -> None:
    assert record_id("default", "shop.test", "product", "A-1") == "d7aadf7846f1ddf301865c0badbb1c1d"
    assert record_id("", "", "", "") == "8538098a725acce2a400276987f13475"


def test_golden_fingerprint() -> None:
    data: dict[str, Any] = {"sku": "A-1", "price": 19.5, "tags": ["Red", "Ä"], "note": None}
    assert fingerprint(data, {}) == "e4b7307fe06a0632b3ceaa778ba37d8b80ba395ac53a044a68738924bf827285"


def test_golden_simhash() -> None:
    assert simhash("The quick brown fox jumps over the lazy dog") == -8914584607188563227
    assert simhash("word") == -5422469669250348699
    assert simhash("これは日本語です ok") == 4179448232810455424


def test_golden_content_hash() -> None:
    assert content_hash(b"").hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@given(PARTS, PARTS)
def test_two_records_never_share_their_parts_spelling(left: tuple[str, ...], right: tuple[str, ...]) -> None:
    assert (record_id(*left) == record_id(*right)) == (left == right)


@given(st.dictionaries(st.text(), JSON, max_size=6), st.randoms())
def test_fingerprint_does_not_depend_on_the_order_of_fields(data: dict[str, Any], chance: random.Random) -> None:
    names = list(data)
    chance.shuffle(names)
    assert fingerprint({name: data[name] for name in names}, {}) == fingerprint(data, {})


@given(JSON)
def test_any_json_value_has_a_canonical_form(value: Any) -> None:
    assert isinstance(canonical_json(value), bytes)


def test_whole_floats_and_integers_are_one_number() -> None:
    assert canonical_json([2.0, -0.0, 1.5]) == b"[2,0,1.5]"


def test_field_outside_the_fingerprint_does_not_count() -> None:
    rules = {"seen": Rule(fingerprint=False)}
    assert fingerprint({"a": 1, "seen": "x"}, rules) == fingerprint({"a": 1, "seen": "y"}, rules)
    assert fingerprint({"a": 1, "seen": "x"}, {}) != fingerprint({"a": 1, "seen": "y"}, {})


def test_unordered_list_counts_without_order_and_case() -> None:
    rules = {"tags": Rule(unordered=True)}
    assert fingerprint({"tags": ["b", "A"]}, rules) == fingerprint({"tags": ["a", "B"]}, rules)
    assert fingerprint({"tags": ["b", "A"]}, rules) != fingerprint({"tags": ["b"]}, rules)
    assert fingerprint({"tags": ["b", "a"]}, {}) != fingerprint({"tags": ["a", "b"]}, {})


def words(chance: random.Random, count: int) -> list[str]:
    return [f"word{min(int(chance.paretovariate(0.3)), 5000)}" for _ in range(count)]


def test_near_texts_have_near_hashes_and_others_far_ones() -> None:
    chance = random.Random(7)
    for _ in range(20):
        page = words(chance, 400)
        changed = list(page)
        for _ in range(4):
            changed[chance.randrange(400)] = "changed"
        assert hamming(simhash(" ".join(page)), simhash(" ".join(changed))) <= 12
        assert hamming(simhash(" ".join(page)), simhash(" ".join(words(chance, 400)))) >= 16


@given(st.text())
def test_simhash_is_a_signed_64_bit_number_that_ignores_case_and_white_space(text: str) -> None:
    assert -(2**63) <= simhash(text) < 2**63
    assert simhash(text) == simhash("\n".join(text.lower().split()))
    assert hamming(simhash(text), simhash(text)) == 0


def test_text_written_without_spaces_is_near_itself_with_a_sentence_more() -> None:
    text = "".join(chr(0x4E00 + number * 37 % 2000) for number in range(600))
    assert hamming(simhash(text), simhash(text[:300] + "新しい文" + text[300:])) <= 6
    assert hamming(simhash(text), simhash(text[::-1])) > 16


def test_share_that_differs_grows_with_the_distance() -> None:
    shares = [differing_share(distance) for distance in range(65)]
    assert shares[0] == 0.0
    assert shares == sorted(shares)
    assert 0.03 < shares[6] < 0.06
    assert shares[64] == 1.0


def test_hamming_counts_bits_across_the_sign() -> None:
    assert hamming(-1, 0) == 64
    assert hamming(-(2**63), 0) == 1
