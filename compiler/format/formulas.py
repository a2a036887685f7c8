"""Format expressions: a long one continues on the next line before `and`, `or`, `else` or a sign.

Either all conjuncts of a condition are on one line, or each has its own.
"""

from collections.abc import Iterable, Iterator

from compiler.format.layout import SPACE, Group, Indent, Layout, Line
from compiler.format.line_flow import LAYOUTS, lay_out, lay_out_row, part_name
from compiler.source.concrete import Branch, ConcreteNode

_SUMS = {"plus", "times"}


def lay_out_formula(twig: ConcreteNode) -> Layout:
    """Format what follows `=`, `is` or `to`, including the space before it."""
    return Group(Indent((Line(" "), lay_out(twig))))


def _lay_out_assignment(branch: Branch) -> Layout:
    """Format `let x = e` and the like: the last part is the formula."""
    *head, last = branch.parts
    return (lay_out_row(branch.kind, head), lay_out_formula(last))


def _lay_out_logic(branch: Branch) -> Layout:
    """Format `a and b and c`."""
    return _lay_out_pairs(branch.kind, branch.parts)


def _lay_out_comparison(branch: Branch) -> Layout:
    """Format `a <= b`; a sum on either side may move the sign to the next line."""
    left, *compared = branch.parts
    if not _SUMS.intersection(map(part_name, branch.parts)):
        return lay_out_row(branch.kind, branch.parts)
    return Group(Indent((lay_out(left), Line(" "), lay_out_row(branch.kind, compared))))


def _lay_out_arithmetic(branch: Branch) -> Layout:
    """Format `a + b - c`, which the grammar nests to the left."""
    return _lay_out_pairs(branch.kind, _chained(branch, branch.kind))


def _lay_out_pairs(kind: str, operands: Iterable[ConcreteNode]) -> Layout:
    first, *others = operands
    pairs = zip(others[::2], others[1::2], strict=True)
    return Group((lay_out(first), *((Line(" "), lay_out_row(kind, pair)) for pair in pairs)))


def _chained(twig: ConcreteNode, kind: str) -> Iterator[ConcreteNode]:
    """Return operands and signs of a chain."""
    if isinstance(twig, Branch) and twig.kind == kind:
        left, sign, right = twig.parts
        yield from (*_chained(left, kind), sign, right)
    else:
        yield twig


def _lay_out_choice(branch: Branch) -> Layout:
    """Format `if a then b else if c then d else e`: on one line, or each outcome on a separate one."""
    return Group(tuple(_arms(branch)))


def _arms(branch: Branch) -> Iterator[Layout]:
    """Format the outcomes of a choice; the grammar nests the next choice behind `else`."""
    if_, condition, then, yes, else_, no = branch.parts
    head = lay_out_row("choice", (if_, condition))
    yield Group((head, Indent((Line(" "), lay_out_row("choice", (then, yes))))))
    yield Line(" ")
    yield lay_out(else_)
    yield SPACE
    if isinstance(no, Branch) and no.kind == "choice":
        yield from _arms(no)
    else:
        yield lay_out(no)


def lay_out_reading(branch: Branch) -> Layout:
    """Format `reads "..." denied "..."`: both on one line, or each on a separate one."""
    if len(branch.parts) == 2:
        return lay_out_row(branch.kind, branch.parts)
    says, denies = branch.parts[:2], branch.parts[2:]
    return Group((lay_out_row(branch.kind, says), Line(" "), lay_out_row(branch.kind, denies)))


ASSIGNMENTS = ("always", "assign", "is_conclusion", "let", "naming", "value_conclusion")

LAYOUTS.update(
    {
        **dict.fromkeys(ASSIGNMENTS, _lay_out_assignment),
        "both": _lay_out_logic,
        "either": _lay_out_logic,
        **dict.fromkeys(_SUMS, _lay_out_arithmetic),
        "compare": _lay_out_comparison,
        "choice": _lay_out_choice,
        "reads": lay_out_reading,
    }
)
