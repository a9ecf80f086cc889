"""A record type's natural key tried on the kept pages of a crawl, a few of them or all; for a thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.preview.key_tally import KeyReport, KeyTally
from core.preview.page_source import kept_source
from core.preview.questions import PageKeys, ReadKeys
from core.preview.rule_process import OutOfTime, RuleProcess
from core.store.read.kept_pages import KeptPages
from gui.records.kept import MOST_LOOKED_AT, Wanted, matching

if TYPE_CHECKING:
    from core.settings import RecordType
    from core.store.read.kept_pages import KeptPage
    from core.urls import Url
    from gui.cancellable import Cancelled, Tell

SAMPLE = 60  # pages
EVERY = 2**62
PAGES_A_TELL = 20


@dataclass(frozen=True, slots=True)
class KeyQuestion:
    """A record type and how many of its pages are tried at most."""

    wanted: Wanted
    kind: RecordType
    most: int

    @property
    def is_whole(self) -> bool:
        return self.most == EVERY


@dataclass(frozen=True, slots=True)
class KeyProgress:
    """So far, of `total` pages."""

    report: KeyReport
    total: int


@dataclass(frozen=True, slots=True)
class KeyAnswer:
    """The report; `gone` counts the responses that are kept no more, `whole` says that no page was left out."""

    question: KeyQuestion
    report: KeyReport
    gone: int = 0
    whole: bool = False


def question_of(wanted: Wanted, kind: RecordType, *, whole: bool = False) -> KeyQuestion:
    """Of a sample, or of every kept page."""
    return KeyQuestion(wanted, kind, EVERY if whole else SAMPLE)


def check_key(question: KeyQuestion, cancelled: Cancelled, tell: Tell) -> KeyAnswer:
    """Try the key page by page. Raises the FileErrors and BadPattern. A page that takes too long counts as unread."""
    process = RuleProcess()
    kept = KeptPages(question.wanted.path)
    try:
        return _checked(question, kept, process, cancelled, tell)
    finally:
        kept.close()
        process.close()


def _checked(
    question: KeyQuestion, kept: KeptPages, process: RuleProcess, cancelled: Cancelled, tell: Tell
) -> KeyAnswer:
    tally, gone, tried = KeyTally(), 0, 0
    most = EVERY if question.is_whole else MOST_LOOKED_AT
    total = _matching_total(kept, question, cancelled) if question.is_whole else 0
    for url, page in matching(kept, question.wanted, most):
        if cancelled() or tried == question.most:
            break
        keys = _keys(question.kind, kept, page, process)
        tried += 1
        if keys is None:
            gone += 1
            continue
        before = () if question.kind.rows else kept.record_keys(page.id, question.kind.name)
        tally.add(page.url, _source(question.kind, url), keys, before)
        if tried % PAGES_A_TELL == 0:
            tell(KeyProgress(tally.report(), total))
    whole = tried < question.most and (question.is_whole or kept.total() <= most) and not cancelled()
    return KeyAnswer(question, tally.report(), gone, whole)


def _matching_total(kept: KeptPages, question: KeyQuestion, cancelled: Cancelled) -> int:
    """How many pages there are to try: a first, quick look over their addresses."""
    total = 0
    for _ in matching(kept, question.wanted, EVERY):
        total += 1
        if cancelled():
            break
    return total


def _keys(kind: RecordType, kept: KeptPages, page: KeptPage, process: RuleProcess) -> PageKeys | None:
    """None where the response is kept no more."""
    response = kept.response(page)
    source = kept_source(page.url, response.head, response.body) if response is not None else None
    if source is None:
        return None
    try:
        found: PageKeys = process.ask(ReadKeys(source, kind))
    except OutOfTime:
        return PageKeys(read=False)
    return found


def _source(kind: RecordType, url: Url) -> str:
    return kind.source or url.host


def is_checkable(kind: RecordType) -> bool:
    """Whether there is a key, of fields that exist: the page's own address needs no check."""
    return bool(kind.key_fields) and all(name in kind.fields for name in kind.key_fields)
