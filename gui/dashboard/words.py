"""What the dashboard says: key figures, the state in words, what was left out and why. Pure functions of a Status."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.names import CrawlState
from core.store.words import quantity
from gui.crawl_words import offline_words, reason_words, start_word
from gui.figures import NOTHING, count, percent, since, size, span

if TYPE_CHECKING:
    from core.settings import Budgets
    from core.store.rows import Status

REASONS = {
    "scope": "Outside the scope",
    "pattern": "Excluded by a pattern",
    "robots": "Marked nofollow",
    "depth": "Deeper than allowed",
    "length": "URL too long",
    "host-limit": "Limit of its host",
    "total-limit": "Limit of all pages",
    "pattern-limit": "Limit of its pattern",
    "bytes": "Limit of bytes",
    "seconds": "Limit of time",
    "trap": "Looks like a trap",
    "private": "Private address",
    "authorisation": "Authorisation expired",
    "extension": "File extension",
    "block-host": "Blocked host",
    "content-type": "Content type",
    "hold": "On hold",
    "blocked": "Blocked: robots.txt, authorisation, host unreachable",
    "excluded": "Known, then excluded by a pattern",
    "unreachable": "Host unreachable",
}

ACTION_WORDS = {"created": "new"}
STEADY = 0.05  # URLs a second: less is shown as no movement


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the strip: `note` stands under it in `tone`, `hint` is its tooltip."""

    key: str
    title: str
    value: str
    note: str
    tone: str = "muted"
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """One limit and how far it is used up, from 0 to 1."""

    title: str
    words: str
    share: float


def key_figures(status: Status, budgets: Budgets, frontier_trend: float | None) -> tuple[Figure, ...]:
    """The strip, from left to right."""
    return (
        Figure("pages", "Pages fetched", count(status.pages), _pages_note(status, budgets)),
        Figure("frontier", "Frontier", count(status.frontier), _trend(frontier_trend)),
        Figure("speed", "Speed", _speed(status), _in_flight(status)),
        Figure("duplicates", "Duplicates", percent(status.duplicate_rate), _copies(status)),
        _errors(status),
        Figure("downloaded", "Downloaded", size(status.bytes), _per_page(status)),
        _records(status),
    )


def budgets_in_force(status: Status, budgets: Budgets) -> tuple[Budget, ...]:
    """The limits that end a crawl, of those that are set."""
    found = []
    if budgets.max_pages:
        words = f"{count(status.pages)} of {count(budgets.max_pages)} pages"
        found.append(_budget("Pages", words, status.pages / budgets.max_pages))
    if budgets.max_bytes:
        words = f"{size(status.bytes)} of {size(budgets.max_bytes)}"
        found.append(_budget("Download", words, status.bytes / budgets.max_bytes))
    if budgets.max_seconds:
        words = f"{span(status.elapsed)} of {span(budgets.max_seconds)}"
        found.append(_budget("Time", words, status.elapsed / budgets.max_seconds))
    return tuple(found)


def left_out(status: Status) -> tuple[tuple[str, str, int], ...]:
    """Reason word, its meaning and how many URLs, the largest first."""
    kept = {word: status.urls.get(word, 0) for word in ("blocked", "excluded")}
    kept["hold"] = status.refusals.get("hold", 0) + status.urls.get("held", 0)
    known = sorted((status.refusals | kept).items(), key=lambda item: (-item[1], item[0]))
    return tuple((word, REASONS.get(word, word), number) for word, number in known if number)


def state_sentence(status: Status, now: float) -> str:
    """The state and its reason as one sentence. `now` is seconds since the epoch."""
    why = reason_words(status.reason).rstrip(".")
    reason = f": {why}" if why else ""
    how = f" {why}" if status.reason.partition(":")[0] == "stop" else reason  # stopped on request, by Ctrl-C
    start = start_word(status.state, status.run)
    stopped = "Killed" if status.reason.startswith("killed") else "Stopped"
    words = {
        CrawlState.IDLE: "Not started yet.",
        CrawlState.RUNNING: f"Fetching from {_hosts(status)}.",
        CrawlState.OFFLINE: _offline(status.reason),
        CrawlState.STOPPING: f"Finishing {quantity(_leased(status), 'request')} in flight; the rest is kept.",
        CrawlState.STOPPED: f"{stopped}{how}. {start} goes on where it was.{_next_run(status, now)}",
        CrawlState.FINISHED: f"Finished{reason}. {_frontier_left(status)}{_next_run(status, now)}",
        CrawlState.CRASHED: f"The engine ended unexpectedly{reason}. Nothing is lost: {start} goes on where it was.",
    }
    return words[CrawlState(status.state)]


