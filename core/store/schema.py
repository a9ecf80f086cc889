"""The tables of a crawl file, in the field's terms: what each is for stands in its docstring.

These models are the documentation and the source of the DDL. The engine's hot path uses plain SQL on the same
tables; the window and the command line query through them. Times are seconds since the epoch (UTC, float).
"""

from __future__ import annotations

from typing import Any

from peewee import (
    SQL,
    BigIntegerField,
    BlobField,
    CompositeKey,
    FloatField,
    ForeignKeyField,
    IntegerField,
    Model,
    TextField,
)


def reference(model: Any, **options: Any) -> ForeignKeyField:
    """A foreign key without an index of its own: an index nobody asks costs every insert."""
    return ForeignKeyField(model, index=False, backref="+", **options)


class Table(Model):
    class Meta:
        legacy_table_names = False


class Meta(Table):
    """Single facts about the file: `created`, `program`, `rules_version`, `settings_version`, `tenant`, `clean`."""

    name = TextField(primary_key=True)
    value = TextField()

    class Meta:
        without_rowid = True


class Setting(Table):
    """Every version of the settings (JSON) with the time it came into force; the newest row counts."""

    version = IntegerField(primary_key=True)
    at = FloatField()
    json = TextField()


class Run(Table):
    """From a start to an end. A stop, a limit or a kill does not end it: `ended` stays null."""

    number = IntegerField(primary_key=True)
    kind = TextField(default="crawl")  # crawl | recrawl
    started = FloatField()
    ended = FloatField(null=True)
    state = TextField(default="running")  # CrawlState of the run's last session
    reason = TextField(default="")


class Session(Table):
    """One engine process on the file, from its start to its end; without `ended` it runs or was killed."""

    id = IntegerField(primary_key=True)
    run = reference(Run, column_name="run")
    pid = IntegerField()
    started = FloatField()
    ended = FloatField(null=True)
    outcome = TextField(default="")  # finished | stopped | killed | crashed | failed
    reason = TextField(default="")
    seconds = FloatField(default=0)  # of running, on the monotonic clock
    state = TextField(default="running")


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
        indexes = ((("host", "scheme", "port"), True),)


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


class UrlStateName(Table):
    """The numbers in `url.state`."""

    id = IntegerField(primary_key=True)
    name = TextField()


class Url(Table):
    """A known URL: in the frontier, or with an answer. `path` is the fetch form behind its origin's base.

    `key` is the 64-bit hash of the key form within its host; `collision` tells apart the proven case of two key
    forms with one hash.
    """

    id = IntegerField(primary_key=True)
    host = reference(Host, column_name="host_id")
    origin = reference(Origin, column_name="origin_id")
    key = BigIntegerField()
    collision = IntegerField(default=0)
    path = TextField()
    state = IntegerField()
    front = IntegerField()
    priority = IntegerField(default=0)
    depth = IntegerField()
    found_on = reference("self", column_name="found_on", null=True)
    source = IntegerField(null=True, column_name="source_id")  # seed_source that brought it
    seed = IntegerField(default=0)  # 1: typed by the analyst
    tries = IntegerField(default=0)
    reclaims = IntegerField(default=0)  # leases taken back from an engine that died
    due = FloatField(null=True)
    reason = TextField(null=True)
    first_seen = FloatField()
    lastmod = FloatField(null=True)

    class Meta:
        indexes = ((("host", "key", "collision"), True),)


Url.add_index(Url.index(Url.host, Url.front, Url.id, where=SQL("state = 0"), name="url_pending"))
Url.add_index(Url.index(Url.found_on, where=SQL("found_on IS NOT NULL"), name="url_found_on"))
Url.add_index(Url.index(Url.due, where=SQL("state = 2"), name="url_waiting"))
Url.add_index(Url.index(Url.due, where=SQL("state IN (3, 4) AND due IS NOT NULL"), name="url_due"))


class Lease(Table):
    """A request in flight: who asked what, until when. `url` is null for robots.txt and sitemaps."""

    id = IntegerField(primary_key=True)
    url = reference(Url, column_name="url_id", null=True)
    origin = reference(Origin, column_name="origin_id")
    purpose = TextField()  # page | robots | sitemap
    session = reference(Session, column_name="session_id")
    at = FloatField()
    expires = FloatField()

    class Meta:
        indexes = ((("url",), False),)


class Reclaimed(Table):
    """Requests that may have been sent twice: leases taken back from a dead engine, with its session."""

    id = IntegerField(primary_key=True)
    session = reference(Session, column_name="session_id")  # the one that died
    url = reference(Url, column_name="url_id", null=True)
    address = TextField()
    at = FloatField()


