"""What changed between runs: counts, bars, a choice of runs."""
