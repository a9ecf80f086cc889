"""Where a GET form leads when it is sent as it stands (HTML standard, "mutate action URL")."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from turbohtml import Element

MAX_FIELDS = 200


def form_target(form: Element) -> str | None:
    """The action with the form's preset fields as its query; None for a form that is not GET or holds no end of fields.

    The action's own query is replaced, as the standard says; a form without an action sends to the page itself.
    """
    if (form.attr("method") or "get").strip().lower() != "get":
        return None
    try:
        fields = form.form_data()
    except TypeError:  # the library knows forms in trees of HTML only, not in those of XML
        return None
    if len(fields) > MAX_FIELDS:
        return None
    action = (form.attr("action") or "").partition("#")[0].partition("?")[0]
    return f"{action}?{urlencode(fields, errors='replace')}"
