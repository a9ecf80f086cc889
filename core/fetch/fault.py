"""The one place that decides what a failure becomes: a kind, a sentence, and whether the request is tried again.

Where a failure is understood it is raised as a `Fault` of one of these kinds; any other exception, of whatever library
or of ours, is turned into one by `fault_of`. So nothing is unknown, and no exception ends more than its own page.
"""

from __future__ import annotations

import errno
import socket
import ssl
import zlib
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

from core.errors import FronteiraError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

Kind = Literal[
    "timeout",
    "connect",
    "dns",
    "disconnect",
    "protocol",
    "tls",
    "redirect",
    "decode",
    "too_large",
    "blocked",
    "url",
    "parse",
    "truncated",  # the answer began and broke off; the only one whose outcome bears no `error:`
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
RETRIED: Final[frozenset[Kind]] = frozenset({"timeout", "connect", "dns", "disconnect", "truncated"})
"""What may well pass: all else would end in the same way at the next try."""

_NO_WAY = frozenset({errno.ENETUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL, errno.EACCES, errno.EPERM})
_NEVER_REACHED = _NO_WAY | {errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ETIMEDOUT}
_NO_ROOM = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS})
_HOME = Path(__file__).parents[2]


class Step(Enum):
    """What was being done when an exception came."""

    CONNECT = auto()  # making a connection
    SECURE = auto()  # making one over TLS
    ASK = auto()  # from the request to the last byte of its answer
    READ = auto()  # understanding what came: charset, markup, links, rules


class Fault(FronteiraError):
    """A fetch or a reading that ended without what was wanted.

    `kind` is the KIND of `error:KIND`, or `truncated`. `unsent` is true where the server cannot have seen the request
    or closed an idle connection under it, so that sending once more is harmless. `starved` is true where our own system
    had no room for a connection: nothing was learnt of the server.
    """

    def __init__(self, kind: Kind, sentence: str, *, unsent: bool = False, starved: bool = False) -> None:
        super().__init__(sentence)
        self.kind: Kind = kind
        self.unsent = unsent
        self.starved = starved

    @property
    def outcome(self) -> str:
        """Its name in the table of URLs."""
        return outcome_of(self.kind)


def outcome_of(kind: Kind) -> str:
    """The outcome that a kind of failure is recorded as."""
    return kind if kind == "truncated" else f"error:{kind}"


def fault_of(error: BaseException, step: Step, place: str = "The server") -> Fault:
    """What any exception becomes; `place` begins the sentence of a connection that could not be made."""
    if isinstance(error, Fault):
        return error
    if step is Step.READ:
        return Fault("parse", _unread(error))
    for types, kind, sentence in _UNDERSTOOD:
        if isinstance(error, types):
            return Fault(kind, sentence(error))
    if isinstance(error, OSError):
        return _of_the_network(error, step, place)
    return Fault("protocol", f"The request failed in an unforeseen way ({_whence(error)}).")


def untrusted(error: BaseException) -> str:
    """Why a handshake failed, in a sentence."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"The certificate is not trusted ({getattr(error, 'verify_message', '') or 'for no reason given'})."
    words = str(getattr(error, "reason", "") or error).replace("_", " ").lower()
    return f"No secure connection could be made ({words or type(error).__name__})."


def _of_the_network(error: OSError, step: Step, place: str) -> Fault:
    if isinstance(error, TimeoutError) and error.errno is None:  # a deadline of ours, not the system's
        return Fault("timeout", "No complete answer in time.")
    if error.errno in _NO_ROOM:
        return Fault("connect", f"This system has no room for a connection ({_words(error)}).", starved=True)
    if step is Step.ASK:
        return Fault("disconnect", f"The connection was lost ({_words(error)}).")
    if step is Step.SECURE and error.errno not in _NEVER_REACHED:
        return Fault("tls", untrusted(error))
    return Fault("connect", f"{place} cannot be reached ({_words(error)}).")


def _unread(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "Reading the page needs more memory than there is."
    if isinstance(error, RecursionError):
        return "The page nests too deep to be read."
    if isinstance(error, TimeoutError):
        return "Reading the page found no end."
    return f"The page could not be read, in an unforeseen way ({_whence(error)})."


def _words(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _whence(error: BaseException) -> str:
    """The exception's name and the place of ours that it passed last, for whoever has to mend it."""
    frame: TracebackType | None = error.__traceback__
    place = ""
    while frame is not None:
        path = Path(frame.tb_frame.f_code.co_filename)
        if path.is_relative_to(_HOME / "core"):
            place = f" at {path.relative_to(_HOME).as_posix()}:{frame.tb_lineno}"
        frame = frame.tb_next
    return type(error).__name__ + place


_UNDERSTOOD: Final[tuple[tuple[type[BaseException], Kind, Callable[[BaseException], str]], ...]] = (
    (FronteiraError, "blocked", str),  # a secret or a setting that the request needs and that cannot be used
    (ssl.SSLError, "tls", untrusted),
    (ssl.CertificateError, "tls", untrusted),
    (socket.gaierror, "dns", lambda error: f"The name could not be resolved ({_words(error)})."),
    (UnicodeError, "url", lambda error: f"The address cannot be asked for ({_words(error)})."),
    (zlib.error, "decode", lambda error: f"The compressed body is damaged ({error})."),
    (MemoryError, "too_large", lambda _: "The answer needs more memory than there is."),
)
