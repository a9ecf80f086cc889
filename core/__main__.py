"""`python -m core`: the command line. The window starts its engines this way."""

import sys

from core.cli import main

sys.exit(main())
