"""The tables of known URLs: the frontier, leases, who links to whom, what was refused, where it began."""

from __future__ import annotations

from peewee import SQL, BigIntegerField, CompositeKey, FloatField, IntegerField, TextField

from core.store.schema.crawl import Session
from core.store.schema.hosts import Host, Origin
from core.store.schema.table import Table, reference


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
    same_as = IntegerField(null=True)  # the URL that stands for this one: rules given later make them one page
    state_apart = IntegerField(null=True)  # the state a URL of the frontier had, and has when they are two again
    depth_apart = IntegerField(null=True)  # the depth it had before one that is the same, but nearer, lent it its own

    class Meta:
        indexes = ((("host", "key", "collision"), True),)


Url.add_index(Url.index(Url.host, Url.front, Url.id, where=SQL("state = 0"), name="url_pending"))
Url.add_index(Url.index(Url.found_on, where=SQL("found_on IS NOT NULL"), name="url_found_on"))
Url.add_index(Url.index(Url.same_as, where=SQL("same_as IS NOT NULL"), name="url_same_as"))
Url.add_index(Url.index(Url.due, where=SQL("state = 2"), name="url_waiting"))
Url.add_index(Url.index(Url.due, where=SQL("state IN (3, 4, 8) AND due IS NOT NULL"), name="url_due"))


class Lease(Table):
    """A request in flight: who asked what, until when. `url` is null for robots.txt and seed sources."""

    id = IntegerField(primary_key=True)
    url = reference(Url, column_name="url_id", null=True)
    origin = reference(Origin, column_name="origin_id")
    purpose = TextField()  # page | robots | sitemap | feed | archive
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


class RefusalCount(Table):
    """Refusals without a row of their own (the first million have one): only their number, by who revealed them.

    `found_on` is the `url.id` of a page; a negative one is minus a `seed_source.id`, and 0 stands for the typed seeds.
    """

    found_on = BigIntegerField()
    word = TextField()  # the reasons' first word
    count = IntegerField()
    again = IntegerField(default=0)  # 1: to be read again, for other rules may let them in; 2: with its next answer

    class Meta:
        primary_key = CompositeKey("found_on", "word")
        without_rowid = True


RefusalCount.add_index(RefusalCount.index(RefusalCount.found_on, where=SQL("again = 1"), name="refusal_count_again"))


class Seed(Table):
    """A line the analyst typed for a tenant, with the URL it became or its problem."""

    id = IntegerField(primary_key=True)
    text = TextField()
    url = reference(Url, column_name="url_id", null=True)
    problem = TextField(default="")
    at = FloatField()
    tenant = TextField(default="")  # empty only in rows of a damaged earlier form, until they are mended

    class Meta:
        indexes = ((("tenant", "text"), True),)


class SeedSource(Table):
    """A source of seeds that is fetched: a sitemap, a sitemap index, a page of an archive; its host says whose."""

    id = IntegerField(primary_key=True)
    kind = TextField()  # sitemap | feed | archive
    address = TextField()
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

    class Meta:
        indexes = ((("address", "host"), True),)


class Mention(Table):
    """Which URLs a source named when it was read last."""

    source = reference(SeedSource, column_name="source_id")
    url = reference(Url, column_name="url_id")

    class Meta:
        primary_key = CompositeKey("source", "url")
        without_rowid = True


class PathCount(Table):
    """How many parameter combinations are known of one path (`path` is a hash)."""

    host = reference(Host, column_name="host_id")
    path = BigIntegerField()
    count = IntegerField(default=0)

    class Meta:
        primary_key = CompositeKey("host", "path")
        without_rowid = True
