"""What all tables of a crawl file have in common."""

from __future__ import annotations

from typing import Any

from peewee import ForeignKeyField, Model


class Table(Model):
    """A table whose name in the file is its own in snake_case."""

    class Meta:
        legacy_table_names = False


def reference(model: Any, **options: Any) -> ForeignKeyField:
    """A foreign key without an index of its own: an index nobody asks costs every insert."""
    return ForeignKeyField(model, index=False, backref="+", **options)
