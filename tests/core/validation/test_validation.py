"""Settings as a whole: each error and each warning, by its key."""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec
import pytest

from core.settings import CrawlSettings
from core.validation import NOT_YET, check


def crawl(text: str) -> CrawlSettings:
    content: dict[str, Any] = tomllib.loads(text)
    content.setdefault("seeds", {"urls": ["http://shop.test/"]})
    return msgspec.convert(content, CrawlSettings)


def errors(text: str) -> list[str]:
    return [problem.key for problem in check(crawl(text))[0]]


def warnings(text: str) -> list[str]:
    return [problem.key for problem in check(crawl(text))[1]]


RECORD = '[[records]]\nname = "p"\nmatch = "/"\nkey = "a"\n[records.fields]\na = {css = ".a"}\n'


def test_good_settings_have_no_problem() -> None:
    text = """
        [scope]
        hosts = ["shop.test", "*.shop.test", "127.0.0.1:8700", "[::1]"]
        exclude = ["/calendar/", "/?filter=", "re:\\\\d{9}"]
        [fetch]
        headers = [{origin = "https://shop.test", name = "X-Api-Key", value = "env:KEY"},
                   {origin = "https://shop.test:8443", name = "Accept-Language", value = "de"}]
        auth = [{origin = "http://shop.test", user = "u", password = "keyring:staging"}]
        cookies = [{origin = "http://shop.test", name = "c", value = "env:COOKIE"}]
        resolve = {"shop.test" = "203.0.113.7", "b.test" = "2001:db8::1"}
        proxy = "http://proxy.test:3128"
    """
    assert check(crawl(text + RECORD)) == ([], [])
    assert check(crawl("")) == ([], [])


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[seeds]", "seeds"),
        ('[seeds]\nurls = ["http://a.test/", "a.test"]', "seeds.urls[1]"),
        ('[seeds]\nurls = ["ftp://a.test/"]', "seeds.urls[0]"),
        ('[seeds]\nsitemaps = ["auto"]', "seeds.sitemaps[0]"),
        ('[seeds]\nurls = ["http://a.test/"]\nsitemaps = ["auto", "x"]', "seeds.sitemaps[1]"),
        ('[seeds]\nfiles = [" "]', "seeds.files[0]"),
        ('[seeds]\nfeeds = [{url = "x", format = "csv"}]', "seeds.feeds[0].url"),
        ('[seeds]\nfeeds = [{url = "http://a.test/", format = "json"}]', "seeds.feeds[0].path"),
        ('[seeds]\nfeeds = [{url = "http://a.test/", format = "json", path = "$..url"}]', "seeds.feeds[0].path"),
        (
            '[seeds]\narchives = [{endpoint = "http://a.test/cdx", form = "common-crawl", query = "*"}]',
            "seeds.archives[0].query",
        ),
        ('[scope]\nhosts = ["a.test", "http://b.test/"]', "scope.hosts[1]"),
        ('[scope]\nblock_hosts = ["a b"]', "scope.block_hosts[0]"),
        ('[scope]\nexclude = ["/a", "re:("]', "scope.exclude[1]"),
        ('[scope]\ninclude = [""]', "scope.include[0]"),
        ('[scope]\nskip_extensions = ["a/b"]', "scope.skip_extensions[0]"),
        ('[budgets]\npatterns = [{pattern = "*.pdf$", max_pages = 1}]', "budgets.patterns[0].pattern"),
        ('[priority]\npatterns = [{pattern = "re:[", bonus = 1}]', "priority.patterns[0].pattern"),
        ('[pages]\nchecks = [{pattern = "/"}]', "pages.checks[0]"),
        ('[politeness]\nrobots_override = [{host = "/", reason = "x"}]', "politeness.robots_override[0].host"),
        ('[fetch]\nuser_agent = "Bot\\nX: http://a.test"', "fetch.user_agent"),
        ('[fetch]\ncontent_types = ["html"]', "fetch.content_types[0]"),
        ('[fetch]\nresolve = {"a.test" = "b.test"}', "fetch.resolve.a.test"),
        ('[fetch]\nproxy = "socks5://x"', "fetch.proxy"),
        ('[fetch]\nproxy = "http://u:p@x.test"', "fetch.proxy"),
        ('[notify]\nwebhook = "x"', "notify.webhook"),
        ('[fetch]\nheaders = [{origin = "a.test", name = "X", value = "y"}]', "fetch.headers[0].origin"),
        ('[fetch]\nheaders = [{origin = "http://a.test/x", name = "X", value = "y"}]', "fetch.headers[0].origin"),
        (
            '[fetch]\nheaders = [{origin = "http://a.test", name = "Authorization", value = "y"}]',
            "fetch.headers[0].value",
        ),
        ('[fetch]\nheaders = [{origin = "http://a.test", name = "Host", value = "y"}]', "fetch.headers[0].name"),
        ('[fetch]\nheaders = [{origin = "http://a.test", name = "X", value = "a\\nb"}]', "fetch.headers[0].value"),
        ('[fetch]\nauth = [{origin = "http://a.test", user = "u", password = "p"}]', "fetch.auth[0].password"),
        ('[fetch]\nauth = [{origin = "http://a.test", user = "u", password = "env:"}]', "fetch.auth[0].password"),
        ('[fetch]\nauth = [{origin = "http://a.test", user = "u:v", password = "env:P"}]', "fetch.auth[0].user"),
        ('[fetch]\ncookies = [{origin = "http://a.test", name = "c", value = "v"}]', "fetch.cookies[0].value"),
        ('[recrawl]\nat = "25:00"', "recrawl.at"),
        ("[recrawl]\nshortest = 10\nlongest = 5", "recrawl.shortest"),
        ('[[records]]\nname = "p"\nmatch = "/"', "records[0].fields"),
        (RECORD.replace('"/"', '"re:("'), "records[0].match"),
        (RECORD.replace('key = "a"', 'key = "b"'), "records[0].key"),
        (RECORD.replace('key = "a"', 'key = ["a", "a"]'), "records[0].key"),
        (RECORD.replace('key = "a"', 'rows = "tr"'), "records[0].key"),
        (RECORD.replace('css = ".a"', 'css = ".a", xpath = "//a"'), "records[0].fields.a"),
        (RECORD.replace('css = ".a"', ""), "records[0].fields.a"),
        (RECORD.replace('css = ".a"', 'css = "a["'), "records[0].fields.a.css"),
    ],
)
def test_an_error_names_its_key(text: str, key: str) -> None:
    assert errors(text) == [key]


