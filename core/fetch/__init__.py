"""Fetching: one hop per call, every answer a value.

`Client.fetch` takes a FetchRequest and gives a Fetched; it never follows a redirect and never raises. Pace, retry and
chain cookies are pure values beside it, for the loop that decides what is asked next.
"""
