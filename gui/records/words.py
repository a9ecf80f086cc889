"""What a trial and a check of a key come to, in sentences for a person."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.store.words import quantity
from gui.foreign_text import shown

if TYPE_CHECKING:
    from core.extract.trial import Trial, TriedField
    from core.preview.key_tally import KeyReport
    from core.settings import FieldRule, RecordType
    from gui.records.key_check import KeyAnswer

LONGEST_VALUE = 80
KIND_WORDS = {"css": "CSS", "xpath": "XPath", "regex": "Expression", "jsonld": "JSON-LD", "meta": "Meta"}


def value_words(field: TriedField) -> str:
    """`“1.299,50 €” → 1299.5 EUR`; what is only collapsed is said once."""
    if field.value is None:
        remark = f": {shown(field.remark)}" if field.remark else ""
        return f"“{shown(field.found[0], LONGEST_VALUE)}” → empty{remark}" if any(field.found) else f"empty{remark}"
    value = cast_words(field)
    if field.found and field.found[0] == field.value:
        return value
    return f"“{shown(field.found[0], LONGEST_VALUE)}” → {value}" if field.found else value


def cast_words(field: TriedField) -> str:
    """What a field becomes, as it will stand in the table."""
    value = field.value
    if value is None:
        return "empty"
    return shown(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), LONGEST_VALUE)


def rule_words(rule: FieldRule) -> str:
    """`CSS .price, money`."""
    way = next(iter(rule.ways), "css")
    return f"{KIND_WORDS[way]} {shown(getattr(rule, way), LONGEST_VALUE)}, {rule.cast}"


def trial_words(trial: Trial, kind: RecordType) -> tuple[str, str]:
    """What the page gives, with its tone."""
    if trial.note:
        return trial.note, "warning"
    said = [quantity(trial.total, "record") + " on this page"]
    if trial.total > len(trial.rows):
        said.append(f"the first {len(trial.rows)} are shown")
    if trial.without_key:
        said.append(f"{trial.without_key:,} without {' and '.join(shown(name, 40) for name in kind.key_fields)}")
    if trial.repeated:
        said.append(f"{quantity(len(trial.repeated), 'key')} more than once, such as {shown(trial.repeated[0], 40)}")
    return "; ".join(said) + ".", "warning" if trial.without_key or trial.repeated else "muted"


def key_words(answer: KeyAnswer) -> tuple[str, str]:
    """What the check of a key comes to, with its tone; the first sentence is the weightiest."""
    report, key = answer.report, " and ".join(shown(name, 40) for name in answer.question.kind.key_fields)
    if not report.pages:
        return "No stored page matches: the key cannot be checked before some were crawled.", "muted"
    pages = quantity(report.pages, "stored page")
    said = [*_faults(report, key), *_remarks(answer)]
    sample = "" if answer.whole else "sample of "
    if report.holds:
        fine = f"Checked on a {sample}{pages}" if sample else f"Checked on {pages}"
        said.insert(0, f"{fine}: {_whole(report, key)}")
        return " ".join(said), "muted"
    return " ".join((f"Of a {sample}{pages}:" if sample else f"Of {pages}:", *said)), "warning"


def key_in_short(answer: KeyAnswer) -> str:
    """What speaks against a key in one line; what it means is said beside the examples. Empty for nothing."""
    report, key = answer.report, " or ".join(shown(name, 40) for name, _ in answer.report.missing)
    said = []
    if report.without:
        said.append(f"{report.without:,} without {key or 'a key'}")
    if report.shared:
        said.append(f"{quantity(report.shared, 'key')} in several places")
    if report.other:
        said.append(f"{quantity(report.other, 'record')} would get another key")
    pages = quantity(report.pages, "stored page")
    return f"Of {pages}: {', '.join(said)}. See Key." if said else ""


def _whole(report: KeyReport, key: str) -> str:
    if not report.records:
        return "no record was found."
    if report.records == 1:
        return f"the one record has its {key}."
    return f"each of {report.records:,} records has its own {key}."


def _faults(report: KeyReport, key: str) -> list[str]:
    said = []
    if report.without:
        names = " or ".join(shown(name, 40) for name, _ in report.missing) or key
        have = "has" if report.without == 1 else "have"
        said.append(f"{report.without:,} {have} no {names}, which makes a listed conflict and no record.")
    if report.shared:
        is_one = report.shared == 1
        first = report.shared_examples[0]
        where = "on one page" if first.first == first.second and is_one else "in several places"
        subject = f"the key {shown(first.key, 40)} stands" if is_one else f"{report.shared:,} keys stand"
        said.append(f"{subject} {where}: one record is made of what may be several things.")
    if report.other:
        if report.other == 1:
            said.append("one page has a record under another key: with this one it begins anew, without its history.")
        else:
            subject = f"{report.other:,} pages have records under another key"
            said.append(f"{subject}: with this one they begin anew, without their history.")
    return [sentence[0].upper() + sentence[1:] for sentence in said]


def _remarks(answer: KeyAnswer) -> list[str]:
    report, said = answer.report, []
    if report.empty:
        said.append(f"{quantity(report.empty, 'page')} gave no record at all.")
    if report.unread:
        said.append(f"{quantity(report.unread, 'page')} could not be read.")
    if answer.gone:
        said.append(f"{quantity(answer.gone, 'response')} are kept no more.")
    return said
