"""Build the clauses that have no node of their own: one part of the rule, the names in it, or all its parts."""

from typing import Any

from compiler.source.building.parts import Parts, names


def _only_part(parts: Parts) -> Any:
    """Return the only part of a rule; None if it is absent."""
    return parts[0]


def _optional_operand(parts: Parts) -> Any:
    """Return the last part of an optional clause, behind its keyword; None if the clause is absent."""
    return parts[-1] if parts else None


def _with_keyword(parts: Parts) -> tuple[Any, ...] | None:
    """Return the parts of an optional clause, keyword or bracket first; None if it is absent."""
    return None if parts[0] is None else tuple(parts)


question = written_type = cited = prose = _only_part
of_type = only_where = lost = over = waits = capped = default = otherwise = _optional_operand
under = upon = owned = placed = placed_in = _optional_operand
acting = hook_name = chooser = going_on = _optional_operand
properties = _with_keyword
labels = reasons = acting_in = stages = drawn_traits = names
# Lists in braces keep them until their owner has computed its span.
start = laws = block = tuple
