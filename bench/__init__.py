"""Measured beside what users would pick instead: ratios taken in one run, never absolute promises."""
