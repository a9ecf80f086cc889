"""From bytes to facts: what a page says of itself, and where it leads.

`parse_page` never raises and comes back in about a second for a body of ten megabytes, whatever it holds. One content
type is one handler in one file; what no handler knows has no links. Importing this is cheap; the HTML library is loaded
with the first page.
"""

from core.parse.checks import failed_check
from core.parse.link_header import HeaderLinks, header_links
from core.parse.page import Link, ParsedPage, ParseOptions
from core.parse.parser import HANDLERS, parse_page
from core.parse.robots_directives import header_robots

__all__ = [
    "HANDLERS",
    "HeaderLinks",
    "Link",
    "ParseOptions",
    "ParsedPage",
    "failed_check",
    "header_links",
    "header_robots",
    "parse_page",
]
