"""Everything an analyst describes: seeds, patterns, limits, pace, records, and the whole as text."""
