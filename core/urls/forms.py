"""The two forms of a URL: the fetch form, which is requested, and the key form, which is compared.

Each form is a list of named steps from target to target, chosen once from the crawl's rules; the engine runs the lists
and "Explain URL" walks the same ones. A form of a form is itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from core.urls.escapes import strict, unescaped, upper_hex
from core.urls.parser import without_dots
from core.urls.sessions import is_session, without_path_session
from core.urls.tracking import TRACKING
from core.urls.url import Url

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.urls.rules import Rules

_INDEX_PAGES = frozenset(
    "index.html index.htm index.shtml index.xhtml index.php index.jsp index.asp index.aspx index.cgi index.pl"
    " default.html default.htm default.asp default.aspx".split()
)


def fetch_form(url: Url, rules: Rules) -> Url:
    """The spelling that is requested: tracking parameters (and session ids, by choice) gone, else byte for byte."""
    return url.with_target(plan(rules).fetch_target(url.target))


def key_form(url: Url, rules: Rules) -> Url:
    """The spelling that is compared. Two URLs with one key form are one page."""
    chosen = plan(rules)
    return chosen.moved(url.with_target(chosen.key_target(chosen.fetch_target(url.target))))


def url_key(key: Url) -> int:
    """A signed 64-bit number for a key form, unique within its host and the same on every machine and for ever.

    XXH3 over `scheme://port` and target; the host is left out since the store keeps keys per host.
    """
    from xxhash import xxh3_64_intdigest  # only who stores keys needs it

    number: int = xxh3_64_intdigest(f"{key.scheme}://{key.port}{key.target}".encode())
    return number - (1 << 64) if number >= 1 << 63 else number


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps that a crawl's rules ask for, in the order they run. `plain`: no rule touches paths or hosts."""

    fetch: tuple[tuple[str, Callable[[str], str]], ...]
    key: tuple[tuple[str, Callable[[str], str]], ...]
    origin: tuple[tuple[str, Callable[[Url], Url]], ...]
    plain: bool

    def fetch_target(self, target: str) -> str:
        """The target of the fetch form."""
        for _, step in self.fetch:
            target = step(target)
        return target

    def key_target(self, target: str) -> str:
        """The target of the key form, out of that of the fetch form."""
        for _, step in self.key:
            target = step(target)
        return target

    def moved(self, url: Url) -> Url:
        """The URL at the origin under which it is compared."""
        for _, move in self.origin:
            url = move(url)
        return url

    def key_of_fetch(self, url: Url) -> Url:
        """The key form of what is already a fetch form."""
        return self.moved(url.with_target(self.key_target(url.target)))


@lru_cache(maxsize=64)
def plan(rules: Rules) -> Plan:
    """The steps for these rules. Pure; remembered because it is asked for with every URL."""
    return Plan(_fetch_steps(rules), _key_steps(rules), _origin_steps(rules), _is_plain(rules))


def _is_plain(rules: Rules) -> bool:
    path = rules.session_ids or rules.trailing_slash or rules.index_pages or rules.lower_path
    return not (path or rules.ignore_www or rules.ignore_scheme)


def _fetch_steps(rules: Rules) -> tuple[tuple[str, Callable[[str], str]], ...]:
    steps: list[tuple[str, Callable[[str], str]]] = []
    if rules.tracking:
        steps.append(("tracking", partial(_without_names, names=TRACKING - rules.keep)))
    if rules.drop - rules.keep:
        steps.append(("drop_parameters", partial(_without_names, names=rules.drop - rules.keep)))
    if rules.session_ids:
        steps.append(("session_ids", partial(_without_sessions, keep=rules.keep)))
    return tuple(steps)


def _key_steps(rules: Rules) -> tuple[tuple[str, Callable[[str], str]], ...]:
    steps: list[tuple[str, Callable[[str], str]]] = [("escapes", strict), ("empty_pairs", _without_empty_pairs)]
    if rules.sort:
        steps.append(("sort_parameters", _sorted))
    if rules.lower_path:
        steps.append(("lower_path", _lower_path))
    ends = [name for name in ("index_pages", "trailing_slash") if getattr(rules, name)]
    if ends:
        bare = partial(_without_ending, index=rules.index_pages, slash=rules.trailing_slash)
        steps.append((" and ".join(ends), bare))
    return tuple(steps)


def _origin_steps(rules: Rules) -> tuple[tuple[str, Callable[[Url], Url]], ...]:
    steps: list[tuple[str, Callable[[Url], Url]]] = []
    if rules.ignore_www:
        steps.append(("ignore_www", _without_www))
    if rules.ignore_scheme:
        steps.append(("ignore_scheme", _as_http))
    return tuple(steps)


def _without_names(target: str, names: frozenset[str]) -> str:
    path, _, query = target.partition("?")
    if not query:
        return target
    pairs = query.split("&")
    # One set look-up a pair in the usual case: this runs for every link of every page.
    kept = [
        pair
        for pair in pairs
        if (name := pair.partition("=")[0]) not in names and not ("%" in name and unescaped(name) in names)
    ]
    return target if len(kept) == len(pairs) else _joined(path, kept)


def _without_sessions(target: str, keep: frozenset[str]) -> str:
    path, mark, query = target.partition("?")
    # Removing it from `/..;jsessionid=1/` leaves a dot segment.
    path = path if "jsessionid" in keep else without_dots(without_path_session(path))
    pairs = query.split("&")
    kept = [pair for pair in pairs if not _is_session(pair, keep)]
    return path + mark + query if len(kept) == len(pairs) else _joined(path, kept)


def _is_session(pair: str, keep: frozenset[str]) -> bool:
    name, _, value = pair.partition("=")
    return is_session(name, value) and name not in keep and unescaped(name) not in keep


def _joined(path: str, pairs: list[str]) -> str:
    return f"{path}?{'&'.join(pairs)}" if any(pairs) else path


def _without_empty_pairs(target: str) -> str:
    path, mark, query = target.partition("?")
    if not mark or (query and "&&" not in query and query[0] != "&" and query[-1] != "&"):
        return target
    return _joined(path, [pair for pair in query.split("&") if pair])


def _sorted(target: str) -> str:
    path, _, query = target.partition("?")
    if "&" not in query:
        return target
    return _joined(path, sorted(query.split("&"), key=_name))


def _name(pair: str) -> str:
    return pair.partition("=")[0]


def _lower_path(target: str) -> str:
    path, mark, query = target.partition("?")
    return upper_hex(path.lower()) + mark + query


def _without_ending(target: str, index: bool, slash: bool) -> str:
    path, mark, query = target.partition("?")
    before = ""
    while before != path:  # `/index.html/index.html/` needs both rules more than once
        before = path
        head, _, last = path.rpartition("/")
        if index and last.lower() in _INDEX_PAGES:
            path = head + "/"
        if slash:
            path = path.rstrip("/") or "/"
    return path + mark + query


def _without_www(url: Url) -> Url:
    host = url.host
    while host.startswith("www.") and "." in host[4:].removesuffix("."):
        host = host[4:]
    return url if host == url.host else Url(url.scheme, host, url.port, url.target)


def _as_http(url: Url) -> Url:
    # On any other port only one of the two schemes can answer.
    secure = url.scheme == "https" and url.port == 443
    return Url("http", url.host, 80, url.target) if secure else url
