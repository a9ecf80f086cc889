"""The outbox: each change of a record leaves a line in the transaction that makes it, and cursors say what is told.

The lines are left by triggers on the writer's own connection (SQLite's temporary triggers: nothing of them stands in
the file), so no writer of records can forget one. A line holds no data: that is read from the record when its turn
comes. A cursor moves after delivery, so a kill at any point repeats notices, with the same keys, and loses none. Where
nothing is to be told there are no triggers, and nothing is kept.

The key of a notice is `record:version`; of an absence `record:version:gone:1`, counted, and `back` likewise. A run may
take back or rewrite the version it made, when another page has precedence: where a version of that number may have been
told, the key ends in the number of the line, here and for all later versions of that record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.store.notices import Notice, Waiting
from core.store.query import row, rows, value

if TYPE_CHECKING:
    import apsw

    from core.settings import Notify

KIND = "notify"  # of the alarm
CURSOR = "told:"  # in meta, followed by the way: how far it has told
WAYS = ("file", "webhook")
CHANGE = "CASE WHEN NEW.version = 1 AND {first} THEN 'created' ELSE 'updated' END"
INSERT = "INSERT INTO notice(record_id, version, event, number, corrects) VALUES (NEW.id, NEW.version, {values})"
APART = "NEW.id NOT LIKE '~%'"  # a record under such a name lies apart
TRIGGERS = {
    "notice_new": ("INSERT", APART, f"{CHANGE.format(first='1')}, 0, 0"),
    "notice_named": ("UPDATE OF id", f"OLD.id <> NEW.id AND {APART}", f"{CHANGE.format(first='1')}, 0, 0"),
    "notice_changed": (
        "UPDATE OF fingerprint",
        f"OLD.fingerprint <> NEW.fingerprint AND {APART}",
        f"{CHANGE.format(first='OLD.version = 1')}, 0, NEW.version <= OLD.version "
        "OR EXISTS (SELECT 1 FROM notice n WHERE n.record_id = NEW.id AND n.corrects = 1)",
    ),
    "notice_gone": (
        "UPDATE OF gone",
        f"(OLD.gone IS NULL) <> (NEW.gone IS NULL) AND {APART}",
        "CASE WHEN NEW.gone IS NULL THEN 'back' ELSE 'gone' END, "
        "(SELECT count(*) FROM absence a WHERE a.record_id = NEW.id), 0",
    ),
}
# Of another tenant they wait until it runs again; one whose record was joined with another is nobody's.
OURS = "coalesce(r.tenant = (SELECT value FROM meta WHERE name = 'tenant'), 1)"
NEXT = f"""
SELECT n.id, n.event, n.record_id, n.version, n.number, n.corrects, r.version, r.type, r.source,
    coalesce(o.base || u.path, ''), coalesce(iif(n.event = 'back', a.back_run, a.run), v.run, r.run),
    coalesce(iif(n.event = 'back', a.back, a.at), v.valid_from, r.last_changed),
    coalesce(v.data, iif(r.version = n.version, r.data, NULL)), iif(n.event = 'updated', b.data, NULL)
FROM notice n LEFT JOIN record r ON r.id = n.record_id
    LEFT JOIN url u ON u.id = r.url_id LEFT JOIN origin o ON o.id = u.origin_id
    LEFT JOIN record_version v ON v.record_id = n.record_id AND v.version = n.version
    LEFT JOIN record_version b ON b.record_id = n.record_id AND b.version = n.version - 1
    LEFT JOIN absence a ON a.record_id = n.record_id AND a.number = n.number AND n.number > 0
