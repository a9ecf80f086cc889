"""Rows out of a file that is not used as it is: one that is damaged, or one whose tables are not ours.

    working_copy     the file as SQLite would see it, in a copy that may be mended
    records, pages   SQLite's way to write a row, and the cells on a page, however little of a file is whole
    layouts          which column stands where in a foreign table, and what a row of ours must be
    reading          the rows of one table: by SQLite where it is whole, else page by page
    caution          settings that a stranger's file may not bring along unconfirmed
    mending          a heap of rows made a consistent crawl
    recount          its counters
    kept_responses   the responses beside it
    salvage          all of it: a fresh file, the original untouched
    certify          the audit after an unclean end, and its result kept in the file

Nothing of the original is run: of an untrusted file not even its table texts.
"""
