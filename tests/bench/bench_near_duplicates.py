"""How well the distance of two hashes tells near duplicates: `python -m tests.bench.bench_near_duplicates [folder …]`.

Not a test. Reads the HTML below the folders (documentation, say), makes pairs that should be found (dates and footers
changed, a share of the words changed, a notice put in), and takes the pages against one another for pairs that should
not. Truth is the share of distinct word pairs that two texts have in common (Jaccard). Two folders with the same files
(two versions of one documentation) give true pairs of a natural kind. Also: what one hash costs.
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict
from itertools import combinations, islice, pairwise
from pathlib import Path

from xxhash import xxh3_64_intdigest

from core.identity import hamming, simhash
from core.parse.html import parse
from core.parse.visible import main_text, visible_text

DEFAULT = ("/usr/share/doc/python3.11/html",)
MOST = 800
LEAST = 50  # words: less is no page
NEAR = 0.8  # of the word pairs in common: the same page to a reader
DISTANCES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12)


def pages_of(folder: Path) -> dict[str, tuple[str, str]]:
    """By their path: the whole visible text, and that without what stands on every page."""
    files = sorted(folder.rglob("*.html"), key=lambda file: xxh3_64_intdigest(str(file.relative_to(folder)).encode()))
    found = {}
    for file in files[:MOST]:
        document = parse(file.read_text("utf-8", "replace"))
        texts = visible_text(document), main_text(document)
        if len(texts[1].split()) >= LEAST:
            found[str(file.relative_to(folder))] = texts
    return found


def pairs(text: str) -> frozenset[tuple[str, str]]:
    words = text.lower().split()
    return frozenset(pairwise(words))


def common(left: frozenset[tuple[str, str]], right: frozenset[tuple[str, str]]) -> float:
    return len(left & right) / (len(left | right) or 1)


def with_other_dates(text: str, chance: random.Random) -> str:
    day, hour = chance.randrange(1, 29), chance.randrange(10, 24)
    return f"Printed on {day} May 2026 at {hour}:15. {text} Last updated on Nov {day}, 2026."


def with_a_notice(text: str, chance: random.Random) -> str:
    number = chance.randrange(10**6)
    return (
        f"{text} This copy number {number} was made for a reader of the mirror. All rights are theirs. Report a fault."
    )


def with_words_changed(share: float):  # type: ignore[no-untyped-def] # a bench's own maker of changes
    def changed(text: str, chance: random.Random) -> str:
        words = text.split()
        for _ in range(max(1, int(len(words) * share))):
            words[chance.randrange(len(words))] = f"w{chance.randrange(10**6)}"
        return " ".join(words)

    return changed


CHANGES = {
    "dates put in": with_other_dates,
    "a notice": with_a_notice,
    "1 % of words": with_words_changed(0.01),
    "2 % of words": with_words_changed(0.02),
    "5 % of words": with_words_changed(0.05),
    "10 % of words": with_words_changed(0.1),
}


def print_found(title: str, distances: list[int]) -> None:
    shares = (sum(distance <= most for distance in distances) / (len(distances) or 1) for most in DISTANCES)
    print(f"  {title:28}{len(distances):>8}", "".join(f"{share:7.1%}" for share in shares))


def measure_made(pages: list[str], chance: random.Random) -> None:
    for title, change in CHANGES.items():
        print_found(title, [hamming(simhash(text), simhash(change(text, chance))) for text in pages])


def measure_against_one_another(full: list[str], hashed: list[str]) -> None:
    """Every page with every other, by what they really have in common."""
    hashes = [simhash(text) for text in hashed]
    features = [pairs(text) for text in full]
    by_truth: defaultdict[str, list[int]] = defaultdict(list)
    right: defaultdict[int, list[bool]] = defaultdict(list)
    for left, other in combinations(range(len(full)), 2):
        distance = hamming(hashes[left], hashes[other])
        if distance > 16 and (left + other) % 50:
            continue  # far pairs are many, and all alike
        share = common(features[left], features[other])
        for most in DISTANCES:
            if distance <= most:
                right[most].append(share >= NEAR)
        if share >= NEAR:
            by_truth[f"truly near ({NEAR:.0%} common)"].append(distance)
    for title, distances in by_truth.items():
        print_found(title, distances)
    shares = (sum(right[most]) / (len(right[most]) or 1) for most in DISTANCES)
    counts = "".join(f"{len(right[most]):7}" for most in DISTANCES)
    print(f"  {'pairs within':36}", counts)
    print(f"  {'… of them truly near':36}", "".join(f"{share:7.1%}" for share in shares))


def main() -> None:
    folders = [Path(name) for name in sys.argv[1:] or DEFAULT]
    chance = random.Random(1)
    sites = [pages_of(folder) for folder in folders]
    print(f"  {'share found at a distance of':36}", "".join(f"{most:7}" for most in DISTANCES))
    for folder, site in zip(folders, sites, strict=True):
        for title, which in (("whole text", 0), ("without navigation", 1)):
            texts = [texts[which] for texts in site.values()]
            words = sorted(len(text.split()) for text in texts)
            print(f"{folder}, {title}: {len(texts)} pages, {words[len(words) // 2]} words in the middle")
            measure_made(texts[:400], chance)
            measure_against_one_another([texts[1] for texts in site.values()], texts)
    for number, site in islice(enumerate(sites), 1, None):
        shared = [path for path in site if path in sites[0] and site[path][1] != sites[0][path][1]]
        for title, which in (("versions, whole", 0), ("versions, no navigation", 1)):
            two = [(site[path], sites[0][path]) for path in shared]
            two = [pair for pair in two if common(pairs(pair[0][1]), pairs(pair[1][1])) >= NEAR]
            print_found(f"{title} {number}", [hamming(simhash(a[which]), simhash(b[which])) for a, b in two])
    text = " ".join(texts[0] for texts in sites[0].values())[:10_000]
    started = time.process_time()
    for _ in range(200):
        simhash(text)
    print(f"{(time.process_time() - started) * 5:.2f} ms a hash of 10,000 characters")


if __name__ == "__main__":
    main()
