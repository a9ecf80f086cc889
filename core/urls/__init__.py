"""URLs, before anything else sees them: any text becomes a fetchable URL or a clear rejection, and every URL has a form
that is fetched and a form that is compared.

Pure: no I/O, no clock, no state. Importing it is cheap; what only unusual URLs need is loaded when one comes.
"""

from core.urls.forms import fetch_form, key_form, url_key
from core.urls.hosts import registrable
from core.urls.parser import parse
from core.urls.resolver import Resolver
from core.urls.rules import RULES_VERSION, Rules
from core.urls.seed_line import meant_by, parse_seed_line
from core.urls.steps import Step, explain, without_user_info
from core.urls.url import Rejected, Url

__all__ = [
    "RULES_VERSION",
    "Rejected",
    "Resolver",
    "Rules",
    "Step",
    "Url",
    "explain",
    "fetch_form",
    "key_form",
    "meant_by",
    "parse",
    "parse_seed_line",
    "registrable",
    "url_key",
    "without_user_info",
]
