"""What stops a fetch, on its way to becoming a recorded outcome. It never leaves this room."""

from __future__ import annotations

from core.errors import FronteiraError


class Fault(FronteiraError):
    """A fetch that ended without a complete answer.

    `kind` is the KIND of `error:KIND`, or `truncated` where the answer began and broke off. `unsent` is true where the
    server cannot have seen the request or closed an idle connection under it, so that sending once more is harmless.
    `starved` is true where our own system had no room for a connection: nothing was learnt of the server.
    """

    def __init__(self, kind: str, sentence: str, *, unsent: bool = False, starved: bool = False) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.unsent = unsent
        self.starved = starved
