"""All tricks of the hostile site."""

from __future__ import annotations

from tests.system.torture import (
    address_faults,
    bomb_faults,
    content_faults,
    credential_faults,
    link_faults,
    network_faults,
    output_faults,
    protocol_faults,
    redirect_faults,
    retry_faults,
    robots_faults,
    sitemap_faults,
    traps,
)

FAULTS = (
    *network_faults.FAULTS,
    *protocol_faults.FAULTS,
    *bomb_faults.FAULTS,
    *content_faults.FAULTS,
    *output_faults.FAULTS,
    *redirect_faults.FAULTS,
    *address_faults.FAULTS,
    *credential_faults.FAULTS,
    *traps.FAULTS,
    *retry_faults.FAULTS,
    *robots_faults.FAULTS,
    *sitemap_faults.FAULTS,
    *link_faults.FAULTS,
)
ROBOTS = tuple(fault for fault in FAULTS if fault.category == "robots")
SITEMAPS = tuple(fault for fault in FAULTS if fault.category == "sitemap")