def test_two_record_types_of_one_name_are_both_named() -> None:
    assert errors(RECORD + RECORD) == ["records[0].name", "records[1].name"]


def test_a_secret_is_never_shown() -> None:
    text = '[fetch]\nauth = [{origin = "http://u:hunter2@a.test", user = "u", password = "hunter2"}]'
    found, _ = check(crawl(text))
    assert len(found) == 2
    assert "hunter2" not in str(found)


@pytest.mark.parametrize("text", ["06:30", "Mon 06:30", "Sun 23:59"])
def test_a_time_of_day_may_name_a_day(text: str) -> None:
    assert errors(f'[recrawl]\nat = "{text}"') == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[budgets]\nhold_growing = true", "budgets.hold_growing"),
        ('[fetch]\nuser_agent = "Bot/1.0"', "fetch.user_agent"),
        ("[politeness]\nper_host = 9\nconcurrency = 4", "politeness.per_host"),
        (RECORD.replace('css = ".a"', 'css = ".a", unordered = true'), "records[0].fields.a.unordered"),
        ('[scope]\nexclude = ["/"]', "seeds.urls[0]"),
    ],
)
def test_a_warning_names_its_key(text: str, key: str) -> None:
    assert errors(text) == []
    assert warnings(text) == [key]


def test_every_missing_feature_is_a_key_of_the_settings() -> None:
    for key in NOT_YET:
        section, _, name = key.partition(".")
        assert hasattr(getattr(CrawlSettings(), section), name)
