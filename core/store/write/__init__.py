"""The engine's side of the crawl file: one writer, and every change of URL, page and record rows."""
