"""The tables of a crawl file, in the field's terms: what each is for stands in its docstring.

    crawl      settings, runs and sessions, counts, samples, alarms, log, wishes
    hosts      hosts, origins, the robots.txt ledger
    urls       the frontier, leases, links, refusals, seeds and their sources
    pages      the latest answers, every answer, earlier content
    records    records, their versions, conflicts

These models are the documentation and the source of the DDL. The engine's hot path uses plain SQL on the same
tables; the window and the command line query through them. Times are seconds since the epoch (UTC, float).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from peewee import SQL

from core.store.schema.crawl import Alarm, Counter, Edit, Log, Meta, Run, Sample, Session, Setting, Wish
from core.store.schema.hosts import Host, Origin, RobotsVersion
from core.store.schema.pages import Capture, Page, PageVersion
from core.store.schema.records import Absence, Conflict, Notice, Record, RecordApart, RecordVersion, RecordVersionApart
from core.store.schema.urls import (
    Lease,
    Link,
    Mention,
    PathCount,
    Reclaimed,
    RefusalCount,
    Refused,
    Seed,
    SeedSource,
    Url,
    UrlStateName,
)

if TYPE_CHECKING:
    from core.store.schema.table import Table

__all__ = [
    "TABLES",
    "Absence",
    "Alarm",
    "Capture",
    "Conflict",
    "Counter",
    "Edit",
    "Host",
    "Lease",
    "Link",
    "Log",
    "Mention",
    "Meta",
    "Notice",
    "Origin",
    "Page",
    "PageVersion",
    "PathCount",
    "Reclaimed",
    "Record",
    "RecordApart",
    "RecordVersion",
    "RecordVersionApart",
    "RefusalCount",
    "Refused",
    "RobotsVersion",
    "Run",
    "Sample",
    "Seed",
    "SeedSource",
    "Session",
    "Setting",
    "Url",
    "UrlStateName",
    "Wish",
]

TABLES: tuple[type[Table], ...] = (
    Meta,
    Setting,
    Run,
    Session,
    Host,
    Origin,
    RobotsVersion,
    UrlStateName,
    Url,
    Lease,
    Reclaimed,
    Page,
    Capture,
    PageVersion,
    Link,
    Refused,
    RefusalCount,
    Seed,
    SeedSource,
    Mention,
    Record,
    RecordVersion,
    RecordApart,
    RecordVersionApart,
    Conflict,
    Absence,
    Notice,
    Counter,
    PathCount,
    Sample,
    Alarm,
    Log,
    Wish,
    Edit,
)


def _put_defaults_into_the_ddl() -> None:
    """peewee fills defaults in Python; plain SQL on the same tables needs them in the DDL."""
    for table in TABLES:
        for field in table._meta.sorted_fields:
            if isinstance(field.default, int | float):
                field.constraints = [SQL(f"DEFAULT {field.default}")]
            elif isinstance(field.default, str):
                field.constraints = [SQL(f"DEFAULT '{field.default}'")]


_put_defaults_into_the_ddl()
