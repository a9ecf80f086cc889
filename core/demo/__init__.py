"""The sample site: a seeded web on loopback for the sample crawl, the tests and the benchmark.

A response depends only on the options, the host, the target, the round, how often the URL was asked for, and what
the request itself carries (validators, cookie, encodings). Nothing here knows the rest of the program.
"""

from core.demo.log import HostLog, LogSnapshot, RequestLog
from core.demo.options import SiteOptions
from core.demo.sample import demo_options, demo_settings_toml
from core.demo.server import SampleSite
from core.demo.thread import SiteThread

__all__ = [
    "HostLog",
    "LogSnapshot",
    "RequestLog",
    "SampleSite",
    "SiteOptions",
    "SiteThread",
    "demo_options",
    "demo_settings_toml",
]
