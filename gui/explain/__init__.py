"""Explain URL: what becomes of a URL in the crawl, and why, for a person."""
