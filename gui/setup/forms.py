"""Which fields the simple sections have. One more field is one more line."""

from __future__ import annotations

from gui.setup.amount import Unit
from gui.setup.field import FieldSpec

PAGES = Unit("count", "pages", unlimited=True)
LINKS = Unit("count", "links", unlimited=True)
SIZE = Unit("size", unlimited=True)
TIME = Unit("time", unlimited=True, whole=False)
SECONDS = Unit("time", whole=False)

BUDGETS = (
    FieldSpec("budgets.max_pages", "Pages", "amount", "Pages fetched in all", PAGES),
    FieldSpec("budgets.max_depth", "Depth", "amount", "Links from a seed", LINKS),
    FieldSpec("budgets.max_bytes", "Download", "amount", "Bytes on the wire in all", SIZE),
    FieldSpec("budgets.max_pages_per_host", "Per host", "amount", "Pages of one host", PAGES),
    FieldSpec("budgets.max_seconds", "Time", "amount", "Time of running", TIME),
)

LIMITS = (
    FieldSpec("budgets.max_body_bytes", "Largest page", "amount", "After decompression", Unit("size", smallest=1)),
    FieldSpec("budgets.max_response_bytes", "Kept responses", "amount", "Space for stored bodies", SIZE),
    FieldSpec(
        "budgets.max_url_length",
        "Longest URL",
        "amount",
        "Longer ones are not fetched",
        Unit("count", "characters", smallest=1, largest=8192),
    ),
    FieldSpec(
        "budgets.max_path_repeats",
        "Path repeats",
        "amount",
        "How often one segment may occur in a path",
        Unit("count", "times", unlimited=True),
    ),
    FieldSpec(
        "budgets.max_parameter_sets",
        "Parameter sets",
        "amount",
        "Parameter combinations of one path",
        Unit("count", "sets", unlimited=True),
    ),
)

POLITENESS = (
    FieldSpec(
        "politeness.delay",
        "Delay",
        "amount",
        "Between two requests to one host",
        Unit("time", whole=False, largest=86_400),
    ),
    FieldSpec(
        "politeness.per_host",
        "At once per host",
        "amount",
        "Requests at once to one host",
        Unit("count", "requests", smallest=1, largest=1024),
    ),
    FieldSpec(
        "politeness.concurrency",
        "At once in all",
        "amount",
        "Requests at once to all hosts",
        Unit("count", "requests", smallest=1, largest=1024),
    ),
    FieldSpec("politeness.retry_after_max", "Longest Retry-After", "amount", "A site's wish to wait, capped", SECONDS),
    FieldSpec("politeness.crawl_delay_max", "Longest Crawl-delay", "amount", "robots.txt's delay, capped", SECONDS),
    FieldSpec("politeness.robots", "Obey robots.txt", "flag", "Ask for it before any page of a site"),
    FieldSpec(
        "politeness.adaptive", "Slow down with the site", "flag", "Slower when a host slows down or says 429 or 503"
    ),
    FieldSpec("politeness.nofollow", "Respect nofollow", "flag", "Links marked rel=nofollow are not followed"),
    FieldSpec("politeness.noindex", "Respect noindex", "flag", "Pages marked noindex give no records"),
)

REQUESTS = (
    FieldSpec("fetch.user_agent", "User agent", "text", "Say who you are and where you can be reached"),
    FieldSpec(
        "fetch.timeout",
        "Timeout",
        "amount",
        "For one whole fetch",
        Unit("time", whole=False, smallest=0.001, largest=3600),
    ),
    FieldSpec("fetch.retries", "Retries", "amount", "After a fault that may pass", Unit("count", "times", largest=20)),
    FieldSpec("fetch.content_types", "Accepted types", "words", "Other types are not read"),
    FieldSpec("fetch.proxy", "Proxy", "text", "For example http://proxy.example:3128"),
)

PAGE = (
    FieldSpec(
        "pages.near_duplicates",
        "Near duplicates",
        "amount",
        "How many of 64 bits two texts may differ in and be near; 6 is about one word in fifty. Or: off",
        Unit("count", "bits", largest=64, off=True),
    ),
    FieldSpec("pages.keep_responses", "Keep responses", "flag", "To read pages again without a request"),
    FieldSpec("pages.link_graph", "Keep links", "flag", "Who links to whom, with which text"),
    FieldSpec("pages.follow_duplicates", "Follow links of copies", "flag", "Of pages whose body was seen before"),
    FieldSpec("pages.resources", "Record resources", "flag", "Images, scripts and style sheets count as links"),
)

RECRAWL = (
    FieldSpec("recrawl.every", "Run again every", "amount", "From start to start; 0: by hand", Unit("time")),
    FieldSpec("recrawl.at", "Run again at", "text", "Local time: 06:30, or Mon 06:30; empty: by hand"),
    FieldSpec("recrawl.first", "First look again", "amount", "At a new page", Unit("time", smallest=1)),
    FieldSpec("recrawl.shortest", "Most often", "amount", "A page that always changes", Unit("time", smallest=1)),
    FieldSpec("recrawl.longest", "Least often", "amount", "A page that never changes", Unit("time", smallest=1)),
    FieldSpec(
        "recrawl.gone_after",
        "Gone after",
        "amount",
        "Complete crawls in a row that find no way to it",
        Unit("count", "crawls", smallest=1),
    ),
)

NOTIFY = (
    FieldSpec("notify.file", "File", "text", "A line of JSON for each change. A name alone: beside the crawl"),
    FieldSpec("notify.webhook", "Webhook", "text", "Gets a POST for each change. An address, or env:NAME"),
)

SCOPE = (
    FieldSpec("scope.hosts", "Hosts", "words", "Empty: the hosts of the seeds. host or host:port", code=True),
    FieldSpec("scope.block_hosts", "Blocked hosts", "words", "Never fetched", code=True),
    FieldSpec("scope.skip_extensions", "Skipped extensions", "words", "Files that are never asked for", code=True),
    FieldSpec("scope.subdomains", "Subdomains belong to it", "flag", "shop.example takes in www.shop.example"),
    FieldSpec("scope.follow", "Follow links", "flag", "Off: only the seeds are fetched"),
)

NORMALISE = (
    FieldSpec("normalise.drop_parameters", "Drop parameters", "words", "Beside the built-in tracking list", code=True),
    FieldSpec("normalise.keep_parameters", "Keep parameters", "words", "Never dropped", code=True),
    FieldSpec("normalise.tracking", "Drop tracking parameters", "flag", "utm_source, gclid and their like"),
    FieldSpec("normalise.session_ids", "Drop session ids", "flag", ";jsessionid= and their like"),
    FieldSpec("normalise.sort_parameters", "Order of parameters does not matter", "flag", "?a=1&b=2 is ?b=2&a=1"),
    FieldSpec("normalise.trailing_slash", "/path/ is /path", "flag", "One page with or without the slash"),
    FieldSpec("normalise.ignore_www", "www.host is host", "flag", "One page with or without www."),
    FieldSpec("normalise.index_pages", "/index.html is /", "flag", "Index pages are their folder"),
    FieldSpec("normalise.lower_path", "/PATH is /path", "flag", "Case of the path does not matter"),
    FieldSpec("normalise.ignore_scheme", "http is https", "flag", "One page under both"),
    FieldSpec("normalise.canonical", "Believe rel=canonical", "flag", "The site's own word for which page is which"),
)
