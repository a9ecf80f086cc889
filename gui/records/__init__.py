"""A page beside the record type that is written for it: what the rules read, what else is there, does the key hold."""
