"""What the judge is told about a URL, and what it answers. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from core.policy.priority import Front
    from core.urls import Url


@dataclass(frozen=True, slots=True)
class Facts:
    """What the judge has to be told about one URL: where it was found, and what is known already."""

    depth: int
    is_seed: bool = False  # also the target of a seed's redirect, which the analyst's seed stands for
    host_known: int = 0  # admitted URLs of its host
    total_known: int = 0
    pattern_counts: tuple[int, ...] = ()  # admitted URLs of each of budgets.patterns
    parameter_sets: int = 0  # other parameter combinations known for its path
    via: str = "link"  # link, canonical, seed, sitemap, feed, archive, file, redirect
    extra_hosts: frozenset[str] = frozenset()  # hosts a seed's redirect widened the scope to
    lastmod_age: float | None = None  # seconds since the sitemap's lastmod
    inlinks: int = 0
    changes: int = 0  # changes in a row; negative: looks in a row without one


class Case(NamedTuple):
    """What every rule is asked about."""

    fetch: Url
    key: Url
    facts: Facts


@dataclass(frozen=True, slots=True)
class Step:
    """One question Explain shows: the rule, whether it lets the URL pass, and the answer in words.

    `reason` is the documented reason where it does not pass.
    """

    rule: str
    passed: bool
    detail: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision at the door: what a new URL becomes. `priority` and `front` matter where it is allowed."""

    allowed: bool
    reason: str
    state: Literal["pending", "refused"]
    priority: int = 0
    front: Front = 2
    steps: tuple[Step, ...] = ()
