"""The certificate of a crawl file in the window: asked for by itself after an unclean end, or by a command."""
