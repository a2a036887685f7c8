"""Adapters to other programs. Nothing outside imports them: they are found by entry points (rulewright/exchange)."""
