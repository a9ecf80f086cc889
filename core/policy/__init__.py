"""What may be fetched, and how soon: scope, patterns, budgets, traps, robots rules, priority, due times.

Pure: values in, verdicts out. Engine, pattern editor and Explain call the same functions.
"""

from core.policy.due import next_due, next_interval
from core.policy.pattern_set import PatternSet
from core.policy.patterns import Pattern, compile_pattern
from core.policy.policy import Policy
from core.policy.robots import Robots, RobotsAnswer, RobotsVerdict, product_token, robots_access
from core.policy.verdict import Facts, Step, Verdict

__all__ = [
    "Facts",
    "Pattern",
    "PatternSet",
    "Policy",
    "Robots",
    "RobotsAnswer",
    "RobotsVerdict",
    "Step",
    "Verdict",
    "compile_pattern",
    "next_due",
    "next_interval",
    "product_token",
    "robots_access",
]
