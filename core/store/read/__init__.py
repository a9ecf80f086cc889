"""Everybody's side of the crawl file: looks, tables, counts and the audit, beside a running engine or without one."""
