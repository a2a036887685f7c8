"""A part of an `and` that holds anyway, since another part of it, or what stands around it, leaves nothing else.

In: a stack, and its question sites. Out: such parts, each with those that say it already. Only words are compared: what
something is (`x is a`), and which member of a list (`x = a`, `x in {a, b}`), as told from the other words asked of the
same thing. A bound that implies another may be meant to help the reader, and what may be absent has to be asked first.
"""

from collections.abc import Iterable, Iterator, Mapping

from compiler.analysis.budgets import spend
from compiler.analysis.expression_text import Writer
from compiler.analysis.formula import Formula
from compiler.analysis.idle_code import HoldsAnyway
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.nested_conditions import NestedCondition, Part, Scope, conditions_inside, nested_conditions
from compiler.analysis.normal_form import conjuncts, normalize
from compiler.analysis.question_sites import QuestionSite
from compiler.analysis.solve import minimal_conflict, solve
from compiler.analysis.space import Space
from compiler.analysis.translate import Translator, negation_of
from runtime.graph import nodes as graph

TOLD = {"trait", "feature", "status"}


def implied_conjuncts(laws: Laws, speakers: Iterable[QuestionSite], intervals: Intervals) -> Iterator[HoldsAnyway]:
    """Find parts of an `and` that hold anyway."""
    text = Writer(laws.stack.vocabulary).text
    for speaker in speakers:
        for written, scope in _joined(speaker, laws.stack):
            for part, by in _idle(laws, written, scope, intervals):
                yield HoldsAnyway(speaker.party, speaker.step, text(part), tuple(map(text, by)))


def _joined(speaker: QuestionSite, stack: graph.Graph) -> Iterator[tuple[graph.Expr, Scope]]:
    """List the conditions of a speaker that have several parts."""
    parts: Iterable[NestedCondition] = (conditions_inside if speaker.condition else nested_conditions)(
        speaker.expr, speaker.scope, stack
    )
    whole = [(speaker.expr, speaker.scope)] if speaker.condition else []
    for written, scope in (*whole, *((each.written, each.scope) for each in parts if each.what != "either")):
        if isinstance(written, graph.Op) and written.op == "and":
            yield written, scope


def _idle(
    laws: Laws, written: graph.Expr, scope: Scope, intervals: Intervals
) -> Iterator[tuple[graph.Expr, tuple[graph.Expr, ...]]]:
    """List the parts that hold anyway, the last first; what one of them rests on is needed."""
    own = [(part, normalize(part, scope.names)) for part in conjuncts(written)]
    about_same: dict[graph.Expr, dict[graph.Expr, Part]] = {}  # Each once, however often it is asked.
    for each in (*scope.given, *own):
        if (about := _subject_of(each[1])) is not None:
            about_same.setdefault(about, {}).setdefault(each[1], each)
    translators = {about: Translator(laws, scope.types, intervals, deepest=0) for about in about_same}
    formulas = {
        about: {each: translators[about].translate_expression(meant) for meant, each in said.items()}
        for about, said in about_same.items()
    }
    for part in reversed(own):
        about = _subject_of(part[1])
        left = {} if about is None else about_same[about]
        spend(1 + len(left))
        others = tuple(other for meant, other in left.items() if meant != part[1])
        if about is None or not others or all(_is_one_word(each[1]) for each in (part, *others)):
            continue
        if by := _implying_conditions(others, part, translators[about].space, formulas[about]):
            left.pop(part[1], None)
            yield part[0], by


def _implying_conditions(
    others: tuple[Part, ...], part: Part, space: Space, formulas: Mapping[Part, Formula]
) -> tuple[graph.Expr, ...]:
    """List the conditions that leave a part no other way; none if it may fail, or if they hold nowhere together."""
    denied = negation_of(formulas[part])

    def closed(*parts: Part) -> bool:
        return solve(space, denied, *(formulas[each] for each in parts)) is None

    if not closed(*others) or closed() or solve(space, *(formulas[each] for each in (part, *others))) is None:
        return ()
    return tuple(written for written, _ in minimal_conflict(others, closed))


def _subject_of(meant: graph.Expr) -> graph.Expr | None:
    """Return of what a condition asks for words; None where it asks something else."""
    match meant:
        case graph.Op("not", (inner_,)):
            return _subject_of(inner_)
        case graph.Op("=", (asked, graph.Member())) | graph.Op("in", (asked, graph.SetOf())):
            return asked
        case graph.Is(subject, (test,)) if test.what in TOLD:
            return subject
        case graph.Op("or" | "and", (first, *others)):
            about = _subject_of(first)
            return about if all(_subject_of(other) == about for other in others) else None
        case _:
            return None


def _is_one_word(meant: graph.Expr) -> bool:
    """Return whether a condition tests one word: that something is this says nothing of its being that."""
    return isinstance(meant, graph.Is) or (
        isinstance(meant, graph.Op) and meant.op == "not" and isinstance(meant.arguments[0], graph.Is)
    )
