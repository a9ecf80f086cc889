"""Pages as shops, newspapers and tables write them, for tests of what a person can point at."""

from __future__ import annotations

from hypothesis import strategies as st

PRODUCT = """<!doctype html><html lang="de"><head><title>Lampe Lux – Laden</title>
<meta name="viewport" content="width=device-width"><meta property="og:title" content="Lampe Lux">
<meta property="product:price:amount" content="1299.50"><meta property="product:price:currency" content="EUR">
<meta name="csrf-token" content="x9"><link rel="canonical" href="/p/lampe">
<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
 {"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "position": 1, "name": "Start"}]},
 {"@type": "Product", "sku": "00123", "name": "Lampe Lux", "brand": {"@type": "Brand", "name": "Lux"},
  "offers": {"@type": "Offer", "price": "1299.50", "priceCurrency": "EUR"}, "image": ["a.png", "b.png"],
  "releaseDate": "2026-03-12", "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4.5}}]}</script>
<script type="application/ld+json">{ broken</script></head>
<body><nav class="main-nav"><ul><li><a href="/a">A</a></li><li><a href="/b">B</a></li>
<li><a href="/c">C</a></li></ul></nav>
<main id="content"><h1>Lampe Lux</h1>
<div class="css-1x8k2p9 price">1.299,50 €</div><p data-testid="sku">Art.-Nr. 00123</p>
<p>Erschienen am <time datetime="2026-03-12">12. März 2026</time></p><p>Ein <b>helles</b> Licht.</p>
<table class="facts"><tr><td>Farbe</td><td>Rot</td></tr><tr><td>Gewicht</td><td>2,5 kg</td></tr></table>
<img src="/img/lampe.jpg" alt="Lampe"></main></body></html>"""

LIST = (
    '<!doctype html><title>Lampen</title><nav><ul class="pages">'
    + "".join(f'<li class="page"><a href="?p={n}">{n}</a><b>{n}</b></li>' for n in range(1, 5))
    + '</ul></nav><div class="grid">'
    + "".join(
        f'<article class="card"><a class="title" href="/p/{n}">Lampe {n}</a><img src="/i/{n}.jpg">'
        f'<span class="price">{n}9,90 €</span><em>Neu</em></article>'
        for n in range(1, 9)
    )
    + "</div>"
)

TABLE = (
    "<!doctype html><h1>Bulbs</h1><table id=specs><tr><th>Name<th>Power<th>Price</tr>"
    + "".join(f"<tr><td>Bulb {n}<td>{n * 3} W<td>CHF {n}'299.50" for n in range(1, 6))
    + "</table>"
)

TAGS = st.sampled_from("div p span a ul li table tr td h1 svg a:b i section template form option".split())
NAMES = st.sampled_from(["a", "b", "price", "a\\b", 'q"q', "css-12ab3c", "9", "é", "a.b", "x y", "", "-", "#"])
NODES = st.recursive(
    st.text("ab<&\\\"' ", max_size=4),
    lambda inner: st.builds(
        lambda tag, id_, names, prop, children: (
            f'<{tag} id="{id_}" class="{names}" itemprop="{prop}" data-testid="{id_}">{"".join(children)}</{tag}>'
        ),
        TAGS, NAMES, NAMES, NAMES, st.lists(inner, max_size=4),
    ),
    max_leaves=25,
)  # fmt: skip
MARKUP = st.lists(NODES, max_size=5).map("".join)
