"""What makes two things the same: ids, fingerprints and hashes that depend on content alone.

Pure. Nothing here comes from the time or order of collecting, nor from `hash()`; the values are part of the file
format, so a change to any of them needs a migration.
"""

from core.identity.canonical import JsonValue, canonical_json
from core.identity.content import content_hash
from core.identity.record import fingerprint, record_id
from core.identity.simhash import differing_share, hamming, simhash

__all__ = [
    "JsonValue",
    "canonical_json",
    "content_hash",
    "differing_share",
    "fingerprint",
    "hamming",
    "record_id",
    "simhash",
]
