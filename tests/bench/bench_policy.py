"""How long the judge, a set of patterns and a robots.txt take. Run by hand: python tests/bench/bench_policy.py"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.policy import Facts, PatternSet, Policy, Robots
from core.settings import CrawlSettings
from core.urls import Url

if TYPE_CHECKING:
    from collections.abc import Callable


def microseconds(work: Callable[[], object], times: int) -> float:
    started = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - started) / times * 1e6


def report(what: str, value: float, unit: str) -> None:
    sys.stdout.write(f"{what:<58} {value:10.2f} {unit}\n")


def judge_all(policy: Policy, urls: list[Url]) -> None:
    facts = Facts(depth=2)
    for url in urls:
        policy.judge(url, url, facts)


def bench_judge() -> None:
    urls = [Url("http", "shop.test", 80, f"/list/{n}/item?page={n}") for n in range(100)]
    for name, exclude in (("no pattern", []), ("three exclusions", ["/calendar/", "/?filter=", "/*?sort="])):
        settings = {"seeds": {"urls": ["http://shop.test/"]}, "scope": {"exclude": exclude}}
        policy = Policy(msgspec.convert(settings, CrawlSettings))
        report(f"judge, {name}", microseconds(partial(judge_all, policy, urls), 200) / 100, "us")


def bench_patterns() -> None:
    patterns = PatternSet(f"/section-{n % 50}/{n}*x" for n in range(200))
    subject = Url("http", "shop.test", 80, "/section-7/something/else?a=1")
    report("200 patterns, none matches", microseconds(lambda: patterns.first_match(subject), 20_000), "us")


def bench_robots() -> None:
    robots = Robots.parse("User-agent: *\n" + "".join(f"Disallow: /dir-{n}/*/page\n" for n in range(1500)), "x")
    targets = [f"/dir-{n}/x/other?y={n}" for n in range(1000)]
    spent = microseconds(lambda: [robots.verdict(target) for target in targets], 3)
    report("1,000 checks against 1,500 rules", spent / 1000, "ms")


def bench_hostile_robots(name: str, line: str, target: str) -> None:
    body = "User-agent: *\n" + "".join(line.format(n) for n in range(100_000))
    report(f"100,000 rules, {name}: parse", microseconds(partial(Robots.parse, body, "x"), 1) / 1000, "ms")
    robots = Robots.parse(body, "x")
    report(f"100,000 rules, {name}: match", microseconds(partial(robots.verdict, target), 1) / 1000, "ms")


if __name__ == "__main__":
    bench_judge()
    bench_patterns()
    bench_robots()
    bench_hostile_robots("plain", "Disallow: /p/{0}\n", "/p/999999")
    bench_hostile_robots("starred", "Disallow: /*{0}*a\n", "/" + "b" * 2000)
    bench_hostile_robots("forty stars each", "Disallow: /" + "*a" * 40 + "b{0}\n", "/" + "a" * 2000)
