"""The web beside the shop: hosts of Zipf sizes whose pages /p/N link within the host and across hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.demo.chance import mix, unit
from core.demo.change import version_of
from core.demo.page import Page
from core.demo.shop import price

if TYPE_CHECKING:
    from core.demo.layout import Layout
    from core.demo.options import SiteOptions


class Journal:
    """Makes the /p/N pages. Where the first host is a shop, the other hosts hold them all."""

    def __init__(self, options: SiteOptions, layout: Layout, sites: tuple[str, ...]) -> None:
        self._options = options
        self._layout = layout
        self._sites = sites
        self.sizes = host_sizes(options)
        self._holders = tuple(host for host, size in enumerate(self.sizes) if size)

    def page(self, host: int, number: int) -> Page | None:
        """Page `number` of a host, or None if the host has fewer. Every page can be reached from the host's /p/0."""
        if not 0 <= number < self.sizes[host]:
            return None
        version = version_of(self._options, host, f"/p/{number}")
        seed = mix(self._options.seed, "journal", host, number)
        title = f"{self._layout.name(seed)} explained"
        items = "".join(
            f'<li><a href="{link}">{self._layout.name(seed + i)}</a></li>\n'
            for i, link in enumerate(self._near(host, number, seed) + self._far(host, number, seed))
        )
        main = (
            f'<h1>{title}</h1><p><span class="sku">W{host}-{number}</span> '
            f'<span class="price">{price(seed % 100_000, version)}</span> <span class="currency">EUR</span></p>\n'
            f"<ul>{items}</ul>\n"
        )
        return Page(self._layout.document(title, main, seed, chrome=False), version=version)

    def _near(self, host: int, number: int, seed: int) -> list[str]:
        """Links within the host: down a tree that reaches all, and anywhere."""
        size = self.sizes[host]
        down = [child for child in (2 * number + 1, 2 * number + 2) if child < size]
        return [f"/p/{page}" for page in down + [(seed >> shift) % size for shift in range(0, 48, 6)]]

    def _far(self, host: int, number: int, seed: int) -> list[str]:
        """Links across hosts: the front page leads to further hosts; other links prefer large hosts and early pages."""
        links = []
        if number == 0:
            rank = self._holders.index(host)
            further = [self._holders[r] for r in (2 * rank + 1, 2 * rank + 2) if r < len(self._holders)]
            links += [f"http://{self._sites[other]}/p/0" for other in further]
        if len(self._sites) > 1:
            links += [self._across(seed, i) for i in range(self._options.cross_links)]
        return links

    def _across(self, seed: int, i: int) -> str:
        other = int(len(self._sites) ** unit(seed, "host", i)) - 1  # log-uniform: popular hosts win
        early = unit(seed, "page", i) ** 3
        if self.sizes[other]:
            return f"http://{self._sites[other]}/p/{int(self.sizes[other] * early)}"
        return f"http://{self._sites[other]}/product/{int(self._options.products * early)}"


def host_sizes(options: SiteOptions) -> tuple[int, ...]:
    """How many /p/N pages each host holds (Zipf's law), at least one where it holds any."""
    shops = 1 if options.front != "web" else 0
    weights = [1 / (rank + 1) ** options.zipf for rank in range(options.hosts - shops)]
    total = sum(weights)
    return (0,) * shops + tuple(max(1, round(options.web_pages * weight / total)) for weight in weights)
