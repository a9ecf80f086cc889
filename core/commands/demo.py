"""`demo`: the sample site on this computer, and the window (or a headless crawl) on it."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path


def demo(*, headless: bool) -> int:
    """Show the program at work, without a network."""
    if not headless:
        from core.commands.display import require_display
        from gui.app import main as window  # as in cli: the command line opens the window here

        require_display()
        return window([], demo=True)
    return _headless()


def _headless() -> int:
    from core.commands.run import run
    from core.demo import SiteThread, demo_options, demo_settings_toml
    from core.profile import read_profile
    from core.store.crawl_file import create

    # With an address each, the site's hosts have a pace each; macOS knows one loopback address only.
    options = demo_options("ports" if sys.platform == "darwin" else "addresses")
    path = Path(tempfile.mkdtemp(prefix="fronteira-demo-")) / "Sample shop.crawl"
    with SiteThread(options) as site:
        settings, _ = read_profile(demo_settings_toml(site.root, site.roots))
        create(path, settings)
        print(f"The sample site is at {site.root}; crawling it takes a minute or two.", file=sys.stderr)
        status = run(path)
    _summarise(path)
    print(f"The crawl file is kept: {path}", file=sys.stderr)
    return status


def _summarise(path: Path) -> None:
    from core.commands.show import status

    status(path, as_json=False)
