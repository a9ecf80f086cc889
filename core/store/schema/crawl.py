"""The tables of the crawl as a whole: settings, runs, counts, the charts, what is said and wished."""

from __future__ import annotations

from peewee import SQL, BigIntegerField, CompositeKey, FloatField, IntegerField, TextField

from core.store.schema.table import Table, reference


class Meta(Table):
    """Single facts about the file: `created`, `program`, `rules_version`, `tenant`, `certificate` and more."""

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


class Counter(Table):
    """Exact counts, changed in the transaction that stores what they count. `run` 0 is the whole crawl."""

    name = TextField()
    run = IntegerField(default=0)
    value = BigIntegerField(default=0)

    class Meta:
        primary_key = CompositeKey("name", "run")
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
    kind = TextField()  # start stop kill finish settings robots sitemap feed archive seed host limit page file
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
