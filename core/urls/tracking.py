"""Parameters that say where a visitor came from and never what the page shows.

An exact, case-sensitive list, kept by hand: a prefix such as `utm_*` would one day take a real parameter with it. A
name belongs here when its vendor documents it as click or campaign tracking, or when at least one public stripping list
(Firefox query stripping, Brave query filter, ClearURLs, AdGuard URL tracking filter) removes it on every site. Names
that mean something else elsewhere (`ref`, `source`, `sid`, `spm`) stay out. A change here raises RULES_VERSION.
"""

from __future__ import annotations

_CAMPAIGNS = (
    # Google Analytics 4 help, "URL builders: collect campaign data with custom URLs"
    "utm_source utm_medium utm_campaign utm_term utm_content utm_id"
    " utm_source_platform utm_creative_format utm_marketing_tactic"
    # other utm names in use: ClearURLs and AdGuard lists
    " utm_name utm_cid utm_reader utm_referrer utm_pubreferrer utm_viz_id utm_swu utm_social utm_social-type utm_brand"
    " utm_place utm_userid utm_campaignid utm_adgroup utm_keyword"
    # Matomo, "Campaign tracking"; pk_ and piwik_ are its older names
    " mtm_campaign mtm_keyword mtm_kwd mtm_source mtm_medium mtm_content mtm_cid mtm_group mtm_placement"
    " pk_campaign pk_keyword pk_kwd pk_source pk_medium pk_content pk_cid piwik_campaign piwik_keyword piwik_kwd"
    # Adobe Analytics and Advertising; Mapp (Webtrekk)
    " s_cid s_kwcid ef_id wt_mc wt_zmc"
)
_CLICKS = (
    # Google Ads help, "GCLID", "GBRAID and WBRAID"; Analytics cross-domain linker; Merchant Center
    "gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid _ga _gl srsltid"
    # Meta, Microsoft, X, TikTok, LinkedIn, Snap, Pinterest, Reddit, Instagram
    " fbclid fb_action_ids fb_action_types msclkid twclid ttclid li_fat_id ScCid epik rdt_cid igsh igshid"
    # Yandex Direct and Metrica; OpenStat
    " yclid ymclid ysclid _openstat"
    # affiliate and native advertising networks: Impact, CJ, Awin, Tradedoubler, Taboola, Outbrain, Branch, Brave's list
    " irclickid irgwc cjevent awc tduid tblci dicbo _branch_match_id _branch_referrer rb_clickid wickedid"
)
_NEWSLETTERS = (
    # Mailchimp, HubSpot, Marketo, Klaviyo, Drip, Vero, Omeda Olytics, MailerLite
    "mc_cid mc_eid _hsenc _hsmi __hssc __hstc __hsfp hsCtaTracking mkt_tok _kx __s vero_id vero_conv"
    " oly_anon_id oly_enc_id ml_subscriber ml_subscriber_hash"
)

TRACKING = frozenset(f"{_CAMPAIGNS} {_CLICKS} {_NEWSLETTERS}".split())
