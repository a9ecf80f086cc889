"""The tables of answers: the latest of a URL, all of them, what a page was before."""

from __future__ import annotations

from peewee import SQL, BigIntegerField, BlobField, CompositeKey, FloatField, IntegerField, TextField

from core.store.schema.crawl import Run
from core.store.schema.table import Table, reference
from core.store.schema.urls import Url


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
    canonical = TextField(null=True)  # what the page names, believed or not; two, with a space between, contradict
    alias_of = IntegerField(null=True)  # the URL it counts for: the end of the chain that begins with what it names
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
    unchanged_times = IntegerField(default=0)  # looks in a row that showed no change; negative: that showed one
    misses = IntegerField(default=0)  # complete crawls in a row that found no way to it
    response = BlobField(null=True)  # hash of the kept response in the responses file
    error = TextField(null=True)


Page.add_index(Page.index(Page.content_hash, where=SQL("content_hash IS NOT NULL"), name="page_content"))
Page.add_index(Page.index(Page.alias_of, Page.content_hash, where=SQL("alias_of IS NOT NULL"), name="page_alias"))


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
    led_to = TextField(
        null=True
    )  # only of a redirect to another spelling of the page's own key: it is no page's answer


Capture.add_index(Capture.index(Capture.url, name="capture_url"))


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
