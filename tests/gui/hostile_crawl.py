"""A crawl file in which every text a site can choose is rich text, with a picture of one colour that nothing else has.

If the window ever took such a text for mark-up, that colour would stand on the screen, or the format of a widget
would say so.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtGui import QColor, QImage

from core.settings import (
    Archive,
    Authorisation,
    Budgets,
    CrawlSettings,
    Feed,
    Fetch,
    FieldRule,
    Header,
    Normalise,
    PatternBudget,
    Politeness,
    RecordType,
    RobotsOverride,
    Scope,
    Seeds,
)
from core.store.names import UrlState
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

BRIGHT = QColor(255, 0, 254)


def picture(folder: Path) -> tuple[Path, str]:
    """A picture of the colour: a file, and the same as a data: URI."""
    image = QImage(24, 24, QImage.Format.Format_RGB32)
    image.fill(BRIGHT)
    path = folder / "bright.png"
    assert image.save(str(path))
    small = folder / "small.png"
    assert image.copy(0, 0, 1, 1).save(str(small))
    return path, "data:image/png;base64," + base64.b64encode(small.read_bytes()).decode()


def rich_texts(folder: Path) -> tuple[str, ...]:
    """Rich text in several spellings; each begins so that Qt takes it for mark-up where it guesses."""
    path, uri = picture(folder)
    colour = BRIGHT.name()
    return (
        f"<img src='{path}' width=40 height=20><b>bold</b>",
        f"<img src='{uri}' width=40 height=20>",
        f"<font color='{colour}' size=7>██████</font>&lt;b&gt;",
        f"<table bgcolor='{colour}'><tr><td>██████<a href='file:///etc/passwd'>x</a></td></tr></table>",
    )


def hostile_settings(text: str, day: date) -> CrawlSettings:
    """Settings as another's file may hold them."""
    return CrawlSettings(
        name=text,
        seeds=Seeds(
            urls=("http://shop.test/", text),
            sitemaps=("auto", text),
            feeds=(Feed(url=text, format="json", path=text, column=text),),
            archives=(Archive(endpoint=text, form="internet-archive", query=text),),
        ),
        scope=Scope(
            hosts=(text,),
            include=(f"re:[{text}",),
            exclude=(text, f"re:({text}"),
            block_hosts=(text,),
            authorised=(Authorisation(host=text, by=text, until=day),),
        ),
        normalise=Normalise(drop_parameters=(text,), trailing_slash=True),
        budgets=Budgets(max_pages=100, patterns=(PatternBudget(pattern=text, max_pages=5),)),
        politeness=Politeness(robots_override=(RobotsOverride(host=text, reason=text),)),
        fetch=Fetch(
            user_agent=text,
            proxy=text,
            untrusted_tls=(text, "shop.test"),
            headers=(Header(origin=text, name="Authorization", value=text),),
        ),
        records=(
            RecordType(name="product", match=text, key=text[:60], rows=text, fields={text[:90]: FieldRule(css=text)}),
        ),
    )


def hostile_crawl(path: Path, text: str, day: date) -> None:
    """Fill a file: a page, its links, a refusal, records, conflicts, hosts, robots.txt, log and alarms."""
    crawl = HandMadeCrawl(path, hostile_settings(text, day))
    crawl.run(state="stopped", reason=f"error: {text}")
    crawl.session(ended=NOON + 60, outcome="stopped", reason=f"error: {text}", seconds=60.0)
    crawl.connection.execute(
        "UPDATE host SET name = ?, state = 'held', last_error = ?, requests = 3, done = 2, errors = 1", (text, text)
    )
    crawl.connection.execute("UPDATE origin SET base = ?, robots_error = ?", (f"http://shop.test/{text}", text))
    pages(crawl, text)
    records(crawl, text)
    body = f"User-agent: *\nDisallow: /{text}\nSitemap: http://shop.test/{text}\n"
    times = {"first_seen": NOON, "last_seen": NOON}
    crawl.add("robots_version", origin_id=1, status=200, hash=b"h", body=body.encode(), **times)
    for kind in ("start", "stop", "kill", "page", text):
        crawl.add("log", at=NOON, elapsed=5.0, level="warning", kind=kind, host=text, url=text, message=text)
    for kind in ("canonical", text):
        crawl.add("alarm", kind=kind, pattern=text, host=text, message=text, raised=NOON)
    crawl.counters(pages=2, requests=3, links=2, **{f"refused__{word}": 1 for word in ("scope", text.replace(".", ""))})
    for second in range(4):
        crawl.add("sample", **sample(second))
    crawl.connection.close()


def pages(crawl: HandMadeCrawl, text: str) -> None:
    texts: dict[str, Any] = dict.fromkeys(("title", "content_type", "etag", "canonical", "error", "encoding"), text)
    first = crawl.page(f"/{text}", **texts, response=bytes(16), content_hash=bytes(16))
    crawl.page("/copy", title=text, content_hash=bytes(16), duplicate_of=first)
    other = crawl.page("/b", UrlState.FAILED, title=text, outcome="error:tls", error=f"certificate of {text}")
    crawl.connection.execute("UPDATE url SET reason = ?, found_on = ? WHERE id = ?", (text, first, other))
    refused = crawl.add("refused", key=7, url=text, reason=text, word="scope", depth=1, found_on=first, at=NOON)
    for source, target in ((first, other), (other, first), (first, -refused)):
        crawl.add("link", source=source, target=target, text=text, rel=text, kind="a")
    crawl.add("page_version", url_id=first, version=1, title=text, valid_from=NOON, valid_to=NOON + 60)
    crawl.add("seed", text=text, problem=text, at=NOON)


def records(crawl: HandMadeCrawl, text: str) -> None:
    data = msgspec.json.encode({text[:90]: text}).decode()
    identity = f"id-{text}"
    named = {"id": identity, "tenant": "default", "source": text, "type": "product", "natural_key": text, "url_id": 1}
    seen = {"first_seen": NOON, "last_seen": NOON, "last_changed": NOON, "run": 1}
    crawl.add("record", **named, data=data, fingerprint="f", action="updated", version=2, before="e", **seen)
    for version in (1, 2):
        changed = msgspec.json.encode({text[:90]: f"{text}{version}"}).decode()
        told = {"fingerprint": str(version), "data": changed, "run": 1}
        times = {"valid_from": NOON + version, "valid_to": NOON + 2 if version == 1 else None}
        crawl.add("record_version", record_id=identity, version=version, **told, **times)
    crawl.add("conflict", run=1, url_id=1, type="product", natural_key=text, reason=text, data=data, at=NOON)


def sample(second: int) -> dict[str, float]:
    counts = ("frontier", "known", "pages", "requests", "bytes", "errors", "records", "useful")
    return {"at": NOON + second, "elapsed": float(second), "run": 1, **dict.fromkeys(counts, 1)}