def _next_run(status: Status, now: float) -> str:
    """What the schedule says."""
    if status.next_run is None:
        return ""
    overdue = status.overdue(now)
    return (
        f" A run is overdue since {since(status.next_run, now)}."
        if overdue
        else (f" The next run begins at {since(status.next_run, now)}.")
    )


def _offline(reason: str) -> str:
    cause = offline_words(reason).rstrip(".")
    why = f" ({cause})" if cause else ""
    return f"No network{why}. It asks every ten seconds and goes on by itself; nothing counts against a page or host."


def has_begun(status: Status) -> bool:
    """Whether there is anything to show yet."""
    return bool(status.requests or status.pages or status.run)


def _leased(status: Status) -> int:
    return status.urls.get("leased", 0)


def _is_active(status: Status) -> bool:
    return status.state in (CrawlState.RUNNING, CrawlState.STOPPING, CrawlState.OFFLINE)


def _in_flight(status: Status) -> str:
    """Leases outlive a killed engine: nothing is in flight any more, and it will be asked for again."""
    if _is_active(status):
        return f"{count(_leased(status))} in flight"
    return f"{count(_leased(status))} to be asked again" if _leased(status) else "nothing in flight"


def _hosts(status: Status) -> str:
    return quantity(status.hosts, "host")


def _frontier_left(status: Status) -> str:
    if not status.frontier:
        return "Every URL in scope has its answer."
    return f"{quantity(status.frontier, 'URL')} {'is' if status.frontier == 1 else 'are'} left."


def _pages_note(status: Status, budgets: Budgets) -> str:
    if budgets.max_pages:
        return f"{status.pages / budgets.max_pages:.0%} of budget"
    return f"{count(status.useful_pages)} useful"


def _speed(status: Status) -> str:
    active = status.state in (CrawlState.RUNNING, CrawlState.STOPPING)
    if status.pages_per_second is None or not active:
        return NOTHING
    return (
        f"{status.pages_per_second:.1f} / s" if status.pages_per_second < 100 else f"{status.pages_per_second:,.0f} / s"
    )


def _trend(change: float | None) -> str:
    if change is None:
        return "URLs waiting"
    if abs(change) < STEADY:
        return "steady"
    return f"{'+' if change > 0 else '−'}{abs(change):,.1f} / s"


def _copies(status: Status) -> str:
    return f"{percent(status.content_duplicate_rate)} copies"


def _errors(status: Status) -> Figure:
    client, server = status.statuses.get("4xx", 0), status.statuses.get("5xx", 0)
    wrong = client + server + status.errors
    ratio = wrong / status.requests if status.requests else None
    whole = max(1, status.requests)
    note = f"4xx {100 * client / whole:.1f} · 5xx {100 * server / whole:.1f}"
    hint = f"4xx: {count(client)}, 5xx: {count(server)}, no answer: {count(status.errors)}"
    return Figure("errors", "Errors", percent(ratio), note, "bad" if ratio and ratio > 0.1 else "muted", hint)


def _per_page(status: Status) -> str:
    return f"{size(status.bytes_per_useful_page)} / page"


def _records(status: Status) -> Figure:
    made, changed = (status.record_actions.get(action, 0) for action in ("created", "updated"))
    hint = "Of this run: " + ", ".join(
        f"{count(number)} {ACTION_WORDS.get(action, action)}" for action, number in status.record_actions.items()
    )
    return Figure(
        "records", "Records", count(status.records), f"{count(made)} new, {count(changed)} updated", hint=hint
    )


def _budget(title: str, words: str, share: float) -> Budget:
    return Budget(title, words, min(1.0, share))
