"""Secrets are found behind references, at need, and missed loudly."""

from __future__ import annotations

import pytest

from core.errors import SecretMissing
from core.fetch.secrets import Secrets, is_reference, is_secret_header


def test_references_are_told_from_values() -> None:
    assert is_reference("env:KEY")
    assert is_reference("keyring:staging")
    assert not is_reference("env:")
    assert not is_reference("hunter2")
    assert not is_reference("ENV:KEY")


def test_both_kinds_are_looked_up_and_plain_text_stands_for_itself() -> None:
    secrets = Secrets({"KEY": "one"}, {"staging": "two"}.get)
    assert secrets.resolve("env:KEY") == "one"
    assert secrets.resolve("keyring:staging") == "two"
    assert secrets.resolve("plain") == "plain"


def test_the_key_store_is_asked_once_for_a_name() -> None:
    answers = iter(["value"])
    secrets = Secrets({}, lambda _: next(answers))
    assert [secrets.resolve("keyring:a") for _ in range(3)] == ["value"] * 3


@pytest.mark.parametrize("reference", ["env:KEY", "keyring:KEY"])
def test_a_missing_or_empty_secret_names_the_reference(reference: str) -> None:
    with pytest.raises(SecretMissing, match=reference):
        Secrets({"KEY": ""}, lambda _: None).resolve(reference)


def test_headers_that_carry_credentials_are_known_by_name() -> None:
    assert all(map(is_secret_header, ("Authorization", "X-Api-Key", "X-Auth-Token", "Cookie", "X-Session-Id")))
    assert all(map(is_secret_header, ("X-ApiKey", "XSRFToken", "X_Access_Token", "X-Credentials", "X-Signature")))
    assert not any(map(is_secret_header, ("Accept-Language", "X-Requested-With", "DNT", "X-Author")))
