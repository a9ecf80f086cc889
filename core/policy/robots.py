"""What a robots.txt says: an own reading of RFC 9309, in linear time, that keeps the rule and its line.

Errs on the site's side where the RFC leaves room: a group of our own name replaces the star group, groups of one name
are one, the longest rule wins, `Allow` wins a tie. At most the first 500 KiB are read (RFC 9309 section 2.5), which
also bounds the number of rules.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from core.policy.escapes import comparable
from core.policy.glob import Glob, PrefixIndex, glob
from core.policy.literals import LiteralIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_OCTETS = 500 * 1024
MANY = 64  # rules with stars: up to here asking those with the right beginning costs less than reading the target
# RFC 9309 gives names letters, "-" and "_" only; names in use have digits too, and cut off before them `bot1` would be
# given the rules of `bot2`.
_TOKEN = re.compile(r"[\w-]+")
_COMPATIBLE = re.compile(r"compatible;\s*([\w-]+)")
_ANY = "*"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# What site owners write in place of the names, as the large search engines read it (google/robotstxt, robots.cc).
_SPELLINGS = {
    "useragent": "user-agent",
    "user agent": "user-agent",
    "dissallow": "disallow",
    "dissalow": "disallow",
    "disalow": "disallow",
    "diasllow": "disallow",
    "disallaw": "disallow",
    "site-map": "sitemap",
}
# The delimiters between the parts of a URL (RFC 3986 section 2.2), but for brackets, which are escaped anywhere.
_PLAIN = {f"%{ord(delimiter):02X}": delimiter for delimiter in ":/?#@"}
_ESCAPED = str.maketrans({delimiter: escape for escape, delimiter in _PLAIN.items()})
_ESCAPED_DELIMITER = re.compile("|".join(_PLAIN))
_NAMES = frozenset({"user-agent", "allow", "disallow", "crawl-delay", "sitemap"})


class RobotsAnswer(StrEnum):
    """What the answer to a request for robots.txt means for the origin."""

    RULES = "rules"
    ALLOW = "allow"
    DISALLOW = "disallow"  # and ask again later


def robots_access(status: int | None, outcome: str) -> RobotsAnswer:
    """RFC 9309 section 2.3.1, with 429 read as "not now": `status` of the last hop, `outcome` as in the URL table.

    Too many redirects count as "no robots.txt" (2.3.1.2); so does one that leads to no URL. A body beyond the limit is
    still read to the limit; one that broke off is not believed.
    """
    kind = outcome.removeprefix("error:")
    if kind in {"redirect", "url"} or outcome == "redirect":
        return RobotsAnswer.ALLOW
    if status is None or outcome == "truncated" or (outcome.startswith("error:") and kind != "too_large"):
        return RobotsAnswer.DISALLOW
    if 200 <= status < 300 or status == 304:
        return RobotsAnswer.RULES
    if status == 429 or not 300 <= status < 500:
        return RobotsAnswer.DISALLOW
    return RobotsAnswer.ALLOW


@dataclass(frozen=True, slots=True)
class RobotsVerdict:
    """`rule` is the line that decided, as written, and `line` its number from 1; empty and 0 where none applied."""

    allowed: bool
    rule: str = ""
    line: int = 0


_FREE = RobotsVerdict(True)


@dataclass(frozen=True, slots=True)
class _Rule:
    allow: bool
    weight: int  # the length of the written path in comparable form: the longest wins
    match: Glob
    line: int
    text: str

    @property
    def rank(self) -> tuple[int, bool, int]:
        return self.weight, self.allow, -self.line


class Robots:
    """The rules of one robots.txt for one product token."""

    __slots__ = ("_paths", "_wild", "crawl_delay", "sitemaps")

    def __init__(self, rules: tuple[_Rule, ...], crawl_delay: float | None, sitemaps: tuple[str, ...]) -> None:
        best: dict[Glob, _Rule] = {}
        for rule in sorted(rules, key=lambda rule: rule.rank, reverse=True):
            best.setdefault(rule.match, rule)  # of one path only the best rule counts, and the first of its rank
        paths = ((rule.match.prefix, rule) for rule in best.values() if rule.match.plain)
        self._paths: PrefixIndex[_Rule] = PrefixIndex(paths)
        wild = [rule for rule in best.values() if not rule.match.plain]
        self._wild: PrefixIndex[_Rule] | LiteralIndex[_Rule]
        if len(wild) > MANY:
            self._wild = LiteralIndex((rule.match, rule) for rule in wild)
        else:
            self._wild = PrefixIndex((rule.match.prefix, rule) for rule in wild)
        self.crawl_delay = crawl_delay
        self.sitemaps = sitemaps

    @classmethod
    def parse(cls, body: bytes | str, token: str) -> Robots:
        """Read a robots.txt for the robot `token` (see product_token); total on any body."""
        file = _File(token.lower())
        for number, name, value in _directives(_text(body)):
            file.take(number, name, value)
        return cls(*file.result())

    def verdict(self, target: str) -> RobotsVerdict:
        """Whether `target` (path and query as on the request line) may be fetched, and the rule that says so."""
        if target.partition("?")[0] == "/robots.txt":
            return _FREE
        subject = _subject(target)
        best = self._better(subject, None)
        for reading in _other_readings(subject) if "?" in subject else ():
            best = self._better(reading, best)
        return _FREE if best is None else RobotsVerdict(best.allow, best.text, best.line)

    def _better(self, subject: str, best: _Rule | None) -> _Rule | None:
        for (rule,) in self._paths.under(subject):
            if best is None or rule.rank > best.rank:
                best = rule
        for rules in self._wild.under(subject):
            for rule in rules:
                if best is not None and rule.rank <= best.rank:
                    break
                if rule.match.end(subject) >= 0:
                    best = rule
                    break
        return best


def product_token(user_agent: str) -> str:
    """The name a robots.txt may call this crawler by: letters, digits, `-` and `_` at the beginning of the user agent.

    A user agent in a browser's clothes (`Mozilla/5.0 (compatible; Name/1.0; ...)`) is called by the name inside.
    """
    dressed = _COMPATIBLE.search(user_agent) if user_agent.startswith("Mozilla/") else None
    if dressed:
        return dressed.group(1)
    found = _TOKEN.match(user_agent)
    return found.group() if found else ""


class _File:
    """The state while reading: which group is open, what it and the star group hold."""

    def __init__(self, token: str) -> None:
        self._token = token
        self._names: set[str] = set()
        self._in_names = False
        self._seen: set[str] = set()
        self._rules: dict[str, list[_Rule]] = {token: [], _ANY: []}
        self._delays: dict[str, float] = {}
        self._sitemaps: list[str] = []

    def take(self, line: int, name: str, value: str) -> None:
        if name == "user-agent":
            self._take_agent(value)
        elif name in {"allow", "disallow"}:
            self._in_names = False
            if value.startswith(("/", _ANY)) and self._names:
                self._take_rule(_rule(name == "allow", value, line))
        elif name == "crawl-delay":  # no rule of the RFC, so it must not end a list of names (section 2.2.4)
            self._take_delay(value)
        elif name == "sitemap" and value:
            self._sitemaps.append(value)

    def result(self) -> tuple[tuple[_Rule, ...], float | None, tuple[str, ...]]:
        group = self._token if self._token in self._seen else _ANY
        return tuple(self._rules[group]), self._delays.get(group), tuple(self._sitemaps)

    def _take_agent(self, value: str) -> None:
        if not self._in_names:
            self._names = set()
            self._in_names = True
        name = _agent(value)
        if name in self._rules and name:
            self._names.add(name)
            self._seen.add(name)

    def _take_rule(self, rule: _Rule) -> None:
        for name in self._names:
            self._rules[name].append(rule)

    def _take_delay(self, value: str) -> None:
        try:
            delay = float(value)
        except ValueError:
            return
        if math.isfinite(delay) and delay >= 0:
            for name in self._names:
                self._delays.setdefault(name, delay)


def _agent(value: str) -> str:
    if value == _ANY or value.startswith((_ANY + " ", _ANY + "\t")):
        return _ANY
    found = _TOKEN.match(value)
    return found.group().lower() if found else ""


def _rule(allow: bool, value: str, line: int) -> _Rule:
    anchored = value.endswith("$")
    raw = glob(value[:-1] if anchored else value, anchored=anchored)
    pieces = tuple(_subject(piece) for piece in raw.pieces)
    text = f"{'Allow' if allow else 'Disallow'}: {value}"
    return _Rule(allow, len(comparable(value)), Glob(pieces, anchored), line, text)


def _subject(text: str) -> str:
    """Comparable, and the two special characters escaped: a rule writes `%2A` and `%24` for them (RFC 9309, 2.2.3)."""
    return comparable(text).replace("*", "%2A").replace("$", "%24")


def _other_readings(subject: str) -> Iterator[str]:
    """The subject with the delimiters in its query all escaped, and all plain, where that is not as it is.

    RFC 9309 section 2.2.2 has them escaped on both sides before they are compared, and shows it at a URL in a query:
    `?u=http://a` and `?u=http%3A%2F%2Fa` are one. In a path they keep the form they have: there `%2F` is no `/`.
    """
    path, mark, query = subject.partition("?")
    escaped = query.translate(_ESCAPED)
    if escaped != query:
        yield path + mark + escaped
    if "%" in query:
        plain = _ESCAPED_DELIMITER.sub(lambda found: _PLAIN[found.group()], query)
        if plain != query:
            yield path + mark + plain


def _directives(text: str) -> Iterator[tuple[int, str, str]]:
    """Each `name: value` line with its number, the comment cut off.

    What can be read is used whatever stands around it (RFC 9309 section 2.3.1.5). A page served in place of the file
    has hardly a line that is a rule.
    """
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        written = line.partition("#")[0]
        name, colon, value = written.partition(":")
        if not colon:
            name, value = _without_colon(written)
        if name:
            name = name.strip().lower()
            yield number, _SPELLINGS.get(name, name), value.strip()


def _without_colon(line: str) -> tuple[str, str]:
    """The two words of a line whose colon was forgotten; nothing where they may be something else."""
    words = line.split()
    name = words[0].lower() if len(words) == 2 else ""
    return (words[0], words[1]) if _SPELLINGS.get(name, name) in _NAMES else ("", "")


def _text(body: bytes | str) -> str:
    """The text of the first 500 KiB; a line that the limit cuts is left out, for half a rule is another rule."""
    octets = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    if len(octets) > MOST_OCTETS:
        octets = octets[:MOST_OCTETS]
        octets = octets[: max(octets.rfind(b"\n"), octets.rfind(b"\r")) + 1]
    if octets.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = octets.decode("utf-16", "replace")
    else:
        text = _without_mark(octets).decode("utf-8", "surrogateescape")
    return text.replace("\0", "").removeprefix("\ufeff")


def _without_mark(octets: bytes) -> bytes:
    """The octets behind a byte order mark, also one of which only the beginning arrived."""
    for length in (3, 2, 1):
        if octets.startswith(_BYTE_ORDER_MARK[:length]):
            return octets[length:]
    return octets
