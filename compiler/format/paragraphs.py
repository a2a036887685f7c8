"""Format paragraphs and their contents: one clause, one step, one setting per line.

Paragraphs are separated by one empty line; between other lines the empty lines of the author are preserved, but at most
one. A comment stays above its line, and keeps its empty lines.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from compiler.format.formulas import lay_out_formula
from compiler.format.layout import BREAK_AND_BLANK_LINE, EMPTY, NEXT, SPACE, Group, Indent, Layout, LeadingComment, Line
from compiler.format.line_flow import LAYOUTS, first_leaf, has_comments, last_leaf, lay_out, lay_out_row, part_name
from compiler.source.concrete import Branch, ConcreteNode, Leaf

# Always separated from their neighbors by empty lines.
_PARAGRAPHS = {
    "action", "case", "dispute", "example", "extend_precondition", "hook", "insert", "moment_hook", "precondition",
    "reaction", "resolution", "rule", "ruling", "sequence", "table_precondition", "task",
}  # fmt: skip


def _lay_out_file(branch: Branch) -> Layout:
    """Format a whole file."""
    *members, end = branch.parts
    assert isinstance(end, Leaf)
    return _lay_out_members(members, end)


# ---------------------------------------------------------------- lists


def _lay_out_members(members: Sequence[ConcreteNode], end: Leaf) -> Layout:
    """Format members of a list on separate lines, with the comments before its end."""
    layouts: list[Layout] = []
    previous: ConcreteNode | None = None
    for member in members:
        blanks = _blanks(first_leaf(member))
        if previous is not None:
            has_paragraph = _is_paragraph(previous) or _is_paragraph(member)
            layouts.append(BREAK_AND_BLANK_LINE if blanks[0] or (has_paragraph and not any(blanks)) else NEXT)
        layouts.append(_below_comments(member, blanks[1:]))
        previous = member
    for remark in end.above:
        if layouts:
            layouts.append(BREAK_AND_BLANK_LINE if remark.follows_blank_line else NEXT)
        layouts.append(LeadingComment(remark.text))
    return tuple(layouts)


def _blanks(token: Leaf) -> list[bool]:
    """Return where the author left lines empty: before each comment above a token, and before the token."""
    return [*(remark.follows_blank_line for remark in token.above), token.follows_blank_line]


def _below_comments(member: ConcreteNode, blanks: Iterable[bool]) -> Layout:
    """Format a member below its comments; `blanks` states behind which an empty line follows."""
    above = first_leaf(member).above
    lines = [
        (LeadingComment(remark.text), BREAK_AND_BLANK_LINE if blank else NEXT)
        for remark, blank in zip(above, blanks, strict=True)
    ]
    return (*lines, lay_out(_without_comments(member)))


def _without_comments(twig: ConcreteNode) -> ConcreteNode:
    """Remove the comments above the first token of a part."""
    if isinstance(twig, Leaf):
        return replace(twig, above=())
    first, *others = twig.parts
    return replace(twig, parts=(_without_comments(first), *others))


def _is_paragraph(twig: ConcreteNode) -> bool:
    """Return whether a member is a paragraph by its kind, or because it has several lines."""
    return part_name(twig) in _PARAGRAPHS or (
        isinstance(twig, Branch) and twig.kind in {"term", "define"} and part_name(twig.parts[-1]) == "reads"
    )


def _lay_out_braces(parts: Sequence[ConcreteNode]) -> Layout:
    """Format braces and what is between them, one member per line."""
    opening, *members, closing = parts
    assert isinstance(closing, Leaf)
    if not members and not closing.above and not first_leaf(opening).trailing_comment:
        return (lay_out(opening), lay_out(closing))
    body = _lay_out_members(members, closing)
    return (lay_out(opening), Indent((NEXT, body)) if body else EMPTY, NEXT, lay_out(replace(closing, above=())))


# ---------------------------------------------------------------- paragraphs


def _lay_out_container(branch: Branch) -> Layout:
    """Format a case, dispute, example or task: a head, and members in braces."""
    opens = next(index for index, part in enumerate(branch.parts) if part_name(part) == "LBRACE")
    return (lay_out_row(branch.kind, branch.parts[:opens]), SPACE, _lay_out_braces(branch.parts[opens:]))


def _lay_out_statements(branch: Branch) -> Layout:
    """Format steps, or the rules and examples of a reading or a ruling, in their braces."""
    return _lay_out_braces(branch.parts)


def _lay_out_body(branch: Branch) -> Layout:
    """Format the conclusion and the clauses of a rule without a head."""
    first, *others = branch.parts
    return (lay_out(first), *((NEXT, lay_out(claim)) for claim in others))


def lay_out_reading(branch: Branch) -> Layout:
    """Format one reading of a dispute."""
    *head, body = branch.parts
    return (lay_out_row(branch.kind, head), SPACE, lay_out(body))


def _lay_out_rule(branch: Branch) -> Layout:
    """Format a rule: its head, then a line for each clause."""
    head = [part for part in branch.parts if part_name(part) != "body"]
    claims = [claim for part in branch.parts[len(head) :] if isinstance(part, Branch) for claim in part.parts]
    return (_lay_out_head(branch.kind, head), _lay_out_claims(claims))


def _lay_out_ruling(branch: Branch) -> Layout:
    """Format a ruling: its head, question and answer, then a line for each clause."""
    asks = next(index for index, part in enumerate(branch.parts) if part_name(part) == "ASKS")
    head, claims, clauses = branch.parts[:asks], branch.parts[asks : asks + 4], branch.parts[asks + 4 :]
    layout = (
        lay_out_row(branch.kind, head),
        _lay_out_claims([Branch("asks", claims[:2]), Branch("answers", claims[2:])]),
    )
    for part in clauses:
        assert isinstance(part, Branch)
        return (layout, SPACE, lay_out(part)) if part.kind == "laws" else (layout, _lay_out_claims(part.parts))
    return layout


def _lay_out_claims(claims: Iterable[ConcreteNode]) -> Layout:
    """Format clauses, one per line, indented by one step."""
    return Indent(tuple((NEXT, _below_comments(claim, [False] * len(first_leaf(claim).above))) for claim in claims))


def _lay_out_precondition(branch: Branch) -> Layout:
    """Format a precondition: its head, then lines for `needs`, `before`, `when` and `but not in`."""
    index = next(index for index, part in enumerate(branch.parts) if part_name(part) == "NEEDS")
    head, (needs, formula_, *step), others = (
        branch.parts[:index],
        branch.parts[index : index + 4],
        branch.parts[index + 4 :],
    )
    needed = (lay_out(needs), SPACE, Indent(lay_out(formula_)))
    lines = (needed, lay_out_row(branch.kind, step), *map(lay_out, others))
    return (_lay_out_head(branch.kind, head), Indent(tuple((NEXT, line) for line in lines)))


def table_precondition(branch: Branch) -> Layout:
    """Format a precondition at the table: its head, `at the table`, and `needs`."""
    index = next(index for index, part in enumerate(branch.parts) if part_name(part) == "AT")
    head, (*words, needs, formula_) = branch.parts[:index], branch.parts[index:]
    needed = (lay_out(needs), SPACE, Indent(lay_out(formula_)))
    return (_lay_out_head(branch.kind, head), Indent(((NEXT, lay_out_row(branch.kind, words)), (NEXT, needed))))


def _lay_out_term(branch: Branch) -> Layout:
    """Format a term; its wording is below it."""
    head = [part for part in branch.parts if part_name(part) != "reads"]
    return (lay_out_row(branch.kind, head), _lay_out_claims(branch.parts[len(head) :]))


def _lay_out_definition(branch: Branch) -> Layout:
    """Format a definition; its wording is below it."""
    equals = next(index for index, part in enumerate(branch.parts) if part_name(part) == "EQUAL")
    head, value, reads = branch.parts[: equals + 1], branch.parts[equals + 1], branch.parts[equals + 2 :]
    return (lay_out_row(branch.kind, head), lay_out_formula(value), _lay_out_claims(reads))


def _lay_out_pairs(branch: Branch) -> Layout:
    """Format the rows of an example, or the clauses of a wording: all on one line, or each on a separate one."""
    parts = branch.parts
    starts = (index for index, part in enumerate(parts) if part_name(part) in {"row", "SAYS", "DENIED"})
    start = next(starts, len(parts))
    each = [lay_out_row(branch.kind, parts[index : index + 2]) for index in range(start, len(parts), 2)]
    return Group((lay_out_row(branch.kind, parts[:start]), Indent(tuple((Line(" "), row) for row in each))))


# ---------------------------------------------------------------- procedures


def _lay_out_conduct(branch: Branch) -> Layout:
    """Format a part with a block of steps, such as an action, a phase or a loop; its account is below."""
    *head, block = branch.parts
    if part_name(block) == "account":
        *head, block = head
        return (_lay_out_head(branch.kind, head), SPACE, _steps(block), NEXT, lay_out(branch.parts[-1]))
    return (_lay_out_head(branch.kind, head), SPACE, _steps(block))


def _lay_out_insertion(branch: Branch) -> Layout:
    """Format steps that a rule inserts, and their place."""
    verb, block, *place = branch.parts
    return (lay_out(verb), SPACE, _steps(block), SPACE, lay_out_row(branch.kind, place))


def _steps(block: ConcreteNode) -> Layout:
    """Format a block behind its head: a short one on the same line."""
    assert isinstance(block, Branch)
    return Group(_lay_out_short_block(block)) if _is_short(block) else _lay_out_braces(block.parts)


def _lay_out_head(kind: str, head: Sequence[ConcreteNode]) -> Layout:
    """Format a head that may end with prose and a wording; the wording is the first to be moved to the next line."""
    end = len(head)
    while end and part_name(head[end - 1]) in {"prose", "reads", "unpreferred"}:
        end -= 1
    layout = lay_out_row(kind, head[:end])
    for part in head[end:]:
        layout = Group((layout, Indent((Line(" "), lay_out(part)))))
    return layout


def _steps_by_case(branch: Branch) -> Layout:
    """Format `if e { .. } else if f { .. } else { .. }`: all on one line, or no block on one line."""
    one_line = first_leaf(branch).line == last_leaf(branch).line and all(map(_is_short, _blocks(branch)))
    return Group(_arms(branch, _lay_out_short_block if one_line else lambda block: _lay_out_braces(block.parts)))


def _blocks(branch: Branch) -> Iterator[Branch]:
    """Return the blocks of an `if` and of its `else` branches."""
    for part in branch.parts:
        if isinstance(part, Branch) and part.kind == "block":
            yield part
        elif isinstance(part, Branch) and part.kind == "branch":
            yield from _blocks(part)


def _arms(branch: Branch, lay_block: Callable[[Branch], Layout]) -> Layout:
    """Format an `if` and its `else` branches."""
    if_, condition, consequent, *alternative = branch.parts
    assert isinstance(consequent, Branch)
    layout = (lay_out_row("branch", (if_, condition)), SPACE, lay_block(consequent))
    if not alternative:
        return layout
    else_, last = alternative
    assert isinstance(last, Branch)
    return (*layout, SPACE, lay_out(else_), SPACE, _arms(last, lay_block) if last.kind == "branch" else lay_block(last))


def _is_short(block: Branch) -> bool:
    """Return whether the author wrote a block of one plain step in one line."""
    opening, *steps, closing = block.parts
    plain = len(steps) == 1 and part_name(steps[0]) not in {"branch", "each", "loop", "phase"}
    return plain and first_leaf(opening).line == first_leaf(closing).line and not has_comments(block)


def _lay_out_short_block(block: Branch) -> Layout:
    """Format a short block on the line of its head, if it fits."""
    opening, step, closing = block.parts
    return (lay_out(opening), Indent((Line(" "), lay_out(step))), Line(" "), lay_out(closing))


LAYOUTS.update(
    {
        "start": _lay_out_file,
        **dict.fromkeys(("account", "case", "dispute", "drawn", "example", "task"), _lay_out_container),
        "insert_steps": _lay_out_insertion,
        **dict.fromkeys(("wrap", "replace_step"), _lay_out_conduct),
        **dict.fromkeys(
            ("action", "each", "hook", "loop", "moment_hook", "phase", "reaction", "resolution", "sequence"),
            _lay_out_conduct,
        ),
        "branch": _steps_by_case,
        **dict.fromkeys(("cases", "wording"), _lay_out_pairs),
        "define": _lay_out_definition,
        **dict.fromkeys(("block", "laws"), _lay_out_statements),
        "body": _lay_out_body,
        "reading": lay_out_reading,
        "argued_reading": lay_out_reading,
        "precondition": _lay_out_precondition,
        "table_precondition": table_precondition,
        "rule": _lay_out_rule,
        "ruling": _lay_out_ruling,
        "term": _lay_out_term,
    }
)
