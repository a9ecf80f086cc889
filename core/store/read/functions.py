"""The SQL functions that the tables of tables.py need on their connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.store.read.canonicals import CanonicalDoubts
from core.store.read.fields import cell_text
from core.urls import Rejected, Rules, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw

    from core.settings import CrawlSettings


def register(connection: apsw.Connection, settings: CrawlSettings) -> None:
    """Give the connection `key_form(url)`, `cell_text(json)` and `decoded(bytes)`, all deterministic.

    And `canonical_doubt(url, canonical, alias_of)`, which looks into the file: why a page is no alias.
    """
    functions: dict[str, Callable[..., Any]] = {
        "key_form": key_form_of(Rules.of(settings.normalise)),
        "cell_text": cell_text,
        "decoded": decoded,
    }
    for name, function in functions.items():
        connection.create_scalar_function(name, function, 1, deterministic=True)
    doubt: Callable[..., Any] = CanonicalDoubts(connection, settings).of
    connection.create_scalar_function("canonical_doubt", doubt, 3)


def key_form_of(chosen: Rules) -> Callable[[str | None], str | None]:
    """A function from a URL's text to the text of its key form under these rules."""

    def text_of_key(text: str | None) -> str | None:
        url = parse(text) if text else None
        return None if url is None or isinstance(url, Rejected) else key_form(url, chosen).text

    return text_of_key


def decoded(body: bytes | None) -> str | None:
    """Bytes as text; what is no UTF-8 is replaced."""
    return None if body is None else body.decode("utf-8", "replace")
