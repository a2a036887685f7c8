"""Turns rules, charts and rulings into a rule graph, and proves things about them on the way."""
