"""CPU that fetching costs: `python tests/bench/bench_fetch.py [requests] [connections]`. Not a test.

A child process serves 2 KB of HTML from loopback; the figure is this process's own CPU time for each GET.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import time
from typing import TYPE_CHECKING

from core.fetch.client import Client
from core.fetch.request import FetchRequest
from core.fetch.secrets import Secrets
from core.settings import CrawlSettings
from core.urls.url import Url

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_BODY = b"<p>" + b"x" * 2045
_ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nDate: Mon, 30 Nov 2026 12:00:00 GMT\r\n"
    b'ETag: "abc"\r\nServer: bench\r\nCache-Control: max-age=60\r\nContent-Length: %d\r\n\r\n%b' % (len(_BODY), _BODY)
)


class Server(asyncio.Protocol):
    """Answers whatever comes with the same page."""

    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        assert isinstance(transport, asyncio.Transport)  # what asyncio gives here
        self.transport = transport

    def data_received(self, _: bytes) -> None:
        """One request a packet, as the client sends them."""
        self.transport.write(_ANSWER)


def serve(told: Connection) -> None:
    """Serve until killed; tell the port first."""

    async def main() -> None:
        server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


async def measure(port: int, requests: int, connections: int) -> tuple[float, float]:
    """CPU and wall seconds for that many requests."""
    request = FetchRequest(Url("http", "127.0.0.1", port, "/page?a=1"), 10_000_000, 30.0, accept=("text/html",))
    left = iter(range(requests))

    async def worker(client: Client) -> None:
        for _ in left:
            fetched = await client.fetch(request)
            if fetched.outcome != "ok" or len(fetched.body) != len(_BODY):
                raise SystemExit(f"{fetched.outcome}: {fetched.error}")

    async with Client(CrawlSettings(), frozenset({"127.0.0.1"}), Secrets()) as client:
        cpu, wall = time.process_time(), time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for _ in range(connections):
                group.create_task(worker(client))
        return time.process_time() - cpu, time.perf_counter() - wall


def main() -> None:
    """Measure with uvloop and without."""
    import uvloop

    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    connections = int(sys.argv[2]) if len(sys.argv) > 2 else 16
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    port = ours.recv()
    for name, runner in (("uvloop", uvloop.new_event_loop), ("asyncio", asyncio.new_event_loop)):
        with asyncio.Runner(loop_factory=runner) as run:
            cpu, wall = run.run(measure(port, requests, connections))
        figure = f"{cpu / requests * 1000:.3f} ms CPU and {wall / requests * 1000:.3f} ms wall a GET"
        print(f"{name}: {figure} at {connections} connections")
    server.terminate()


if __name__ == "__main__":
    main()
