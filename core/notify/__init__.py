"""Changes of records told to others: a file of JSON Lines, a webhook. Each at least once, with its key, in order.

A way of telling is one file here and one line in `core.notify.ways`. Each has a `Herald`, which works beside the crawl:
what a slow receiver has not taken waits in the crawl file, over stops, kills and restarts.
"""

from core.notify.herald import Herald, Outbox
from core.notify.ways import ways

__all__ = ["Herald", "Outbox", "ways"]
