"""An authorisation lasts to the end of its day, in UTC, for exactly its host."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from core.policy.authorisation import Authorisations, end, reason_of
from core.settings import Authorisation, CrawlSettings, Normalise, Scope
from core.urls import Url

DAY = date(2027, 1, 31)


def written(*items: tuple[str, date], ignore_www: bool = False) -> Authorisations:
    authorised = tuple(Authorisation(host=host, by="contract 17", until=until) for host, until in items)
    normalise = Normalise(ignore_www=ignore_www)
    return Authorisations(CrawlSettings(scope=Scope(authorised=authorised), normalise=normalise))


def test_it_ends_with_its_day() -> None:
    found = written(("shop.test", DAY))
    midnight = datetime(2027, 2, 1, tzinfo=UTC).timestamp()
    url = Url("https", "shop.test", 443, "/a")
    assert found.expired(url, midnight - 0.001) is None
    item = found.expired(url, midnight)
    assert item is not None
    assert (end(item), reason_of(item)) == (midnight, "authorisation: until 2027-01-31")


@pytest.mark.parametrize("until", [date.min, date.max])
def test_every_date_has_an_end(until: date) -> None:
    item = Authorisation(host="a.test", by="x", until=until)
    assert (end(item) > 0) == (until == date.max)


def test_hosts_are_compared_as_parsed_names() -> None:
    found = written(("Shop.test", DAY), ("port.test:8080", DAY))
    assert found.of(Url("http", "shop.test", 80, "/"))
    assert found.of(Url("http", "port.test", 8080, "/"))
    for host, port in (("www.shop.test", 80), ("shop.test.evil.example", 80), ("port.test", 80)):
        assert found.of(Url("http", host, port, "/")) is None
    assert written(("shop.test", DAY), ignore_www=True).of(Url("http", "www.shop.test", 80, "/"))


def test_the_longest_of_a_host_counts() -> None:
    item = written(("a.test", DAY), ("a.test:80", date(2028, 1, 1))).of(Url("http", "a.test", 80, "/"))
    assert item is not None
    assert item.until == date(2028, 1, 1)
