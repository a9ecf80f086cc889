"""The tables of those who are asked: hosts, origins, every robots.txt that was seen."""

from __future__ import annotations

from peewee import BlobField, FloatField, IntegerField, TextField

from core.store.schema.table import Table, reference


class Host(Table):
    """One host of one tenant: politeness is per host. Counts by URL state are kept with every change."""

    id = IntegerField(primary_key=True)
    tenant = TextField()
    name = TextField()
    state = TextField(default="")  # "" | unreachable | held
    delay = FloatField(default=0)  # the pace in force, seconds between two requests
    backoff_until = FloatField(default=0)
    last_request = FloatField(null=True)
    unreachable_since = FloatField(null=True)
    pending = IntegerField(default=0)
    leased = IntegerField(default=0)
    waiting = IntegerField(default=0)
    done = IntegerField(default=0)
    failed = IntegerField(default=0)
    excluded = IntegerField(default=0)
    blocked = IntegerField(default=0)
    held = IntegerField(default=0)
    gone = IntegerField(default=0)
    refused = IntegerField(default=0)
    requests = IntegerField(default=0)
    bytes = IntegerField(default=0)
    status_2xx = IntegerField(default=0)
    status_3xx = IntegerField(default=0)
    status_4xx = IntegerField(default=0)
    status_5xx = IntegerField(default=0)
    errors = IntegerField(default=0)  # requests that ended without a status
    seconds = FloatField(default=0)  # all time spent waiting for answers
    last_error = TextField(default="")
    owner = TextField(null=True)  # for worker machines (PostgreSQL)
    epoch = IntegerField(default=0)
    lease_until = FloatField(null=True)

    class Meta:
        indexes = ((("tenant", "name"), True),)


class Origin(Table):
    """Scheme, host and port: robots.txt is per origin. `base` is the text before the path of its URLs."""

    id = IntegerField(primary_key=True)
    host = reference(Host, column_name="host_id")
    scheme = TextField()
    port = IntegerField()
    base = TextField()
    robots_state = TextField(default="unknown")  # unknown | rules | allow | disallow
    robots_status = IntegerField(null=True)
    robots_fetched = FloatField(null=True)
    robots_due = FloatField(default=0)
    robots_tries = IntegerField(default=0)
    robots_error = TextField(default="")
    robots_version = IntegerField(null=True)
    crawl_delay = FloatField(null=True)

    class Meta:
        indexes = ((("host", "scheme", "port", "base"), True),)  # a host of two names has two origins


class RobotsVersion(Table):
    """The ledger: every version of a robots.txt with the time it was first and last seen."""

    id = IntegerField(primary_key=True)
    origin = reference(Origin, column_name="origin_id")
    first_seen = FloatField()
    last_seen = FloatField()
    status = IntegerField(null=True)
    hash = BlobField()
    body = BlobField()

    class Meta:
        indexes = ((("origin", "id"), False),)
