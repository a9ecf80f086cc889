"""TLS: trusted, distrusted with a reason, opted out of for one host, and through a proxy's tunnel."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.core.fetch.raw_server import Site, client, html, request, says

if TYPE_CHECKING:
    from pathlib import Path

    from core.fetch.response import Fetched

SHOP = frozenset({"shop.test"})


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a key and a certificate for shop.test that nobody signed but itself."""
    return written(tmp_path_factory.mktemp("tls") / "shop.pem")


def written(path: Path, *, age: int = 1) -> Path:
    """Such a file; the certificate began so many days ago and is good for two."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "shop.test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=age))
        .not_valid_after(now - timedelta(days=age - 2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("shop.test")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    own = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(own + made.public_bytes(serialization.Encoding.PEM))
    return path


def context(certificate: Path) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(certificate)
    return made


def secure_hop(certificate: Path, host: str = "shop.test", **fetch: Any) -> tuple[Fetched, int]:
    async def run() -> tuple[Fetched, int]:
        async with Site(says(html(b"safe"), then="keep"), tls=context(certificate)) as site:
            async with client(listed=frozenset({host}), **fetch) as ours:
                for _ in range(2):
                    fetched = await ours.fetch(request(site.url(scheme="https", host=host)))
            return fetched, site.connections

    return asyncio.run(run())


def test_a_certificate_of_the_analyst_s_file_is_trusted_and_the_connection_kept(certificate: Path) -> None:
    fetched, connections = secure_hop(certificate, ca_file=str(certificate))
    assert (fetched.outcome, fetched.body, connections) == ("ok", b"safe", 1)


def test_an_unknown_certificate_is_refused_with_its_reason(certificate: Path) -> None:
    fetched, _ = secure_hop(certificate)
    assert fetched.outcome == "error:tls"
    assert "not trusted" in (fetched.error or "")
    assert fetched.status is None


def test_a_certificate_for_another_name_is_refused(certificate: Path) -> None:
    fetched, _ = secure_hop(certificate, host="other.test", ca_file=str(certificate))
    assert fetched.outcome == "error:tls"


def test_a_certificate_of_the_past_is_refused_though_it_is_trusted(tmp_path: Path) -> None:
    expired = written(tmp_path / "old.pem", age=30)
    fetched, _ = secure_hop(expired, ca_file=str(expired))
    assert fetched.outcome == "error:tls"
    assert "expired" in (fetched.error or "")


def test_only_the_named_host_is_taken_without_trust(certificate: Path) -> None:
    assert secure_hop(certificate, untrusted_tls=("shop.test",))[0].outcome == "ok"
    assert secure_hop(certificate, host="other.test", untrusted_tls=("shop.test",))[0].outcome == "error:tls"


def test_a_ca_file_that_cannot_be_read_is_named(certificate: Path, tmp_path: Path) -> None:
    fetched, _ = secure_hop(certificate, ca_file=str(tmp_path / "missing.pem"))
    assert fetched.outcome == "error:tls"
    assert "missing.pem" in (fetched.error or "")


def plain_hop(handler_says: bytes, then: str, timeout: float = 5.0) -> Fetched:
    async def run() -> Fetched:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(1)
            writer.write(handler_says)
            if then == "hang":
                await reader.read()
            writer.close()

        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        site = Site(says())
        site.port = server.sockets[0].getsockname()[1]
        async with client(listed=SHOP) as ours:
            fetched = await ours.fetch(request(site.url(scheme="https", host="shop.test"), timeout=timeout))
        server.close()
        return fetched

    return asyncio.run(run())


def test_a_server_without_tls_and_one_that_hangs_up_are_tls_faults() -> None:
    assert plain_hop(b"HTTP/1.1 400 Bad\r\n\r\n", "close").outcome == "error:tls"
    assert plain_hop(b"", "close").outcome == "error:tls"


def test_a_handshake_that_hangs_ends_at_the_deadline() -> None:
    assert plain_hop(b"", "hang", timeout=0.2).outcome == "error:timeout"


async def _relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


def test_https_goes_through_the_proxy_s_tunnel_and_the_proxy_sees_no_request(certificate: Path) -> None:
    async def run() -> tuple[Fetched, str, str]:
        async with Site(says(html(b"safe"), then="keep"), tls=context(certificate)) as site:

            async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, nth: int) -> None:
                there, back = await asyncio.open_connection("127.0.0.1", site.port)
                writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
                await asyncio.gather(_relay(reader, back), _relay(there, writer))

            async with Site(tunnel) as proxy:
                text = f"http://127.0.0.1:{proxy.port}"
                async with client(listed=SHOP, proxy=text, ca_file=str(certificate)) as ours:
                    for _ in range(2):
                        fetched = await ours.fetch(request(site.url("/deep", scheme="https", host="shop.test")))
                assert proxy.connections == 1
                return fetched, proxy.heads[0], site.heads[1]

    fetched, asked, inside = asyncio.run(run())
    assert (fetched.outcome, fetched.body) == ("ok", b"safe")
    assert "/deep" not in asked
    assert inside.startswith("GET /deep HTTP/1.1\r\n")
