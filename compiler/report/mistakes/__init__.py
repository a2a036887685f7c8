"""Mistakes of syntax by what their author meant: the words of unexpected tokens that name declarations and clauses."""
