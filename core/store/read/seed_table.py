"""The table of what each seed and each source brought.

Exact and cheap, out of stored rows. A source is credited with every URL that it was the first to name, the pages of an
archive or a feed together. A typed seed is credited with its own page and the pages that were first found on it: one
step, because the whole tree behind a seed would cost a walk through the crawl for each. Useful pages are those whose
latest answer is one (2xx of an accepted type, no copy, no soft block; a 304 confirms it); bytes are those of the
latest answers, on the wire.
"""

from __future__ import annotations

from core.store.read.columns import Column, TableSpec
from core.store.read.expressions import state_word
from core.store.seed_chains import MOVED

_USEFUL = "(p.useful OR (p.outcome = 'not_modified' AND p.duplicate_of IS NULL AND NOT p.soft_block))"
_MINE = "(u.id = y.url_id OR u.found_on = y.url_id)"
# The pages of an archive or feed are one source to a person, and so is what a source redirects to at another host; a
# sitemap of an index is a source of its own.
_FAMILY = f"""WITH RECURSIVE moved(id) AS MATERIALIZED (
    SELECT s.id FROM seed_source s JOIN seed_source p ON p.id = s.parent_id WHERE p.message LIKE '{MOVED}%'),
family(id, root, paged) AS (
    SELECT id, id, kind <> 'sitemap' FROM seed_source
    WHERE (kind = 'sitemap' OR parent_id IS NULL) AND id NOT IN moved
    UNION ALL SELECT s.id, f.root, f.paged FROM family f JOIN seed_source s ON s.parent_id = f.id
    WHERE f.paged OR s.id IN moved)"""
# A good line that was not let in, for a pattern say, however it is spelt.
_PROBLEM = """CASE WHEN seed.problem <> '' OR seed.url_id IS NOT NULL THEN seed.problem
    ELSE 'Refused' || coalesce(': ' || why.reason, '') || '.' END"""
# Of many pages: that of one that failed, else the first, and how many others say something.
_MESSAGES = """coalesce(max(iif(state = 'failed', message, NULL)), min(nullif(message, '')), '')
    || iif(count(DISTINCT nullif(message, '')) > 1, '; ' || (count(DISTINCT nullif(message, '')) - 1)
    || ' further pages say something else', '')"""
_SEEDS_AND_SOURCES = f"""(
SELECT 0 AS part, seed.id AS id, 'seed' AS kind, text AS seed, url_id, NULL AS source_id, {_PROBLEM} AS problem, at,
    NULL AS found, NULL AS new, NULL AS state
FROM seed LEFT JOIN (SELECT key_form(url) AS key, min(reason) AS reason FROM refused WHERE seed GROUP BY 1) why
ON why.key = CASE WHEN seed.url_id IS NULL AND seed.problem = '' THEN key_form(seed.text) END
UNION ALL
SELECT 1, r.id, r.kind, r.address, NULL, r.id, a.problem, a.read, a.found, a.new, a.state
FROM seed_source r JOIN ({_FAMILY}
    SELECT root, {_MESSAGES} AS problem, coalesce(max(fetched), 0) AS read,
        sum(found) AS found, sum(new) AS new,
        CASE WHEN max(state = 'pending') THEN 'pending' WHEN max(state = 'failed') THEN 'failed' ELSE 'done' END
        AS state
    FROM family JOIN seed_source USING (id) GROUP BY root) a ON a.root = r.id) y"""
_BY_SOURCE = f"""
LEFT JOIN ({_FAMILY} SELECT family.root AS source_id, sum({_USEFUL}) AS useful, sum(p.bytes) AS bytes
    FROM url u JOIN page p ON p.url_id = u.id JOIN family ON family.id = u.source_id GROUP BY family.root) g
ON g.source_id = y.source_id
LEFT JOIN ({_FAMILY} SELECT family.root AS source_id, count(*) AS records
    FROM record r JOIN url u ON u.id = r.url_id JOIN family ON family.id = u.source_id GROUP BY family.root) gr
ON gr.source_id = y.source_id"""


def _either(of_source: str, of_seed: str) -> str:
    return f"CASE WHEN y.part THEN {of_source} WHEN y.url_id IS NULL THEN 0 ELSE {of_seed} END"


def _of_pages(what: str) -> str:
    return f"(SELECT coalesce({what}, 0) FROM url u JOIN page p ON p.url_id = u.id WHERE {_MINE})"


_NEW = "(SELECT count(*) FROM url u WHERE u.found_on = y.url_id AND u.id <> y.url_id) + 1"
_LINKS = "(SELECT count(*) FROM link WHERE source = y.url_id AND target <> y.url_id) + 1"
_RECORDS = f"(SELECT count(*) FROM url u JOIN record r ON r.url_id = u.id WHERE {_MINE})"
_STATE = f"CASE WHEN y.part THEN y.state ELSE (SELECT {state_word('state')} FROM url WHERE id = y.url_id) END"

SEEDS = TableSpec(
    "seeds",
    "Seeds",
    base=_SEEDS_AND_SOURCES,
    joins=_BY_SOURCE,
    keys=("y.part", "y.id"),
    searched=("seed", "problem"),
    latest="SELECT max(coalesce((SELECT max(at) FROM seed), 0), coalesce((SELECT max(fetched) FROM seed_source), 0))",
    arrival="y.at",
    columns=(
        Column("seed", "Seed", "url", "y.seed", width=420),
        Column("kind", "Kind", "text", "y.kind", width=80),
        Column("found", "URLs", "number", _either("y.found", f"max({_LINKS}, {_NEW})"), width=80),
        Column("new", "New", "number", _either("y.new", _NEW), width=80),
        Column("useful", "Useful pages", "number", _either("coalesce(g.useful, 0)", _of_pages(f"sum({_USEFUL})"))),
        Column("bytes", "Bytes", "bytes", _either("coalesce(g.bytes, 0)", _of_pages("sum(p.bytes)")), width=80),
        Column("records", "Records", "number", _either("coalesce(gr.records, 0)", _RECORDS), width=80),
        Column("problem", "Problem", "text", "y.problem", width=320),
        Column("state", "State", "state", _STATE, visible=False, width=80),
        Column("read", "Read", "time", "CASE WHEN y.part THEN nullif(y.at, 0) END", visible=False, width=150),
    ),
)