class Page(Table):
    """The latest answer of a URL."""

    url = reference(Url, column_name="url_id", primary_key=True)
    run = reference(Run, column_name="run")
    status = IntegerField(null=True)
    outcome = TextField()
    content_type = TextField(default="")
    encoding = TextField(default="")
    bytes = IntegerField(default=0)  # on the wire
    body_bytes = IntegerField(default=0)  # after decompression
    seconds = FloatField(default=0)
    title = TextField(null=True)
    canonical = TextField(null=True)
    alias_of = IntegerField(null=True)
    redirect_to = TextField(null=True)
    content_hash = BlobField(null=True)
    duplicate_of = IntegerField(null=True)
    simhash = BigIntegerField(null=True)
    soft_block = IntegerField(default=0)
    needs_javascript = IntegerField(default=0)
    useful = IntegerField(default=0)
    robots = TextField(default="")  # noindex, nofollow
    etag = TextField(null=True)
    last_modified = TextField(null=True)
    last_fetched = FloatField()
    last_changed = FloatField(null=True)
    interval = FloatField(null=True)
    unchanged_times = IntegerField(default=0)
    misses = IntegerField(default=0)
    response = BlobField(null=True)  # hash of the kept response in the responses file
    error = TextField(null=True)


Page.add_index(Page.index(Page.content_hash, where=SQL("content_hash IS NOT NULL"), name="page_content"))


class Capture(Table):
    """One answered request for a page, with what it brought."""

    id = IntegerField(primary_key=True)
    url = reference(Url, column_name="url_id")
    run = reference(Run, column_name="run")
    at = FloatField()
    status = IntegerField(null=True)
    outcome = TextField()
    bytes = IntegerField(default=0)
    seconds = FloatField(default=0)
    links = IntegerField(default=0)  # distinct, after normalisation
    known_links = IntegerField(default=0)
    new_urls = IntegerField(default=0)
    useful = IntegerField(default=0)
    body_hash = BlobField(null=True)
    etag = TextField(null=True)


class PageVersion(Table):
    """Written when a page's content changed: the state before."""

    url = reference(Url, column_name="url_id")
    version = IntegerField()
    content_hash = BlobField(null=True)
    title = TextField(null=True)
    valid_from = FloatField(null=True)
    valid_to = FloatField()

    class Meta:
        primary_key = CompositeKey("url", "version")
        without_rowid = True


class Link(Table):
    """Who links to whom. `target` is a `url.id`; a negative one is minus a `refused.id`."""

    source = BigIntegerField()
    target = BigIntegerField()
    text = TextField(default="")
    rel = TextField(default="")
    kind = TextField(default="a")

    class Meta:
        primary_key = CompositeKey("source", "target")
        without_rowid = True


Link.add_index(Link.index(Link.target, name="link_target"))


class Refused(Table):
    """A URL refused at the door (a limit, the scope, a pattern): it cost no place in the frontier."""

    id = IntegerField(primary_key=True)
    key = BigIntegerField(unique=True)  # hash of the whole key form and the tenant
    url = TextField()
    reason = TextField()
    word = TextField()  # the reason's first word
    depth = IntegerField()
    found_on = reference(Url, column_name="found_on", null=True)
    seed = IntegerField(default=0)
    at = FloatField()

    class Meta:
        indexes = ((("word", "id"), False), (("found_on",), False))


class Seed(Table):
    """A line the analyst typed, with the URL it became or its problem."""

    id = IntegerField(primary_key=True)
    text = TextField(unique=True)
    url = reference(Url, column_name="url_id", null=True)
    problem = TextField(default="")
    at = FloatField()


class SeedSource(Table):
    """A source of seeds that is fetched: a sitemap, a sitemap index, later feeds and archives."""

    id = IntegerField(primary_key=True)
    kind = TextField()  # sitemap
    address = TextField(unique=True)
    parent = reference("self", column_name="parent_id", null=True)
    host = reference(Host, column_name="host_id")
    origin = reference(Origin, column_name="origin_id")
    listed = IntegerField(default=0)  # 1: written by the analyst
    level = IntegerField(default=0)
    state = TextField(default="pending")  # pending | done | failed
    tries = IntegerField(default=0)
    due = FloatField(default=0)
    found = IntegerField(default=0)
    new = IntegerField(default=0)
    fetched = FloatField(null=True)
    message = TextField(default="")


