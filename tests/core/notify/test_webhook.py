"""The webhook: each notice a POST with its key, taken only by an answer of 2xx."""

from __future__ import annotations

import asyncio

import pytest

from core.fetch.secrets import Secrets
from core.notify.way import Undelivered
from core.notify.webhook import Webhook
from core.settings import CrawlSettings, Fetch, Header, Notify
from tests.core.notify.notices import notice
from tests.core.notify.receiver import receiver


def webhook(url: str, **fetch: object) -> Webhook:
    settings = CrawlSettings(notify=Notify(webhook=url), fetch=Fetch(**fetch))  # type: ignore[arg-type] # by name
    return Webhook(settings, Secrets({"HOOK": url, "TOKEN": "t0ken"}))


def test_each_notice_is_posted_in_order_with_its_key_and_our_credentials() -> None:
    async def tell() -> None:
        async with receiver() as there:
            origin = there.url.partition("/hook")[0]
            way = webhook(there.url, headers=(Header(origin=origin, name="Authorization", value="env:TOKEN"),))
            await way.deliver([notice(1), notice(2)])
            await way.close()
            assert there.keys() == ["r1:1", "r2:1"]
            assert there.heads[0].startswith("POST /hook?token=secret HTTP/1.1\r\n")
            for line in ('Idempotency-Key: "r1:1"', "Content-Type: application/json", "Authorization: t0ken"):
                assert f"\r\n{line}\r\n" in there.heads[0]

    asyncio.run(tell())


@pytest.mark.parametrize("status", [500, 429, 400, 302])
def test_what_is_not_taken_is_told_without_the_address_that_may_be_a_secret(status: int) -> None:
    async def tell() -> None:
        async with receiver(status, extra="Retry-After: 7\r\nLocation: /elsewhere\r\n") as there:
            way = webhook(there.url)
            with pytest.raises(Undelivered, match=str(status)) as raised:
                await way.deliver([notice(1), notice(2)])
            await way.close()
            assert raised.value.after == 7.0
            assert "secret" not in str(raised.value)
            assert there.keys() == ["r1:1"]

    asyncio.run(tell())


def test_a_receiver_that_is_not_there_and_a_reference_that_leads_nowhere_are_told() -> None:
    async def tell(address: str) -> None:
        way = webhook(address)
        with pytest.raises(Undelivered):
            await way.deliver([notice(1)])
        await way.close()

    for address in ("http://127.0.0.1:9/", "env:NOTHING", "env:HOOK"):
        asyncio.run(tell(address))


def test_the_address_may_be_a_reference() -> None:
    async def tell() -> None:
        async with receiver() as there:
            settings = CrawlSettings(notify=Notify(webhook="env:HOOK"))
            way = Webhook(settings, Secrets({"HOOK": there.url}))
            await way.deliver([notice(1)])
            await way.close()
            assert there.keys() == ["r1:1"]

    asyncio.run(tell())
