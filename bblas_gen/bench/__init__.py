"""Benchmarks: every contender, the processor's limits and the peers in one run, side by side."""
