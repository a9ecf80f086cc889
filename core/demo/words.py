"""The words of the sample shop: goods, departments, running text; plain ASCII, so that a byte is a letter."""

from __future__ import annotations

from core.demo.chance import stream

LOOKS = (
    "Antique Bold Bright Calm Classic Coastal Compact Cosy Country Daily Deep Early Fine Folding Formal Gentle Grand "
    "Handmade Heavy Humble Large Light Little Lofty Loyal Mellow Modern Narrow Neat Northern Patient Plain Quiet "
    "Round Rustic Simple Slender Smooth Soft Solid Southern Sturdy Sunny Tall Tidy Tiny Travel Upright Warm Wide Winter"
).split()
STUFFS = (
    "Ash Bamboo Beech Birch Brass Canvas Cedar Ceramic Cherry Copper Cork Cotton Denim Enamel Felt Flax Glass Granite "
    "Hemp Iron Jute Larch Leather Linen Maple Marble Oak Olive Paper Pewter Pine Rattan Rubber Sandstone Silk "
    "Slate Spruce Steel Straw Teak Tin Velvet Walnut Wax Wicker Willow Wool Zinc"
).split()
THINGS = (
    "Apron Armchair Basket Bench Blanket Bookend Bowl Box Broom Brush Bucket Cabinet Candle Carafe Chair Clock Coaster "
    "Colander Cup Curtain Cushion Desk Dish Easel Footstool Frame Hammock Hook Jar Jug Kettle Ladder Lamp Lantern Mat "
    "Mirror Mug Pitcher Planter Plate Rack Rug Scoop Shelf Spoon Stool Table Teapot Tray Vase Wardrobe Whisk"
).split()
ROOMS = (
    "Attic Balcony Bathroom Bedroom Cellar Garden Hallway Kitchen Library Nursery Pantry Porch Studio Workshop".split()
)
PLAIN = (
    "about after again always among around because before between both bring build carry clean close come corner could "
    "early enough every evening family find first follow friend from garden give good hand hold home hour house keep "
    "kitchen large later learn leave letter light little long look made make many more morning most need never next "
    "often once only open order other paint paper place plain rain ready right room round season second shape should "
    "show side simple slow small some stand still store story strong table take than them there these thing time "
    "together turn under until useful wait walk warm wash water week well when where while window winter with wood work"
).split()


def goods_names(seed: int, count: int) -> tuple[str, ...]:
    """Names of goods for a seed; names repeat in a large shop, as they do in life."""
    numbers = stream(seed, "names")
    return tuple(" ".join(_pick(words, next(numbers)) for words in (LOOKS, STUFFS, THINGS)) for _ in range(count))


def sentences(count: int, *parts: int | str) -> str:
    """Running text of so many sentences, chosen by the parts."""
    numbers = stream(*parts)
    made = []
    for _ in range(count):
        length = 7 + next(numbers) % 9
        made.append(" ".join(_pick(PLAIN, next(numbers)) for _ in range(length)).capitalize() + ".")
    return " ".join(made)


def _pick(words: list[str], number: int) -> str:
    return words[number % len(words)]
