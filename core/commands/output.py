"""What a command answers on standard output: all of it arrives, or it is told why not."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from core.errors import StorageError
from core.store.words import in_lines, in_one_line


def say(text: str) -> None:
    """Print at once, and nothing that a terminal would obey.

    StorageError where it cannot be written (a full disk); BrokenPipeError where nobody reads on.
    """
    try:
        print(in_lines(text), flush=True)
    except OSError as error:
        _let_go(sys.stdout)
        if isinstance(error, BrokenPipeError):
            raise
        raise StorageError(f"The output cannot be written: {error.strerror}.", "Make room there.") from error


def complain(text: str) -> None:
    """One line on standard error."""
    print(f"fronteira: {in_one_line(text)}", file=sys.stderr)


def fall_silent() -> None:
    """All is said. Whoever listened may be gone: what the interpreter writes as it ends must not change its status."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # None: it was closed before the start
            with suppress(OSError):
                stream.flush()
            _let_go(stream)


def _let_go(stream: TextIO) -> None:
    """What is left in the buffer goes nowhere: the interpreter would try once more as it ends, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
