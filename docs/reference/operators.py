"""The operators and functions of the language as a page, made of their records."""

from runtime.graph.operators import OPERATORS, Infix, Prefix

HEAD = """\
# Operators and functions

Written from `runtime/graph/operators` by `docs/reference/write.py`; [the language](../language.md) tells how they are
used. A letter stands for any measure (`number m`), any scale (`scale s`, `number of s` for the steps along it) or any
type (`T`); `...` is any number of the same. Measures must fit, and a divisor can't be zero: the checker sees to both.

| name | takes and gives | means |
| --- | --- | --- |"""


def operators_page() -> str:
    """Write the page."""
    return "\n".join([HEAD, *(_row(name) for name in OPERATORS)]) + "\n"


def _row(name: str) -> str:
    known = OPERATORS[name]
    sign = f" (`{known.notation.sign.strip()}`)" if isinstance(known.notation, Infix | Prefix) else ""
    written = f"`{name}`" + ("" if sign == f" (`{name}`)" else sign)
    of_hexes = "; of hexes of one map alone" if known.of_hexes else ""
    return f"| {written} | {'<br>'.join(f'`{form}`' for form in known.forms)} | {known.documentation}{of_hexes} |"
