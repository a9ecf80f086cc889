"""The sample crawl: settings that are TOML, name real pages, and keep out of the trap."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tomllib
import urllib.request

from core.demo import SiteThread, demo_options, demo_settings_toml


def test_settings_name_the_site_and_its_records() -> None:
    with SiteThread(demo_options()) as site:
        settings = tomllib.loads(demo_settings_toml(site.root, site.roots))
        assert settings["name"] == "Sample shop"
        assert len(settings["seeds"]["urls"]) == len(settings["scope"]["hosts"]) == 3
        for url in settings["seeds"]["urls"] + settings["seeds"]["sitemaps"]:
            with urllib.request.urlopen(url, timeout=10) as reply:  # noqa: S310 (our own loopback URL)
                assert reply.status == 200
    record = settings["records"][0]
    assert (record["name"], record["key"], record["match"]) == ("product", "sku", "/product/*")
    assert record["fields"]["price"] == {"css": ".price", "cast": "number"}
    assert "/trap/calendar/" in settings["scope"]["exclude"]


def test_sample_site_is_of_a_size_for_about_a_minute() -> None:
    with SiteThread(demo_options()) as site:
        pages = site.expect()["pages"]
    assert isinstance(pages, int)
    assert 600 <= pages <= 1200


def test_command_line_says_when_it_is_ready_and_stops_when_told() -> None:
    command = [sys.executable, "-m", "core.demo", "--port", "0", "--listings", "2", "--per-listing", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        ready = json.loads(child.stdout.readline())
        with urllib.request.urlopen(ready["ready"] + "__expect", timeout=10) as reply:  # noqa: S310 (loopback)
            assert json.load(reply)["pages"] == 8
        child.send_signal(signal.SIGTERM)
        assert child.wait(10) == (0 if sys.platform != "win32" else 1)


def test_command_line_refuses_impossible_options() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "core.demo", "--dup-rate", "7"], capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 2
    assert "dup_rate must be from 0 to 1" in done.stderr
