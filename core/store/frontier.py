"""The frontier and the set of known URLs: the exact store behind the scheduler (SPEC 1.3, 4.5, 5.2, 5.5).

A URL enters the known set when it is queued. What is refused at the door costs no place here, only a `refused` row.
Every method runs inside the writer's transaction; counts go through its Tally.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.policy.policy import Facts, Policy
from core.store.names import Front, UrlState
from core.store.query import row, rows, value
from core.store.results import FoundLink
from core.urls import Rules, Url, key_form, parse, url_key

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.hosts import Host, Hosts
    from core.store.tally import Tally

MOST_REFUSED_ROWS = 1_000_000
REMEMBERED = 30_000
BUFFER = 16
FROM_LOWER_FRONTS = 4  # of a buffer: so that low never starves

FIND = "SELECT id, depth, state, path, origin_id, collision FROM url WHERE host_id = ? AND key = ?"
INSERT = """INSERT INTO url(host_id, origin_id, key, collision, path, state, front, priority, depth, found_on,
            source_id, seed, tries, reclaims, due, reason, first_seen, lastmod)
            VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, 0, 0, NULL, NULL, ?, ?)"""
REFUSAL = "id, url, depth, found_on, seed, reason"
PENDING = """SELECT id, origin_id, path, depth, tries, seed, found_on FROM url
             WHERE host_id = ? AND front = ? AND state = 0 ORDER BY id {direction} LIMIT ?"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pending URL in a host's buffer."""

    id: int
    origin: int
    path: str
    depth: int
    tries: int
    seed: bool
    found_on: int | None


@dataclass(frozen=True, slots=True)
class Context:
    """Where URLs were found: what `admit` needs beside the link itself."""

    depth: int
    at: float
    found_on: int | None = None
    source: int | None = None
    via: str = "link"
    seed: bool = False  # judged as a seed
    typed: bool = False  # stored as one: the analyst wrote it


@dataclass(frozen=True, slots=True)
class Admission:
    """What became of a found URL. `target` is its id, or minus the id of its refusal; 0 where it was only counted."""

    target: int
    new: bool
    known: bool


