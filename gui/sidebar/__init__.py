"""All known crawls beside the views: their groups, states and page counts."""
