"""The tables of what was found on the web: URLs, the links between them, what was refused at the door."""

from __future__ import annotations

from core.store.read.columns import Column, TableSpec
from core.store.read.expressions import ORIGIN, URL, address, hex_text, in_links, state_word

REASON = f"CASE WHEN u.state_apart IS NULL THEN u.reason ELSE 'scope: same as ' || {address('u.same_as')} END"
GONE = "(SELECT max(a.at) FROM absence a WHERE a.url_id = u.id AND a.back IS NULL)"
DOUBT = f"nullif(canonical_doubt({URL}, p.canonical, p.alias_of), '')"

URLS = TableSpec(
    "urls",
    "URLs",
    base="url u",
    joins=f"{ORIGIN} LEFT JOIN host h ON h.id = u.host_id LEFT JOIN page p ON p.url_id = u.id",
    keys=("u.id",),
    searched=("url", "title"),
    latest="SELECT max(id) FROM url",
    arrival="u.id",
    columns=(
        Column("url", "URL", "url", URL, width=420),
        Column("key", "Key", "url", f"key_form({URL})", visible=False, width=420),
        Column("state", "State", "state", state_word("u.state"), width=80),
        Column("reason", "Reason", "text", REASON, width=140),
        Column("status", "Status", "number", "p.status", width=60),
        Column("outcome", "Outcome", "text", "coalesce(p.outcome, '')", visible=False),
        Column("depth", "Depth", "number", "u.depth", width=60),
        Column("priority", "Priority", "number", "u.priority", visible=False, width=70),
        Column("host", "Host", "text", "h.name", visible=False, width=160),
        Column("content_type", "Type", "text", "p.content_type", width=110),
        Column("bytes", "Bytes", "bytes", "p.bytes", width=80),
        Column("seconds", "Time", "seconds", "p.seconds", width=70),
        Column("title", "Title", "text", "p.title", width=240),
        Column("canonical", "Canonical", "url", "p.canonical", visible=False, width=240),
        Column("alias_of", "Alias of", "url", address("p.alias_of"), visible=False, width=240),
        Column("canonical_doubt", "No alias because", "text", DOUBT, visible=False, width=160),
        Column("same_as", "Same as", "url", address("u.same_as"), visible=False, width=240),
        Column("redirect_to", "Redirects to", "url", "p.redirect_to", visible=False, width=240),
        Column("content_hash", "Content hash", "hash", hex_text("p.content_hash"), visible=False, width=140),
        Column("duplicate_of", "Copy of", "url", address("p.duplicate_of"), visible=False, width=240),
        Column("soft_block", "Soft block", "flag", "p.soft_block", visible=False, width=70),
        Column("needs_javascript", "Needs JavaScript", "flag", "p.needs_javascript", visible=False, width=70),
        Column("found_on", "Found on", "url", address("u.found_on"), visible=False, width=240),
        Column("inlinks", "In-links", "number", in_links("u.id"), width=70),
        Column("first_seen", "First seen", "time", "u.first_seen", visible=False, width=150),
        Column("last_fetched", "Last fetched", "time", "p.last_fetched", width=150),
        Column("last_changed", "Last changed", "time", "p.last_changed", visible=False, width=150),
        Column("next_due", "Next due", "time", "u.due", visible=False, width=150),
        Column("gone", "Gone", "time", GONE, visible=False, width=150),
        Column(
            "attempts",
            "Attempts",
            "number",
            "u.tries + (p.url_id IS NOT NULL)",
            visible=False,
            width=70,
        ),
        Column("error", "Error", "text", "p.error", visible=False, width=200),
    ),
)

LINKS = TableSpec(
    "links",
    "Links",
    base="link l",
    joins=f"LEFT JOIN url u ON u.id = l.source {ORIGIN}",
    keys=("l.source", "l.target"),
    searched=("source", "target", "text"),
    latest="SELECT max(id) FROM capture",
    arrival="(SELECT max(c.id) FROM capture c WHERE c.url_id = l.source)",
    columns=(
        Column("source", "From", "url", URL, width=320),
        Column(
            "target",
            "To",
            "url",
            "CASE WHEN l.target < 0 THEN (SELECT url FROM refused WHERE id = -l.target) "
            f"ELSE {address('l.target')} END",
            width=320,
        ),
        Column("text", "Text", "text", "l.text", width=200),
        Column("rel", "Rel", "text", "l.rel", width=80),
        Column("kind", "Kind", "text", "l.kind", visible=False, width=70),
        Column(
            "target_state",
            "Target state",
            "state",
            "CASE WHEN l.target < 0 THEN 'refused' "
            f"ELSE (SELECT {state_word('state')} FROM url WHERE id = l.target) END",
            width=80,
        ),
        Column(
            "target_status", "Target status", "number", "(SELECT status FROM page WHERE url_id = l.target)", width=80
        ),
    ),
)

REFUSED = TableSpec(
    "refused",
    "Refused",
    base="refused r",
    joins="",
    keys=("r.id",),
    searched=("url", "reason"),
    latest="SELECT max(id) FROM refused",
    arrival="r.id",
    columns=(
        Column("url", "URL", "url", "r.url", width=420),
        Column("reason", "Reason", "text", "r.reason", width=200),
        Column("found_on", "Found on", "url", address("r.found_on"), width=320),
        Column("depth", "Depth", "number", "r.depth", width=60),
        Column("seed", "Seed", "flag", "r.seed", visible=False, width=60),
        Column("at", "Time", "time", "r.at", width=150),
    ),
)