class Record(Table):
    """One thing of the analyst's, exactly once: unique (tenant, source, type, natural_key)."""

    id = TextField(primary_key=True)
    tenant = TextField()
    source = TextField()
    type = TextField()
    natural_key = TextField()
    url = reference(Url, column_name="url_id")
    data = TextField()  # JSON object of the fields
    fingerprint = TextField()
    etag = TextField(null=True)
    capture = IntegerField(null=True)
    response = BlobField(null=True)
    first_seen = FloatField()
    last_seen = FloatField()
    last_changed = FloatField()
    version = IntegerField(default=1)
    run = reference(Run, column_name="run")  # the run that saw it last
    action = TextField()  # RecordAction in that run
    before = TextField(null=True)  # fingerprint before that run; null: created in it
    depth = IntegerField(default=0)
    canonical = IntegerField(default=0)
    misses = IntegerField(default=0)
    gone = FloatField(null=True)

    class Meta:
        indexes = ((("tenant", "source", "type", "natural_key"), True), (("url",), False))


class RecordVersion(Table):
    """Every version of a record with the time it was valid; the newest has no `valid_to`."""

    record = reference(Record, column_name="record_id")
    version = IntegerField()
    fingerprint = TextField()
    data = TextField()
    run = reference(Run, column_name="run")
    valid_from = FloatField()
    valid_to = FloatField(null=True)

    class Meta:
        primary_key = CompositeKey("record", "version")
        without_rowid = True


class Conflict(Table):
    """A page whose data could not become a record, or lost against another page of the run."""

    id = IntegerField(primary_key=True)
    run = reference(Run, column_name="run")
    url = reference(Url, column_name="url_id")
    type = TextField()
    natural_key = TextField(null=True)
    record = reference(Record, column_name="record_id", null=True)
    reason = TextField()
    data = TextField()
    at = FloatField()

    class Meta:
        indexes = ((("run", "url"), False), (("record", "run"), False))


class Counter(Table):
    """Exact counts, changed in the transaction that stores what they count. `run` 0 is the whole crawl."""

    name = TextField()
    run = IntegerField(default=0)
    value = BigIntegerField(default=0)

    class Meta:
        primary_key = CompositeKey("name", "run")
        without_rowid = True


class PathCount(Table):
    """How many parameter combinations are known of one path (`path` is a hash)."""

    host = reference(Host, column_name="host_id")
    path = BigIntegerField()
    count = IntegerField(default=0)

    class Meta:
        primary_key = CompositeKey("host", "path")
        without_rowid = True


class Sample(Table):
    """What the charts draw: a second apart for an hour, ten for a day, then five minutes."""

    id = IntegerField(primary_key=True)
    at = FloatField()
    elapsed = FloatField()  # seconds of running since the crawl began, across restarts
    run = IntegerField()
    frontier = IntegerField()
    known = IntegerField()
    pages = IntegerField()
    requests = IntegerField()
    bytes = IntegerField()
    errors = IntegerField()
    records = IntegerField()
    useful = IntegerField()
    discovery_ratio = FloatField(null=True)
    duplicate_rate = FloatField(null=True)
    content_duplicate_rate = FloatField(null=True)
    bytes_per_useful_page = FloatField(null=True)
    pages_per_second = FloatField(null=True)


class Alarm(Table):
    """Something an analyst should look at."""

    id = IntegerField(primary_key=True)
    kind = TextField()
    pattern = TextField(default="")
    host = TextField(default="")
    message = TextField()
    raised = FloatField()
    cleared = FloatField(null=True)
    acknowledged = FloatField(null=True)


class Log(Table):
    """What was decided and why, for a person. `kind` start, stop, kill and settings are marked in the charts."""

    id = IntegerField(primary_key=True)
    at = FloatField()
    elapsed = FloatField(default=0)
    level = TextField()  # info | warning | error
    kind = TextField()  # start stop kill finish settings robots sitemap seed host limit page file
    host = TextField(default="")
    url = TextField(default="")
    message = TextField()


class Wish(Table):
    """What a window or a command asked of the engine."""

    id = IntegerField(primary_key=True)
    at = FloatField()
    kind = TextField()
    body = TextField(default="{}")
    done = FloatField(null=True)
    result = TextField(default="")


Wish.add_index(Wish.index(Wish.id, where=SQL("done IS NULL"), name="wish_open"))


class Edit(Table):
    """An edit of the frontier by the analyst with its effect in rows, for undo."""

    id = IntegerField(primary_key=True)
    at = FloatField()
    wish = reference(Wish, column_name="wish_id", null=True)
    kind = TextField()
    selection = TextField(default="")
    rows = IntegerField(default=0)
    undone = FloatField(null=True)


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
    Seed,
    SeedSource,
    Record,
    RecordVersion,
    Conflict,
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
