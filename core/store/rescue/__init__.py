"""Rows out of a file that is not used as it is: one that is damaged, or one whose tables are not ours.

    records    SQLite's way to write a row, decoded
    pages      the pages of a file and the cells on them, however little of it is whole
    layouts    which column stands where in a foreign table, and what a row of ours must be
    reading    the rows of one table: by SQLite where it is whole, else page by page
    caution    settings that a stranger's file may not bring along unconfirmed
    mending    a heap of rows made a consistent crawl
    salvage    all of it: a fresh file beside, the original untouched

Nothing of the original is run: of an untrusted file not even its table texts.
"""
