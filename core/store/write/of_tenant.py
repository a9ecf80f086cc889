"""Whose a row is: a URL's, and a source's, tenant is its host's."""

from __future__ import annotations

# Beside the condition that finds the rows: a look by number for each of them, and no list of all hosts.
OF_TENANT = "(SELECT tenant FROM host WHERE host.id = host_id) = ?"
