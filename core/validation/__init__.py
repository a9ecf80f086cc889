"""Whether settings make sense as a whole, before a crawl starts by them."""

from core.validation.check import NOT_YET, check

__all__ = ["NOT_YET", "check"]
