"""How long one page takes: `python tests/bench/bench_parse.py`. Not run by pytest.

Targets: 0.1 ms for 2 KB and 1 ms for 59 KB of ordinary HTML (decoding, tree, head, links, visible text), and about a
second for ten megabytes of anything.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.identity import simhash
from core.parse import ParsedPage, ParseOptions, parse_page
from core.parse.guard import MAX_TAGS

OPTIONS = ParseOptions(forms=True, resources=True)
TEN_MEGABYTES = 10_000_000
BOMBS = {
    "nested div": b"<div>",
    "misnested formatting": b"<b><p>",
    "formatting in dd": b"<dd><b>",
    "cells": b"<td>x",
    "tables": b"<table>x",
    "anchors": b"<a href=x>y</a>",
    "half a million anchors": b"<a href=/an/address>y</a>",
    "half a million cells": b"<table><td>a text of a cell",
    "open tags": b"<",
    "references": b"&amp;",
    "templates": b"<template><a href=x>y</a>      ",
    "forms": b"<form><input name=a value=b></form>",
    "scripts": b"<script>a</script>    ",
    "noscript in noscript": b"<noscript><p>a</p>     ",
    "comments": b"<!--",
    "latin": "é".encode("latin-1"),
    "base": b"<base href=x>        ",
    "meta": b"<meta name=robots content=a,b>  ",
}


def sample(size: int) -> bytes:
    head = b"<!doctype html><html lang=en><head><title>A shop</title><link rel=canonical href=/x></head><body>"
    row = (
        b'<li class="row"><a class="l" href="/product/%d?q=%d">Product number %d</a> <span>$ 19.90</span><p>%s</p></li>'
    )
    words = b"A description of the product with some thirty words in it. " * 4
    rows = b"".join(row % (number, number, number, words) for number in range(size // 350))
    return (head + rows)[:size]


def bomb(piece: bytes) -> bytes:
    """As many pieces as the guard lets through, filled up with text."""
    most = MAX_TAGS // max(piece.count(b"<"), 1)
    return (piece * min(most, TEN_MEGABYTES // len(piece))).ljust(TEN_MEGABYTES, b" ")[:TEN_MEGABYTES]


def milliseconds(body: bytes, charset: str | None, repeats: int) -> tuple[float, ParsedPage]:
    best = 1e9
    for _ in range(repeats):
        start = time.perf_counter()
        page = parse_page(body, "text/html", charset, OPTIONS)
        best = min(best, time.perf_counter() - start)
    return best * 1000, page


def main() -> None:
    for size in (2_000, 59_000):
        taken, page = milliseconds(sample(size), "utf-8", 200)
        print(f"{size:>9,} bytes, {len(page.links):>3} links: {taken:8.3f} ms")
    start = time.perf_counter()
    simhash(page.text)
    print(f"SimHash of {len(page.text):,} characters: {(time.perf_counter() - start) * 1000:.3f} ms")
    for name, piece in BOMBS.items():
        taken, page = milliseconds(bomb(piece), None, 1)
        print(f"{name:>25}: {taken:8.1f} ms  {page.error or 'ok':>5}  {len(page.links):,} links {page.detail}")


if __name__ == "__main__":
    main()
