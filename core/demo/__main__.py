"""The sample site from the command line: `python -m core.demo --port 8800 --listings 25`.

Every option of SiteOptions is an argument. One line of JSON says where the site is once it listens; it runs until
it is interrupted or terminated.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
from dataclasses import fields

from core.demo.options import SiteOptions, changed
from core.demo.server import SampleSite
from core.errors import BadInput


def main(arguments: list[str] | None = None) -> int:
    """Serve until stopped; 2 for options that no site can have, 1 where the address cannot be had."""
    parser = _parser()
    given = {name: text for name, text in vars(parser.parse_args(arguments)).items() if text is not None}
    host, port = given.pop("host"), given.pop("port")
    try:
        site = SampleSite(changed(SiteOptions(), given), host, port)
    except BadInput as error:
        parser.error(str(error))
    try:
        asyncio.run(_serve(site))
    except OSError as error:
        sys.stderr.write(f"The sample site cannot listen: {error}.\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m core.demo", description="A sample web site on loopback.")
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address")
    parser.add_argument("--port", type=int, default=8800, help="0: any free one")
    plain = SiteOptions()
    for field in fields(plain):
        usual = getattr(plain, field.name)
        shown = ",".join(usual) if isinstance(usual, tuple) else usual
        parser.add_argument("--" + field.name.replace("_", "-"), metavar="VALUE", help=f"usually {shown}")
    return parser


async def _serve(site: SampleSite) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))  # works on Windows too
    await site.start()
    sys.stdout.write(json.dumps({"ready": site.root + "/", "roots": site.roots, "pid": os.getpid()}) + "\n")
    sys.stdout.flush()
    try:
        await stop.wait()
    finally:
        await site.close()


if __name__ == "__main__":
    sys.exit(main())
