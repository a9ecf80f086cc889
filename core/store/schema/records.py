"""The tables of the analyst's records: as they are, as they were, and what could not become one."""

from __future__ import annotations

from peewee import SQL, BlobField, CompositeKey, FloatField, IntegerField, TextField

from core.store.schema.crawl import Run
from core.store.schema.table import Table, reference
from core.store.schema.urls import Url


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
    rules = IntegerField(null=True)  # version of the settings whose other rules made it; null: the page was fetched

    class Meta:
        primary_key = CompositeKey("record", "version")
        without_rowid = True


class RecordApart(Record):
    """A record whose page counts as another's, which has a record of that name: until its page is its own again."""


class RecordVersionApart(RecordVersion):
    """The versions of such a record."""

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


class Absence(Table):
    """A time in which a page, or a record, was gone; without `back` it is so still. It has either a URL or a record."""

    id = IntegerField(primary_key=True)
    url = reference(Url, column_name="url_id", null=True)
    record = reference(Record, column_name="record_id", null=True)
    version = IntegerField(default=0)  # of the record as it went
    number = IntegerField(default=1)  # which absence of this page or record it is
    run = reference(Run, column_name="run")
    at = FloatField()
    reason = TextField()  # status: 404, status: 410, not found, page gone, not shown, rule
    back_run = IntegerField(null=True)
    back = FloatField(null=True)


Absence.add_index(Absence.index(Absence.url, where=SQL("url_id IS NOT NULL"), name="absence_page"))
Absence.add_index(Absence.index(Absence.record, where=SQL("record_id IS NOT NULL"), name="absence_record"))


class Notice(Table):
    """A change of a record that is still to be told: what happened to which version. The data stands in the record."""

    id = IntegerField(primary_key=True)
    record = TextField(column_name="record_id")  # no reference: one that was joined with another leaves its notices
    version = IntegerField()
    event = TextField()  # created | updated | gone | back
    number = IntegerField(default=0)  # of the absence, where it is gone or back
    corrects = IntegerField(default=0)  # 1: a version of this number may have been told already, with other data


Notice.add_index(Notice.index(Notice.record, where=SQL("corrects = 1"), name="notice_corrects"))
