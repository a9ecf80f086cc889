"""TLS contexts: the system's trust (and the analyst's `ca_file`), made at the first https request, never sooner.

A certificate that does not hold is `error:tls` with its reason. Only hosts that `untrusted_tls` names are taken
without.
"""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.fetch.fault import Fault

if TYPE_CHECKING:
    from core.settings import Fetch

HANDSHAKE = 15.0  # seconds


class Trust:
    """Gives the context for a host. One shared by all, one more for the hosts whose certificates are not looked at."""

    def __init__(self, fetch: Fetch) -> None:
        self._ca_file = fetch.ca_file
        self._untrusted = frozenset(host.lower() for host in fetch.untrusted_tls)
        self._checking: ssl.SSLContext | None = None
        self._blind: ssl.SSLContext | None = None

    def check(self) -> None:
        """Read `ca_file`, if there is one; raises BadInput where it holds no certificates."""
        if not self._ca_file:
            return
        try:
            self._checking = _checking(self._ca_file)
        except Fault as fault:
            raise BadInput(fault.sentence, "Name a file of certificates in PEM form.") from fault

    def context(self, host: str, port: int) -> ssl.SSLContext:
        """The context for this host; raises Fault (`tls`) where `ca_file` cannot be read."""
        if host in self._untrusted or f"{host}:{port}" in self._untrusted:
            if self._blind is None:
                self._blind = _blind()
            return self._blind
        if self._checking is None:
            self._checking = _checking(self._ca_file)
        return self._checking


def _checking(ca_file: str) -> ssl.SSLContext:
    context = ssl.create_default_context()
    paths = ssl.get_default_verify_paths()
    if paths.cafile is None and paths.capath is None and not context.get_ca_certs():
        import certifi  # an interpreter that found no trust of the system's (macOS, frozen builds)

        context.load_verify_locations(certifi.where())
    if ca_file:
        try:
            context.load_verify_locations(ca_file)
        except (OSError, ssl.SSLError) as error:
            raise Fault("tls", f"fetch.ca_file ({ca_file}) cannot be read as certificates ({error}).") from error
    return context


def _blind() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
