"""An engine may open as many files as its system lets it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CHILD = """
import resource
from core.engine.descriptors import open_the_limit
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 2000))
print(open_the_limit(), resource.getrlimit(resource.RLIMIT_NOFILE))
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
print(open_the_limit())
"""


@pytest.mark.skipif(os.name != "posix", reason="Windows sets no such limit")
def test_the_limit_of_open_files_is_raised_as_far_as_the_system_allows() -> None:
    child = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True)
    assert child.stdout == "2000 (2000, 2000)\n64\n"
