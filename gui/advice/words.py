"""Advice on spellings in words: what a rule makes one page, and what speaks for it or against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.policy.advice import DROP, FEWEST_CONTENTS, FEWEST_PAIRS, SWITCHES
from core.store.words import quantity
from gui.figures import count
from gui.foreign_text import shown

if TYPE_CHECKING:
    from core.policy.advice import Advice
    from core.settings import Normalise

RULES = {
    "sort_parameters": "The order of parameters",
    "trailing_slash": "A slash at the end",
    "ignore_www": "www. in front",
    "index_pages": "Index pages and their folder",
    "lower_path": "Capital letters in the path",
    "ignore_scheme": "http and https",
}


def title_of(rule: str, parameter: str = "") -> str:
    """What the rule makes no difference of."""
    if rule == DROP:
        return say("The parameter “{0}”").format(shown(parameter, 60))
    return say(RULES[rule])


def proof_of(advice: Advice) -> str:
    """How many pairs were compared, how many were one page, and why it is proposed or not."""
    pairs = say("{0} compared, {1} with the same content.").format(
        quantity(advice.compared, "pair"), count(advice.same)
    )
    return f"{pairs} {_verdict(advice)}"


def effect_of(merged: int) -> str:
    """What accepting does to the URLs that are known."""
    known = say("No known URL becomes the same as another.")
    if merged:
        known = say("{0} would count as the same as another and not be fetched again.").format(quantity(merged, "URL"))
    return f"{known} {say('No request is made, and it can be taken back.')}"


def rules_in_force(normalise: Normalise) -> tuple[tuple[str, str], ...]:
    """What can be taken back: rule and parameter. The order of parameters is sorted unless somebody objects."""
    switches = tuple((name, "") for name in SWITCHES if name != "sort_parameters" and getattr(normalise, name))
    return switches + tuple((DROP, name) for name in normalise.drop_parameters)


def _verdict(advice: Advice) -> str:
    if advice.is_proposed:
        return say("It makes no difference.")
    if advice.same < advice.compared:
        return say("It makes a difference: without it pages would be lost.")
    if advice.compared < FEWEST_PAIRS:
        return say("That is too little to go by: {0} are needed.").format(FEWEST_PAIRS)
    return say("They show fewer than {0} different pages: that proves nothing.").format(FEWEST_CONTENTS)


def say(text: str) -> str:
    return QCoreApplication.translate("advice", text)
