"""Secret values, which no file of ours ever holds: settings carry references, and this room looks behind them.

`env:NAME` is an environment variable, `keyring:NAME` an entry of the service "fronteira" in the system's key store.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from core.errors import SecretMissing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SERVICE = "fronteira"
_PREFIXES = ("env:", "keyring:")
_SECRET_WORDS = frozenset("auth authentication key signature".split())
_SECRET_PARTS = ("authorization", "cookie", "token", "secret", "passw", "apikey", "session", "credential")


def is_reference(text: str) -> bool:
    """Whether a settings value points to a secret instead of being one."""
    return any(text.startswith(prefix) and len(text) > len(prefix) for prefix in _PREFIXES)


def is_secret_header(name: str) -> bool:
    """Whether a header of this name carries a credential, so that its value has to be a reference."""
    words = name.lower().replace("_", "-").split("-")
    whole = "".join(words)
    return not _SECRET_WORDS.isdisjoint(words) or any(part in whole for part in _SECRET_PARTS)


class Secrets:
    """Looks behind references. `environ` and `keyring` (name to value) come in so that tests need neither."""

    def __init__(
        self, environ: Mapping[str, str] | None = None, keyring: Callable[[str], str | None] | None = None
    ) -> None:
        self._environ = os.environ if environ is None else environ
        self._keyring = system_keyring if keyring is None else keyring
        self._known: dict[str, str] = {}

    def resolve(self, text: str) -> str:
        """The value behind a reference; a text that is none stands for itself. Raises SecretMissing.

        Blocks while the key store is asked.
        """
        if not is_reference(text):
            return text
        if text in self._known:
            return self._known[text]
        kind, _, name = text.partition(":")
        value = self._environ.get(name) if kind == "env" else self._keyring(name)
        if not value:
            raise SecretMissing(f"The secret {text} leads to nothing.", _advice(kind, name))
        self._known[text] = value
        return value


def system_keyring(name: str) -> str | None:
    """The entry of this name in the system's key store; raises SecretMissing where there is no store."""
    import keyring  # slow to import, and few crawls have secrets there
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(SERVICE, name)
    except KeyringError as error:
        advice = "Use env:NAME instead, with the value in an environment variable."
        raise SecretMissing(f"There is no key store to look up keyring:{name} in.", advice) from error


def _advice(kind: str, name: str) -> str:
    if kind == "env":
        return f"Set the environment variable {name} before the start."
    return f"Store it under the service {SERVICE} and the name {name}, or use env:NAME."