class Frontier:
    """Used by the writer's thread alone."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, tally: Tally, tenant: str) -> None:
        self._connection = connection
        self._hosts = hosts
        self._tally = tally
        self._tenant = tenant
        self._recent: dict[str, int] = {}
        self._older: dict[str, int] = {}
        self._low = Front.MIDDLE
        self._refused_rows: int = value(connection, "SELECT max(id) FROM refused", default=0)
        self.woken: set[int] = set()  # hosts that got pending URLs since the writer looked last
        self.policy: Policy
        self._settings: CrawlSettings
        self._rules: Rules

    def use(self, settings: CrawlSettings, policy: Policy) -> None:
        """These rules count from now on."""
        self._settings = settings
        self._rules = Rules.of(settings.normalise)
        self.policy = policy
        self._limits = tuple(f"pattern.{item.pattern}" for item in settings.budgets.patterns)
        self._pattern_counts = [self._counter(name) for name in self._limits]
        self._pending_sql = PENDING.format(direction="DESC" if settings.priority.order == "depth" else "ASC")
        self._total = self._hosts.total_admitted
        self.forget_recent()

    def forget_recent(self) -> None:
        self._recent.clear()
        self._older.clear()

    # -- the door ---------------------------------------------------------------------------------------------------

    def admit(self, found: FoundLink, context: Context, lastmod: float | None = None) -> Admission:
        """A URL was found: known (its smaller depth is kept), new in the frontier, or refused."""
        text = found.key.text
        remembered = self._recall(text)
        if remembered is not None and context.depth >= remembered & 0xFF:
            return Admission(remembered >> 8, False, True)
        host = self._hosts.find(found.key.host)
        if host is not None:
            known = self._find(host, found.fetch, found.key)
            if known is not None:
                number, depth = known
                if context.depth < depth:
                    self._shorten(number, context.depth)
                    depth = context.depth
                self._remember(text, number, depth)
                return Admission(number, False, True)
        return self._judge(found, context, host, lastmod)

    def _judge(self, found: FoundLink, context: Context, host: Host | None, lastmod: float | None) -> Admission:
        if found.nofollow and self._settings.politeness.nofollow and not context.seed:
            return self._refuse(found, context, "robots: nofollow")
        facts = self._facts(found, context, host, lastmod)
        verdict = self.policy.judge(found.fetch, found.key, facts)
        if not verdict.allowed:
            return self._refuse(found, context, verdict.reason)
        number = self._insert(found, context, verdict.priority, verdict.front, lastmod)
        self._remember(found.key.text, number, context.depth)
        return Admission(number, True, False)

    def _facts(self, found: FoundLink, context: Context, host: Host | None, lastmod: float | None) -> Facts:
        return Facts(
            depth=context.depth,
            is_seed=context.seed,
            host_known=host.admitted if host else 0,
            total_known=self._total,
            pattern_counts=tuple(self._pattern_counts),
            parameter_sets=self._parameter_sets(host, found.key) if host else 0,
            via=context.via,
            lastmod_age=max(0.0, context.at - lastmod) if lastmod else None,
        )

    def _insert(self, found: FoundLink, context: Context, priority: int, front: int, lastmod: float | None) -> int:
        host = self._hosts.of(found.key.host)
        origin = self._hosts.origin(host, found.fetch)
        key = url_key(found.key)
        collision = len(rows(self._connection, FIND, (host.id, key)))
        self._connection.execute(
            INSERT,
            (
                *(host.id, origin.id, key, collision, found.fetch.target, int(front), priority, context.depth),
                *(context.found_on, context.source, int(context.typed), context.at, lastmod),
            ),
        )
        number: int = self._connection.last_insert_rowid()
        host.admitted += 1
        self._total += 1
        self._tally.move(host.id, None, UrlState.PENDING)
        self._count_patterns(found.key)
        self._count_parameters(host, found.key)
        self._withdraw_refusal(found.key, number)
        self.woken.add(host.id)
        return number

    def _find(self, host: Host, fetch: Url, key: Url) -> tuple[int, int] | None:
        """Id and depth of a known URL. A hash hit is compared: the last word is the spelling's (SPEC 5.5)."""
        for number, depth, _state, path, origin, _collision in rows(self._connection, FIND, (host.id, url_key(key))):
            if path == fetch.target and self._hosts.origin_by_id(origin).base == fetch.origin:
                return number, depth
            if key_form(self.url_of(origin, path), self._rules) == key:
                return number, depth
        return None

    def url_of(self, origin: int, path: str) -> Url:
        """The fetch form of a stored URL."""
        place = self._hosts.origin_by_id(origin)
        name = place.base.partition("://")[2]
        name = name[: name.rindex(":")] if name.rpartition(":")[2] == str(place.port) else name
        return Url(place.scheme, name, place.port, path)

    # -- refusals ---------------------------------------------------------------------------------------------------

    def _refuse(self, found: FoundLink, context: Context, reason: str) -> Admission:
        key = refusal_key(self._tenant, found.key)
        word = reason.partition(":")[0]
        old = row(self._connection, "SELECT id, word, depth FROM refused WHERE key = ?", (key,))
        if old is not None:
            self._refused_again(old, word, reason, context)
            return Admission(-old[0], False, True)
        self._tally.count(f"refused.{word}")
        if self._refused_rows >= MOST_REFUSED_ROWS:
            return Admission(0, True, False)
        self._connection.execute(
            "INSERT INTO refused(key, url, reason, word, depth, found_on, seed, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (key, found.fetch.text, reason, word, context.depth, context.found_on, int(context.typed), context.at),
        )
        number: int = self._connection.last_insert_rowid()
        self._refused_rows = number
        return Admission(-number, True, False)

    def _refused_again(self, old: tuple[int, str, int], word: str, reason: str, context: Context) -> None:
        number, old_word, depth = old
        if word != old_word or context.depth < depth:
            self._connection.execute(
                "UPDATE refused SET reason = ?, word = ?, depth = ? WHERE id = ?",
                (reason, word, min(depth, context.depth), number),
            )
            self._tally.count(f"refused.{old_word}", -1)
            self._tally.count(f"refused.{word}")

    def _withdraw_refusal(self, key: Url, number: int) -> None:
        if not self._refused_rows:
            return
        sql = "DELETE FROM refused WHERE key = ? RETURNING id, word"
        for refusal, word in rows(self._connection, sql, (refusal_key(self._tenant, key),)):
            self._tally.count(f"refused.{word}", -1)
            self._connection.execute("UPDATE OR REPLACE link SET target = ? WHERE target = ?", (number, -refusal))

    def readmit(self, words: tuple[str, ...], after: int, limit: int, at: float) -> tuple[int, int | None]:
        """Judge refused URLs again, `limit` of them behind id `after`: how many got in, and where to go on or None."""
        marks = ", ".join("?" * len(words))
        sql = f"SELECT {REFUSAL} FROM refused WHERE word IN ({marks}) AND id > ? ORDER BY id LIMIT ?"
        found = rows(self._connection, sql, (*words, after, limit))
        admitted = sum(self._readmit_one(refusal, at) for refusal in found)
        return admitted, found[-1][0] if len(found) == limit else None

    def _readmit_one(self, refusal: tuple[int, str, int, int | None, int, str], at: float) -> bool:
        number, text, depth, found_on, seed, reason = refusal
        fetch = parse(text)
        if not isinstance(fetch, Url):
            return False
        found = FoundLink(fetch, key_form(fetch, self._rules))
        host = self._hosts.find(found.key.host)
        context = Context(depth, at, found_on, via="seed" if seed else "link", seed=bool(seed), typed=bool(seed))
        facts = self._facts(found, context, host, None)
        verdict = self.policy.judge(found.fetch, found.key, facts)
        if verdict.allowed:
            self._insert(found, context, verdict.priority, verdict.front, None)
        elif verdict.reason != reason:
            self._refused_again(
                (number, reason.partition(":")[0], depth), verdict.reason.partition(":")[0], verdict.reason, context
            )
        return verdict.allowed

    # -- depth ------------------------------------------------------------------------------------------------------

    def _shorten(self, number: int, depth: int) -> None:
        """A shorter way to a URL was found: its pending descendants follow, and links refused for depth come back."""
        todo = [(number, depth)]
        while todo:
            number, depth = todo.pop()
            self._connection.execute("UPDATE url SET depth = ? WHERE id = ? AND depth > ?", (depth, number, depth))
            if not self._connection.changes():
                continue
            self._readmit_children(number, depth + 1)
            todo += [(child, depth + 1) for child in self._deeper_children(number, depth + 1)]
        self.forget_recent()

    def _deeper_children(self, number: int, depth: int) -> list[int]:
        sql = (
            "SELECT id FROM url WHERE found_on = ?1 AND depth > ?2 UNION "
            "SELECT url.id FROM link JOIN url ON url.id = link.target WHERE link.source = ?1 AND url.depth > ?2"
        )
        return [child for (child,) in rows(self._connection, sql, (number, depth))]

    def _readmit_children(self, number: int, depth: int) -> None:
        sql = (
            f"SELECT {REFUSAL} FROM refused WHERE word = 'depth' AND depth > ?2 AND (found_on = ?1 "
            "OR id IN (SELECT -target FROM link WHERE source = ?1 AND target < 0))"
        )
        at = value(self._connection, "SELECT first_seen FROM url WHERE id = ?", (number,))
        for refusal in rows(self._connection, sql, (number, depth)):
            self._connection.execute("UPDATE refused SET depth = ? WHERE id = ?", (depth, refusal[0]))
            self._readmit_one((*refusal[:2], depth, *refusal[3:]), at)

    # -- the queue --------------------------------------------------------------------------------------------------

    def buffer(self, host: int) -> list[Candidate]:
        """The next pending URLs of a host: most of them best first, some from a lower front by turns."""
        found: dict[int, Candidate] = {}
        for front in Front:
            room = BUFFER - FROM_LOWER_FRONTS - len(found)
            if room > 0:
                self._take(found, host, front, room)
        self._low = Front.LOW if self._low is Front.MIDDLE else Front.MIDDLE
        self._take(found, host, self._low, FROM_LOWER_FRONTS)
        if len(found) < BUFFER:
            for front in Front:
                self._take(found, host, front, BUFFER)
        return list(found.values())[:BUFFER]

    def _take(self, found: dict[int, Candidate], host: int, front: Front, room: int) -> None:
        sql = self._pending_sql
        for number, origin, path, depth, tries, seed, found_on in rows(self._connection, sql, (host, int(front), room)):
            found.setdefault(number, Candidate(number, origin, path, depth, tries, bool(seed), found_on))

    def wake(self, at: float) -> float | None:
        """Waiting URLs whose time has come are pending again; answers when the next one is due."""
        sql = "UPDATE url SET state = 0, due = NULL WHERE state = 2 AND due <= ? RETURNING host_id"
        for (host,) in rows(self._connection, sql, (at,)):
            self._tally.move(host, UrlState.WAITING, UrlState.PENDING)
            self.woken.add(host)
        due: float | None = value(self._connection, "SELECT min(due) FROM url WHERE state = 2")
        return due

    def set_state(
        self, number: int, host: int, before: UrlState, after: UrlState, reason: str | None, due: float | None = None
    ) -> None:
        """Move one URL to another state."""
        self._connection.execute(
            "UPDATE url SET state = ?, reason = ?, due = ? WHERE id = ?", (int(after), reason, due, number)
        )
        self.moved(host, before, after)

    def moved(self, host: int, before: UrlState, after: UrlState) -> None:
        """Count a move, in the file and in the mirror of admitted URLs."""
        self._tally.move(host, before, after)
        change = int(after not in OUTSIDE) - int(before not in OUTSIDE)
        if change:
            self._hosts.by_id(host).admitted += change
            self._total += change

    # -- small things -----------------------------------------------------------------------------------------------

    def _counter(self, name: str) -> int:
        number: int = value(self._connection, "SELECT value FROM counter WHERE name = ? AND run = 0", (name,), 0)
        return number

    def _count_patterns(self, key: Url) -> None:
        for number in self.policy.budget_patterns(key):
            self._pattern_counts[number] += 1
            self._tally.count(self._limits[number])

    def _parameter_sets(self, host: Host, key: Url) -> int:
        if "?" not in key.target or not self._settings.budgets.max_parameter_sets:
            return 0
        sql = "SELECT count FROM path_count WHERE host_id = ? AND path = ?"
        number: int = value(self._connection, sql, (host.id, path_key(key)), 0)
        return number

    def _count_parameters(self, host: Host, key: Url) -> None:
        if "?" in key.target:
            self._connection.execute(
                "INSERT INTO path_count(host_id, path, count) VALUES (?, ?, 1) "
                "ON CONFLICT(host_id, path) DO UPDATE SET count = count + 1",
                (host.id, path_key(key)),
            )

    def _recall(self, text: str) -> int | None:
        number = self._recent.get(text)
        return number if number is not None else self._older.get(text)

    def _remember(self, text: str, number: int, depth: int) -> None:
        if len(self._recent) >= REMEMBERED:
            self._older, self._recent = self._recent, {}
        self._recent[text] = number << 8 | min(depth, 0xFF)


OUTSIDE = frozenset({UrlState.EXCLUDED, UrlState.BLOCKED})


def refusal_key(tenant: str, key: Url) -> int:
    """A signed 64-bit hash of tenant and whole key form: refusals need no host row."""
    return _signed_hash(f"{tenant}\0{key.text}")


def path_key(key: Url) -> int:
    return _signed_hash(f"{key.scheme}:{key.port}{key.path}")


def _signed_hash(text: str) -> int:
    from xxhash import xxh3_64_intdigest

    number: int = xxh3_64_intdigest(text.encode())
    return number - (1 << 64) if number >= 1 << 63 else number
