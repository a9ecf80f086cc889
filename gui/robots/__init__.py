"""The robots tester: a robots.txt, some URLs, and the line that decides about each."""
