"""Which addresses may be handed to the browser, and how their host is spelled before anybody clicks."""

from __future__ import annotations

from PySide6.QtCore import QUrl

SCHEMES = ("http", "https")


def web_address(text: str) -> QUrl | None:
    """The address, where it is one of the web; no other scheme, and none with a name or password in it."""
    url = QUrl(text)
    opens = url.isValid() and url.scheme() in SCHEMES and url.host() and not url.userInfo()
    return url if opens else None


def host_shown(url: QUrl) -> str:
    """The host as the network knows it: a name in another alphabet as punycode, so that it imitates no other."""
    return url.host(QUrl.ComponentFormattingOption.FullyEncoded)