WHERE n.id > ? AND {OURS} ORDER BY n.id LIMIT ?"""
# The line at the cursor stays, so that no later one is given its number; those that correct are looked for later.
TOLD = f"""
DELETE FROM notice WHERE corrects = 0
AND id < (SELECT min(CAST(value AS INTEGER)) FROM meta WHERE name LIKE '{CURSOR}%')"""


class Outbox:
    """Used by the writer's thread. `use` belongs in a transaction; the others are one statement or two, each by itself.

    A cursor that did not move for a power cut repeats notices.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._ways: tuple[str, ...] = ()

    def use(self, notify: Notify) -> None:
        """What happens from now on is kept for these ways; one that is new tells what waits, and nothing of before."""
        self._ways = tuple(way for way in WAYS if getattr(notify, way))
        known = dict(rows(self._connection, f"SELECT name, value FROM meta WHERE name LIKE '{CURSOR}%'"))
        of_others = [name for name in known if "@" in name]
        first = min(map(int, known.values()), default=0)
        for way in WAYS:
            name = f"{CURSOR}{way}"
            if way not in self._ways:
                self._connection.execute("DELETE FROM meta WHERE name = ?", (name,))
            elif name not in known:
                self._connection.execute("INSERT INTO meta(name, value) VALUES (?, ?)", (name, str(first)))
        if not self._ways and known and not of_others:
            self._connection.execute("DELETE FROM notice")
        self._set_triggers()

    def waiting(self, way: str, most: int) -> Waiting:
        """The next notices for a way, at most so many lines of them."""
        after = self._cursor(way)
        found = rows(self._connection, NEXT, (after, most))
        notices = [notice for notice in map(_notice, found) if notice is not None]
        return Waiting(found[-1][0] if found else after, tuple(notices))

    def told(self, way: str, through: int) -> None:
        """All up to this line were delivered."""
        self._connection.execute("UPDATE meta SET value = ? WHERE name = ?", (str(through), f"{CURSOR}{way}"))
        self._connection.execute(TOLD)

    def left(self) -> int:
        """How many lines wait for one way or another."""
        if not self._ways:
            return 0
        first = min(map(self._cursor, self._ways))
        sql = f"SELECT count(*) FROM notice n LEFT JOIN record r ON r.id = n.record_id WHERE n.id > ? AND {OURS}"
        return int(value(self._connection, sql, (first,), 0))

    def complain(self, way: str, message: str, at: float) -> None:
        """A way does not get through: an alarm, one for as long as that lasts."""
        standing = "SELECT id FROM alarm WHERE kind = ? AND pattern = ? AND cleared IS NULL"
        found = row(self._connection, standing, (KIND, way))
        if found is None:
            sql = "INSERT INTO alarm(kind, pattern, message, raised) VALUES (?, ?, ?, ?)"
            self._connection.execute(sql, (KIND, way, message, at))
        else:
            self._connection.execute("UPDATE alarm SET message = ? WHERE id = ?", (message, found[0]))

    def recovered(self, way: str, at: float) -> None:
        """It gets through."""
        sql = "UPDATE alarm SET cleared = ? WHERE kind = ? AND pattern = ? AND cleared IS NULL"
        self._connection.execute(sql, (at, KIND, way))

    def _cursor(self, way: str) -> int:
        sql = "SELECT CAST(value AS INTEGER) FROM meta WHERE name = ?"
        return int(value(self._connection, sql, (f"{CURSOR}{way}",), 0))

    def _set_triggers(self) -> None:
        for name, (change, when, values) in TRIGGERS.items():
            self._connection.execute(f"DROP TRIGGER IF EXISTS temp.{name}")
            if self._ways:
                body = INSERT.format(values=values)
                self._connection.execute(
                    f"CREATE TEMP TRIGGER {name} AFTER {change} ON main.record WHEN {when} BEGIN {body}; END"
                )


def _notice(found: Any) -> Notice | None:
    """None for a record that is no more, and for a version that its run has taken back."""
    number, event, record, version, absence, corrects, newest, *rest = found
    if newest is None or newest < version:
        return None
    key = f"{record}:{version}"
    if event in {"gone", "back"}:
        key += f":{event}:{absence}"
    elif corrects:
        key += f":{number}"
    kind, source, url, run, at, data, before = rest
    return Notice(number, key, event, record, kind, source, url, version, run, at, data, before)
