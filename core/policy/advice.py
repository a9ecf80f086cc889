"""Advice on normalisation out of answers that are there already: which rule would make one of what is one page.

Pure: answers in, advice out, and no request. A rule is proposed only where enough pairs of URLs that it alone would
make one were compared, and not one of them speaks against it: a page lost is worse than a page fetched twice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from core.urls import Rules, key_form, parse
from core.urls.escapes import unescaped
from core.urls.tracking import TRACKING
from core.urls.url import Url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.settings import Normalise

FEWEST_PAIRS = 10
FEWEST_CONTENTS = 3  # one error page that answers any URL with 200 proves nothing
MOST_PARAMETERS = 50  # the most frequent are looked at
MOST_EXAMPLES = 5
MISSING = "missing"
DROP = "drop_parameters"
SWITCHES = ("sort_parameters", "trailing_slash", "ignore_www", "index_pages", "lower_path", "ignore_scheme")


@dataclass(frozen=True, slots=True)
class Answer:
    """A stored answer to a fetch form: the hash of its body, or where it redirects to, or that there is nothing."""

    url: Url
    content: bytes | None = None
    leads_to: str = ""
    missing: bool = False  # 404 or 410


@dataclass(frozen=True, slots=True)
class Advice:
    """What speaks for a rule and against it. `rule` is a key of `[normalise]`, `parameter` a name for drop_parameters.

    Of `compared` pairs `same` were one page, with `contents` different contents among them. Examples are pairs of
    fetch forms.
    """

    rule: str
    parameter: str
    compared: int
    same: int
    contents: int
    alike: tuple[tuple[str, str], ...]
    unlike: tuple[tuple[str, str], ...]

    @property
    def is_proposed(self) -> bool:
        """Whether it is worth accepting: enough pairs, and no counter-example."""
        return self.compared == self.same >= FEWEST_PAIRS and self.contents >= FEWEST_CONTENTS

    @property
    def setting(self) -> str:
        """The line of a settings file that asks for it."""
        return f"{self.rule} = {msgspec.json.encode([self.parameter]).decode() if self.parameter else 'true'}"


@dataclass(frozen=True, slots=True)
class _Pair:
    first: Url
    other: Url
    content: object
    same: bool


def advise(answers: Iterable[Answer], normalise: Normalise) -> tuple[Advice, ...]:
    """What the answers say of each rule that is not in force; only rules of which a pair is known, proposals first."""
    rules, known = Rules.of(normalise), list(answers)
    found = [_weigh(name, "", known, rules, with_rule(normalise, name)) for name in _switches(normalise)]
    found += _on_parameters(known, normalise)
    worth = [advice for advice in found if advice.compared]
    return tuple(sorted(worth, key=lambda advice: (not advice.is_proposed, -advice.compared)))


def with_rule(normalise: Normalise, rule: str, parameter: str = "") -> Normalise:
    """The section with one more rule in force."""
    value = (*normalise.drop_parameters, parameter) if rule == DROP else True
    return msgspec.structs.replace(normalise, **{rule: value})


def without_rule(normalise: Normalise, rule: str, parameter: str = "") -> Normalise:
    """The section without that rule."""
    left = tuple(name for name in normalise.drop_parameters if name != parameter)
    return msgspec.structs.replace(normalise, **{rule: left if rule == DROP else False})


def _switches(normalise: Normalise) -> list[str]:
    return [name for name in SWITCHES if not getattr(normalise, name)]


def _on_parameters(answers: list[Answer], normalise: Normalise) -> Iterator[Advice]:
    """Of each parameter that is seen often, with the URLs of the paths on which it is seen."""
    rules = Rules.of(normalise)
    settled = rules.drop | rules.keep | (TRACKING if rules.tracking else frozenset())
    at_place: defaultdict[tuple[str, str], list[Answer]] = defaultdict(list)
    places: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    seen: Counter[str] = Counter()
    for answer in answers:
        place = (answer.url.origin, answer.url.path)
        at_place[place].append(answer)
        for name in _names(answer.url) - settled:
            seen[name] += 1
            places[name][place] = None
    for name, _ in seen.most_common(MOST_PARAMETERS):
        near = (answer for place in places[name] for answer in at_place[place])
        yield _weigh(DROP, name, near, rules, with_rule(normalise, DROP, name))


def _weigh(rule: str, parameter: str, answers: Iterable[Answer], rules: Rules, wider: Normalise) -> Advice:
    alike: list[tuple[str, str]] = []
    unlike: list[tuple[str, str]] = []
    contents: set[object] = set()
    compared = same = 0
    for pair in _pairs(answers, rules, Rules.of(wider)):
        if pair.same and parameter and _values(pair.first, parameter) == _values(pair.other, parameter):
            continue  # they differ in something else, in the order
        compared += 1
        same += pair.same
        contents.add(pair.content)
        examples = alike if pair.same else unlike
        if len(examples) < MOST_EXAMPLES:
            examples.append((pair.first.text, pair.other.text))
    return Advice(rule, parameter, compared, same, len(contents), tuple(alike), tuple(unlike))


def _pairs(answers: Iterable[Answer], rules: Rules, wider: Rules) -> Iterator[_Pair]:
    """URLs that the wider rules alone make one. Of what is one URL already, the first answer stands for all."""
    groups: defaultdict[str, dict[str, Answer]] = defaultdict(dict)
    for answer in answers:
        groups[key_form(answer.url, wider).text].setdefault(key_form(answer.url, rules).text, answer)
    for key, members in groups.items():
        if len(members) > 1:
            yield from _compared([(answer.url, _meaning(answer, key, wider)) for answer in members.values()])


def _compared(members: list[tuple[Url, object]]) -> Iterator[_Pair]:
    """Each member beside the first that says something. Where all say that there is nothing, nothing is proved."""
    told = [member for member in members if member[1] is not None]
    if all(meaning == MISSING for _, meaning in told):
        return
    first, content = told[0]
    for other, meaning in members:
        if other is not first:
            yield _Pair(first, other, content, meaning is None or meaning == content)


def _meaning(answer: Answer, key: str, wider: Rules) -> object:
    """What an answer says. None: it redirects to another spelling, the site's own word: they are one."""
    if answer.missing or answer.content is not None:
        return MISSING if answer.missing else answer.content
    target = parse(answer.leads_to)
    text = key_form(target, wider).text if isinstance(target, Url) else answer.leads_to
    return None if text == key else text


def _names(url: Url) -> set[str]:
    """Parameter names as a person writes them."""
    return {unescaped(pair.partition("=")[0]) for pair in url.query.split("&") if pair}


def _values(url: Url, parameter: str) -> list[str]:
    pairs = (pair.partition("=") for pair in url.query.split("&"))
    return [value for name, _, value in pairs if unescaped(name) == parameter]
