"""Crawl files that cannot be used as they are: what is told of them, and what can be done about it."""
