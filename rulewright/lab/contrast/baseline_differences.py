"""The differences between a stack and the baseline of its book, for printing."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from compiler.rulebook.booklet import AnswerDifference, Baseline, CardDifference, ChangeEvidence, QuestionDifference
from compiler.rulebook.sentences import question_text
from compiler.rulebook.titles import book_title
from rulewright.lab.contrast.card_differences import cards_data
from rulewright.lab.contrast.differences import difference_of
from rulewright.lab.contrast.equal_layers import equal_layers_text
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.members import members_of
from runtime.witness.behavioral_diff import DiffGroup
from runtime.witness.change_report import RENAMED, ChangeReport
from runtime.witness.structural_difference import attribution_name


def compare_stacks(stack: Stack, older: Stack, day: str) -> Baseline:
    """Compare a stack with an older one, whose answers are the old ones; `day` is that of its edition."""
    rules, base = stack.graph, older.graph
    assert rules is not None
    assert base is not None
    found = difference_of(older, stack)
    question_differences = tuple(
        QuestionDifference(
            term.term,
            term.differs,
            term.positions,
            tuple(_answer_difference(rules, base, term.term, group) for group in term.groups),
        )
        for term in found.terms
        if term.groups
    )
    title = book_title(base)
    if rules.stack == base.stack:
        title = f"its edition of {day}" if day else "an older edition"
    evidence = tuple(
        ChangeEvidence(change.change.kind, label, operation, change.status, change.reason)
        for change in found.changes
        for label, operation in _as_listed(change)
    )
    cards = tuple(_card_difference(stack, card) for card in cards_data(older, stack))
    return Baseline(base, title, question_differences, evidence, cards, equal_layers_text(stack, older))


def _card_difference(stack: Stack, card: Mapping[str, Any]) -> CardDifference:
    """Describe a changed card, with the names that the book has for its sides and counters."""
    rules, file = stack.graph, stack.library.scenarios.get(card["b"])
    assert rules is not None
    names = {name: words.counter(name, rules.counters) for name in rules.counters}
    names |= {side: words.side(side, rules.vocabulary) for side in members_of(rules.vocabulary, "side")}
    sentences = (f"{each['about']}: {each['says']}" for each in card["says"])
    return CardDifference(
        f"{file.title if file else ''} ({card['b']})".strip(),
        tuple(re.sub(r"\b\w+\b", lambda word: names.get(word[0], word[0]), sentence) for sentence in sentences),
    )


def _as_listed(each: ChangeReport) -> Iterator[tuple[str, str]]:
    """Yield what a change is called and how it differs; a book lists what has another name under both."""
    if each.change.operation == RENAMED:
        yield each.label, "gone"
        yield attribution_name(each.change.kind, *each.change.fields), "new"
    else:
        yield each.label, each.change.operation


def _answer_difference(rules: graph.Graph, base: graph.Graph, term: str, group: DiffGroup) -> AnswerDifference:
    case = group.witness
    speaks = base if case.stack == base.stack and base.stack != rules.stack else rules
    return AnswerDifference(
        group.rules,
        group.follows,
        group.differs,
        question_text(speaks, term, case.arguments),
        case.a,
        case.b,
        _with_counters(case.position, speaks) if case.position else None,
        case.stack,
        group.dependents,
    )


def _with_counters(position: graph.Position, rules: graph.Graph) -> graph.Position:
    """Return a position with the counters of its pieces restored: one that both stacks can read has printed values."""
    known = {(each.kind, each.owner, frozenset(each.printed), frozenset(each.traits)): each.id
             for each in sorted(rules.counters.values(), key=lambda each: each.id, reverse=True)}  # fmt: skip

    def with_counter(piece: graph.PieceAt) -> graph.PieceAt:
        printed = piece.kind, piece.owner, frozenset(piece.printed), frozenset(piece.traits)
        if piece.counter or printed not in known:
            return piece
        return replace(piece, counter=known[printed], printed=(), traits=())

    return replace(position, pieces=tuple(map(with_counter, position.pieces)))
