"""The look of every page: head, navigation, footer, and prose up to the page's weight; made once, joined quickly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.demo.chance import mix
from core.demo.words import ROOMS, STUFFS, goods_names, sentences

if TYPE_CHECKING:
    from core.demo.options import SiteOptions

NAMES = 2048
SECTIONS = 512  # far more than one page holds, lest heavy pages look like near copies of one another
CHROMES = 16
CSS = (
    "body{font:16px/1.5 system-ui;margin:auto;max-width:60em;padding:1em;color:#234}a{color:#175}"
    "ol,.menu{display:grid;grid-template-columns:repeat(auto-fill,minmax(9em,1fr));gap:1em;padding:0;list-style:none}"
    "ol li{border:1px solid #dde;border-radius:8px;padding:.6em}em{float:right}"
    ".price{font-size:2em}.tag{background:#eef;border-radius:9px;padding:0 .6em}"
)
PICTURES = (  # plain colours for photographs; left out of the lightest pages
    'ol a::before,.breadcrumb+h1::before{content:"";display:block;height:5em;border-radius:6px;'
    "background:linear-gradient(hsl(var(--h,150) 35% 85%),hsl(var(--h,150) 35% 65%))}"
    "li:nth-child(3n){--h:25}li:nth-child(4n){--h:210}li:nth-child(5n){--h:280}"
)


class Layout:
    """Makes whole documents. Holds only strings made from the seed and the size of the shop."""

    def __init__(self, options: SiteOptions) -> None:
        self._weight = int(options.weight * 1024)
        self._heavy = options.weight >= 10
        self._css = CSS + (PICTURES if options.weight >= 4 else "")
        self.names = goods_names(options.seed, NAMES)
        self._sections = tuple(_section(options.seed, i, self.names) for i in range(SECTIONS))
        self._prose = " ".join(sentences(6, options.seed, "prose", i) for i in range(12))
        self._chromes = tuple(_chrome(options, i, self.names) for i in range(CHROMES)) if self._heavy else ()

    def name(self, number: int) -> str:
        """The name of the goods with this number."""
        return self.names[(number * 1_103_515_245 + 12_345) % NAMES]

    def document(self, title: str, main: str, shade: int, head: str = "", chrome: bool = True) -> bytes:
        """A whole document, filled with prose to the weight. `shade` picks the variant of navigation and prose."""
        nav, foot = self._chromes[shade % CHROMES] if chrome and self._heavy else ("", "")
        start = (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
            f"{head}<style>{self._css}</style></head>\n<body>{nav}<main>\n{main}"
        )
        end = f"</main>{foot}</body></html>\n"
        return (start + self._fill(self._weight - len(start) - len(end), shade) + end).encode("ascii")

    def _fill(self, left: int, shade: int) -> str:
        """Prose of exactly `left` letters; start and stride differ from page to page, lest all pages look alike."""
        parts = []
        turn, stride, first = shade % SECTIONS, (shade >> 9) % 256 * 2 + 1, (shade >> 17) % 997
        while left > 700:
            section = self._sections[turn % SECTIONS]
            parts.append(section)
            left -= len(section)
            turn += stride
        if left > 20:
            words = self._prose[first : first + left - 10].partition(" ")[2].rpartition(" ")[0].rstrip(".")
            parts.append(f"<p>{words}.</p>\n".ljust(left))
        return "".join(parts)


def _section(seed: int, i: int, names: tuple[str, ...]) -> str:
    return (
        f'<section class="story"><h3 id="s{i}">{names[i]}</h3>\n<p>{sentences(3, seed, "section", i)}</p>\n'
        f"<ul><li><b>{STUFFS[mix(seed, i) % len(STUFFS)]}</b> {mix(seed, i, 'mm') % 90 + 10} mm</li>"
        f"<li>care &amp; keeping: {sentences(1, seed, 'care', i)}</li></ul></section>\n"
    )


def _chrome(options: SiteOptions, i: int, names: tuple[str, ...]) -> tuple[str, str]:
    """Navigation and footer: sixty links, all to pages that the shop has anyway."""
    seed = options.seed
    rooms = "".join(
        f'<li class="entry level{j % 3}"><a href="/list/{mix(seed, "nav", i, j) % options.listings}">'
        f"{ROOMS[j % len(ROOMS)]} {names[mix(seed, 'nav', i, j) % NAMES]}</a></li>\n"
        for j in range(40)
    )
    goods = "".join(
        f'<li><a href="/product/{mix(seed, "foot", i, j) % options.products}#reviews">'
        f"{names[mix(seed, 'foot', i, j, 'name') % NAMES]}</a></li>\n"
        for j in range(20)
    )
    return (
        '<header id="top"><img src="/static/logo.svg" alt="Harbour Row" width="160" height="40">'
        '<form action="/search" method="get"><input name="q" type="search"><button>Search</button></form>'
        f'<nav><ul class="menu">\n{rooms}</ul></nav></header>\n',
        f'<footer><ul class="menu">\n{goods}</ul><a href="mailto:shop@harbour.example">Write to us</a> '
        '<a href="tel:+4900000">Call</a> <a href="javascript:void(0)">Print</a> <a href="#top">Up</a>'
        "<p>&copy; Harbour Row</p></footer>\n",
    )
