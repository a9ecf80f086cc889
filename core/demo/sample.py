"""The built-in sample crawl: a small shop, two journals beside it, and the settings that crawl them in a minute."""

from __future__ import annotations

import json

from core.demo.options import SiteOptions


def demo_options(host_mode: str = "ports") -> SiteOptions:
    """A site that makes every chart move: latency, errors, copies, dead links, redirects, a trap behind a link.

    `host_mode="addresses"` gives each site a loopback address of its own (not on macOS), and so its own pace.
    """
    return SiteOptions(
        listings=17,
        per_listing=18,
        weight=6,
        hosts=3,
        host_mode=host_mode,
        web_pages=450,
        zipf=0.5,
        cross_links=2,
        trap_link=True,
        latency_ms=25,
        latency_jitter_ms=120,
        error_rate=0.015,
        error_kinds=("500", "503", "reset"),
        fail_times=2,
        dup_rate=0.06,
        neardup_rate=0.04,
        dead_rate=0.05,
        redirect_rate=0.05,
        redirect_kinds=("permanent", "temporary", "chain", "loop"),
        alias_rate=0.08,
        tracking_rate=0.15,
        spelling_rate=0.1,
        nofollow_rate=0.03,
        private_rate=0.03,
        change_rate=0.1,
        sitemap_size=200,
    )


def demo_settings_toml(root: str, others: tuple[str, ...] = (), delay: float = 0.05, per_host: int = 4) -> str:
    """The settings of the sample crawl as TOML.

    `root` and `others` are base addresses as SampleSite.root and SampleSite.roots give them; `delay` is in seconds.
    """
    bases = list(dict.fromkeys(base.rstrip("/") for base in (root, *others)))
    seeds = [f"{bases[0]}/list/0", *(f"{base}/" for base in bases[1:])]
    return SETTINGS.format(
        seeds=json.dumps(seeds),
        sitemaps=json.dumps([f"{bases[0]}/sitemap.xml"]),
        hosts=json.dumps([base.removeprefix("http://") for base in bases]),
        delay=delay,
        per_host=per_host,
    )


SETTINGS = """\
name = "Sample shop"

[seeds]
urls = {seeds}
sitemaps = {sitemaps}

[scope]
hosts = {hosts}
exclude = ["/trap/calendar/", "/trap/facets", "/trap/visit", "/trap/a", "/?sid="]

[budgets]
max_depth = 30

[politeness]
delay = {delay}
per_host = {per_host}
concurrency = 16

[fetch]
timeout = 10.0
retries = 3

[priority]
patterns = [{{pattern = "/product/*", bonus = 5}}]

[pages]
checks = [{{pattern = "/product/*", must = "class=\\"sku\\""}}]

[[records]]
name = "product"
match = "/product/*"
key = "sku"
[records.fields]
sku = {{css = ".sku"}}
name = {{css = "h1"}}
price = {{css = ".price", cast = "number"}}
currency = {{css = ".currency"}}
tags = {{css = ".tag", cast = "list", unordered = true}}
"""
