"""Unsatisfiable conditions nested in expressions: a filter, the condition of an `if`, one side of an `or`.

In: a stack, and its question sites. Out: the conditions, each with those of its parts, and of the surrounding
conditions, that exclude one another. Where the surrounding conditions exclude one another already, the finding is
theirs. The unit chart and the answers of rules are not used, as with the steps of procedures (dead_steps.py).
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from compiler.analysis.condition_texts import ALONE, earlier_condition_text, exclusion_text
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.facts import facts_of
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.nested_conditions import (
    ConditionScope,
    NestedCondition,
    Part,
    conditions_inside,
    nested_conditions,
    part_of_all,
)
from compiler.analysis.normal_form import normalize
from compiler.analysis.parties import Party, StepPlace, party_label
from compiler.analysis.question_sites import QuestionSite
from compiler.analysis.solve import minimal_conflict, solve
from compiler.analysis.translate import Translator
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, backquoted, truncated_line
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.interval import interval_of
from runtime.graph.walk import walk

# The consequence where a condition inside an expression never holds.
_IN_VAIN = {
    "where": "so nothing is found",
    "if": "so `else` always applies",
    "or": "so this side of the `or` has no effect",
    "and": "so the whole is always false",
}


@finding("R0531", "never-holds", WARNING)
class NeverHolds(Finding):
    """A condition inside an expression is unsatisfiable: `clashing` are those of its parts that exclude one another.

    `form`: "where" (of what is counted or collected), "if", "or" (one of its sides), "and". Of an `if`, its negation
    may be unsatisfiable instead: then `always` is set; likewise for a whole `or` ("either") and for a conjunct
    ("part").
    """

    procedure: Party
    step: StepPlace | None
    form: str
    clashing: tuple[str, ...]
    always: bool

    def sentence(self) -> Sentence:
        within = f"in `{self.procedure.label}`"
        condition, *others = self.clashing
        holds = f"{within}, {backquoted(truncated_line(condition))} is always true"
        if self.form == "either":
            return self._told(
                holds,
                "so this `or` has no effect",
                "write `and` if that was meant, or delete this condition",
                root=f"{self.procedure.label} {condition}",
            )
        if self.form == "part":
            root = f"{self.procedure.label} {condition}"
            return self._told(holds, "so it has no effect", "correct the condition, or delete it", root)
        if self.always and not others:
            return self._told(holds, "so `else` never applies", "correct the condition, or delete the `if`")
        earlier = earlier_condition_text(self.clashing) if self.form == "if" and not self.always else ""
        if earlier:
            message = f"{within}, {backquoted(truncated_line(earlier, ALONE))} is false here, as it was tested above"
            return self._told(message, _IN_VAIN["if"], "correct the condition, or delete it")
        note = "so `else` never applies" if self.always else _IN_VAIN[self.form]
        message = f"{within}, {exclusion_text(self.clashing)}"
        return self._told(message, note, "correct the condition, or delete it")

    def _told(self, message: str, note: str, advice: str, root: str = "") -> Sentence:
        return Sentence(message, (party_label(self.procedure, note),), advice, root=root)


def never_holds(laws: Laws, sites: Iterable[QuestionSite], intervals: Intervals) -> Iterator[NeverHolds]:
    """Find the unsatisfiable conditions nested in expressions."""
    text = ExpressionWriter(laws.stack.vocabulary).text
    for site in sites:
        found = [
            (each, *conflict)
            for each in _conditions_at(site, laws.stack)
            if (conflict := _clashing_conjuncts(laws, each, intervals))[0]
        ]
        if not found or (site.condition and _is_closed(laws, site, intervals)):
            continue
        for each, clashing, always in found:
            inside_it = {id(node) for node in walk(each.written)} - {id(each.written)}
            if any(id(other.written) in inside_it for other, _, _ in found):
                continue  # The innermost condition is the cause.
            yield NeverHolds(site.party, site.step, each.form, tuple(map(text, clashing)), always)


def _conditions_at(site: QuestionSite, stack: graph.Graph) -> Iterator[NestedCondition]:
    """List the conditions nested at a question site.

    The whole condition has separate findings (dead rules, dead steps).
    """
    if not site.condition:
        return nested_conditions(site.expr, site.scope, stack)
    return chain(part_of_all(site.expr, site.scope), conditions_inside(site.expr, site.scope, stack))


def _is_closed(laws: Laws, site: QuestionSite, intervals: Intervals) -> bool:
    """Return whether a whole condition is unsatisfiable, which is reported at the construct that evaluates it."""
    own_parts = tuple((part, normalize(part, site.scope.names)) for part in conjuncts(site.expr))
    return bool(clashing_parts(laws, site.scope, own_parts, intervals))


def _clashing_conjuncts(laws: Laws, each: NestedCondition, intervals: Intervals) -> tuple[tuple[graph.Expr, ...], bool]:
    """Return the conjuncts that exclude one another, and whether they are those of the negation.

    If the negation is unsatisfiable, the condition is always true.
    """
    if each.form == "part":
        known = {name: interval_of(value_type) for name, value_type in each.scope.types.items()}
        return (each.written,) if intervals.always_holds(normalize(each.written, each.scope.names), known) else (), True
    own_parts = tuple((part, normalize(part, each.scope.names)) for part in conjuncts(each.written))
    found = clashing_parts(laws, each.scope, own_parts, intervals) if each.form != "either" else ()
    if found or each.form not in {"if", "either"}:
        return found, False
    negation = graph.Op("not", (each.written,))
    found = clashing_parts(laws, each.scope, ((negation, normalize(negation, each.scope.names)),), intervals)
    return (each.written,) if found == (negation,) else found, True


def clashing_parts(
    laws: Laws, scope: ConditionScope, parts: tuple[Part, ...], intervals: Intervals
) -> tuple[graph.Expr, ...]:
    """Return the conditions, among these and those of the scope, that exclude one another.

    Empty if the scope is already contradictory, or the conditions can hold in it.
    """
    translator = Translator(laws, scope.types, intervals, deepest=0)
    formulas = {part: translator.translate_expression(part[1]) for part in (*scope.facts, *parts)}
    facts = facts_of(translator)

    def is_unsatisfiable(*chosen: Part) -> bool:
        return solve(translator.space, *(formulas[part] for part in chosen), *facts) is None

    if not is_unsatisfiable(*formulas) or is_unsatisfiable(*scope.facts):
        return ()
    return tuple(written for written, _ in minimal_conflict(tuple(formulas), is_unsatisfiable))
