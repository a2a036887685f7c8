"""The differences between a stack and the baseline of its book, as the book prints them."""

from dataclasses import replace

from compiler.rulebook.booklet import AnswerDifference, Baseline, ChangeEvidence, QuestionDifference
from compiler.rulebook.sentences import question_text
from compiler.rulebook.titles import book_title
from rulewright.contrast.differences import difference_of
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.witness.behavioral_diff import Group


def compare_stacks(stack: Stack, older: Stack, day: str = "") -> Baseline:
    """Compare two stacks: the base comes first, so that its answers are the old ones; `day` is that of its edition."""
    rules, base = stack.graph, older.graph
    assert rules is not None
    assert base is not None
    found = difference_of(older, stack)
    parted = tuple(
        QuestionDifference(
            each.term,
            each.differs,
            each.of,
            tuple(_answer_difference(rules, base, each.term, one) for one in each.groups),
        )
        for each in found.terms
        if each.groups
    )
    title = book_title(base)
    if rules.stack == base.stack:
        title = f"its edition of {day}" if day else "an older edition"
    told = tuple(
        ChangeEvidence(each.change.kind, each.label, each.change.how, each.status, each.why) for each in found.changes
    )
    return Baseline(base, title, parted, told)


def _answer_difference(rules: graph.Graph, base: graph.Graph, term: str, group: Group) -> AnswerDifference:
    case = group.witness
    speaks = base if case.stack == base.stack and base.stack != rules.stack else rules
    return AnswerDifference(
        group.rules,
        group.against,
        group.follows,
        group.differs,
        question_text(speaks, term, case.arguments),
        case.a,
        case.b,
        _with_counters(case.position, speaks) if case.position else None,
        case.stack,
        group.dependents,
        case.remarks,
    )


def _with_counters(position: graph.Position, rules: graph.Graph) -> graph.Position:
    """Call pieces by their counters: what both stacks read has what is printed on them in full, if one lacks them."""
    known = {(each.kind, each.owner, frozenset(each.printed), frozenset(each.traits)): each.id
             for each in sorted(rules.counters.values(), key=lambda each: each.id, reverse=True)}  # fmt: skip

    def named(piece: graph.PieceAt) -> graph.PieceAt:
        printed = piece.kind, piece.owner, frozenset(piece.printed), frozenset(piece.traits)
        if piece.counter or printed not in known:
            return piece
        return replace(piece, counter=known[printed], printed=(), traits=())

    return replace(position, pieces=tuple(map(named, position.pieces)))
