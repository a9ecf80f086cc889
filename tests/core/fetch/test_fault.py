"""Every exception there is becomes one of the known kinds, with a sentence, and with one answer to "once more?"."""

from __future__ import annotations

import errno
import socket
import ssl
import zlib
from typing import TYPE_CHECKING

import httptools
import pytest

from core.errors import SecretMissing
from core.fetch import head
from core.fetch.fault import KINDS, RETRIED, Fault, Step, fault_of
from core.fetch.response import Fetched
from core.fetch.retry import is_transient

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMED = (
    *("timeout", "connect", "dns", "disconnect", "protocol", "tls", "redirect", "decode", "too_large", "blocked"),
    *("url", "parse"),
)


def every(base: type[Exception] = Exception) -> Iterator[type[Exception]]:
    """Every exception class that anything loaded here has defined: Python's own, the libraries', ours."""
    yield base
    for kind in base.__subclasses__():
        yield from every(kind)


def test_the_kinds_are_the_documented_ones() -> None:
    assert set(KINDS) == {*NAMED, "truncated"}


def made(kind: type[Exception]) -> Exception | None:
    """One of the class, with whatever arguments it takes; None for one that takes none of these."""
    for arguments in (("It failed.",), ("utf-8", b"x", 0, 1, "no"), ("utf-8", "x", 0, 1, "no"), (None, None), ()):
        try:
            return kind(*arguments)
        except Exception:  # noqa: S112 - the next arguments may do
            continue
    return None


@pytest.mark.parametrize("step", Step)
def test_every_exception_there_is_becomes_a_known_kind_with_a_sentence(step: Step) -> None:
    classes = {kind for kind in every() if kind is not Fault and not hasattr(kind, "close")}  # files, and not ended
    errors = [error for kind in classes if (error := made(kind)) is not None]
    assert len(errors) > 100
    for error in errors:
        fault = fault_of(error, step)
        assert fault.kind in KINDS, error
        assert fault.sentence.endswith("."), error
        assert fault.outcome.removeprefix("error:") == fault.kind
        if step is Step.READ:
            assert fault.kind == "parse", error


@pytest.mark.parametrize(
    ("error", "step", "kind"),
    [
        (TimeoutError(), Step.ASK, "timeout"),
        (TimeoutError(errno.ETIMEDOUT, "Connection timed out"), Step.CONNECT, "connect"),
        (TimeoutError(errno.ETIMEDOUT, "Connection timed out"), Step.SECURE, "connect"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), Step.CONNECT, "connect"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), Step.SECURE, "connect"),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), Step.SECURE, "connect"),
        (OSError(errno.ENETDOWN, "Network is down"), Step.SECURE, "connect"),
        (OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address"), Step.SECURE, "connect"),
        (PermissionError(errno.EPERM, "Operation not permitted"), Step.SECURE, "connect"),
        (ConnectionResetError(errno.ECONNRESET, "Connection reset"), Step.SECURE, "tls"),
        (ConnectionAbortedError("SSL handshake is taking longer than 15 seconds"), Step.SECURE, "tls"),
        (ConnectionResetError(errno.ECONNRESET, "Connection reset"), Step.ASK, "disconnect"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), Step.ASK, "disconnect"),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), Step.CONNECT, "dns"),
        (ssl.SSLCertVerificationError("certificate has expired"), Step.SECURE, "tls"),
        (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number"), Step.SECURE, "tls"),
        (SecretMissing("The secret env:KEY leads to nothing."), Step.ASK, "blocked"),
        (UnicodeError("label empty or too long"), Step.ASK, "url"),
        (zlib.error("invalid distance"), Step.ASK, "decode"),
        (MemoryError(), Step.ASK, "too_large"),
        (httptools.HttpParserError("bad"), Step.ASK, "protocol"),
        (AssertionError("boom"), Step.ASK, "protocol"),
        (MemoryError(), Step.READ, "parse"),
        (RecursionError(), Step.READ, "parse"),
        (TimeoutError(), Step.READ, "parse"),
        (ValueError("surrogates not allowed"), Step.READ, "parse"),
    ],
)
def test_what_is_understood_has_its_own_kind(error: Exception, step: Step, kind: str) -> None:
    assert fault_of(error, step).kind == kind


def test_a_fault_stays_what_it_is() -> None:
    fault = Fault("decode", "It cannot be undone.")
    assert all(fault_of(fault, step) is fault for step in Step)


def test_a_full_table_of_descriptors_is_no_fault_of_the_server() -> None:
    fault = fault_of(OSError(errno.EMFILE, "Too many open files"), Step.SECURE)
    assert (fault.kind, fault.starved) == ("connect", True)


def test_what_nobody_foresaw_says_where_it_came_from() -> None:
    with pytest.raises(AttributeError) as caught:
        head.text_of(None)  # type: ignore[arg-type] # a mistake of ours
    sentence = fault_of(caught.value, Step.ASK).sentence
    assert "AttributeError at core/fetch/head.py:" in sentence


@pytest.mark.parametrize("kind", KINDS)
def test_one_table_says_what_is_tried_again(kind: str) -> None:
    fault = Fault(kind, "x.")  # type: ignore[arg-type] # each of them is one
    assert (kind in RETRIED) == is_transient(Fetched(fault.outcome))
