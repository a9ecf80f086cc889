"""Certificates that sign themselves: a good one, and those that are wrong in one way each."""

from __future__ import annotations

import ipaddress
import ssl
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

if TYPE_CHECKING:
    from pathlib import Path

LOOPBACK: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_address("127.0.0.1")), x509.DNSName("localhost")]
ELSEWHERE: list[x509.GeneralName] = [x509.DNSName("wrong.invalid")]
KINDS = {"good": LOOPBACK, "self": LOOPBACK, "expired": LOOPBACK, "wronghost": ELSEWHERE}


def contexts(folder: Path) -> dict[str, ssl.SSLContext]:
    """A server's context for each kind; `KIND.pem` in the folder holds its key and certificate."""
    return {kind: _context(folder / f"{kind}.pem", kind, names) for kind, names in KINDS.items()}


def speaking_http2(folder: Path) -> ssl.SSLContext:
    """The good one, which insists on HTTP/2."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(folder / "good.pem")
    made.set_alpn_protocols(["h2"])
    return made


def trust(folder: Path) -> Path:
    """A file for `fetch.ca_file` in which the good, the expired and the misnamed one are trusted by themselves."""
    path = folder / "trusted.pem"
    path.write_bytes(b"".join((folder / f"{kind}.pem").read_bytes() for kind in ("good", "expired", "wronghost")))
    return path


def _context(path: Path, kind: str, names: list[x509.GeneralName]) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, kind)])
    now = datetime.now(UTC) - timedelta(days=1000 if kind == "expired" else 1)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    written = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + written)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context
