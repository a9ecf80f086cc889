"""From a parsed page to records, by the rules the analyst wrote.

A rule that cannot be compiled is a problem that names its key; a rule that finds nothing gives null; a page without its
declared key gives a conflict. Nothing a page holds raises.
"""

from core.extract.casts import CASTS
from core.extract.extracted import Extracted
from core.extract.extractor import Extractor, problems

__all__ = ["CASTS", "Extracted", "Extractor", "problems"]
