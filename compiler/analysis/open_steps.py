"""Steps that have the effect of a question of permission without asking it.

In: a stack and a verdict. Out: the steps of the same form as those whose arguments the verdict is asked about, on whose
access path nothing asks it. Where the procedure asks itself, or all that start it do, the step is left out; so are
statuses and removals, which acts of all kinds cause. What the other steps do may differ in the circumstances: an author
decides whether they are meant.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from compiler.analysis.access_paths import GuardedStep
from compiler.analysis.laws import layers_below
from compiler.analysis.normal_form import normalize
from compiler.analysis.ranged_writes import steps_by_callee, steps_by_procedure
from compiler.analysis.step_reads import expressions_of_term
from compiler.analysis.term_queries import GuardReader, substitution_of
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.adopted_rules import denies, is_adopted
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import RemovePiece, SetStatus
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.governed_steps import Form, arguments_of, form_of
from runtime.graph.related_procedures import procedure_label
from runtime.graph.walk import nodes_of


@frozen_dataclass
class OpenStep:
    """A procedure with a step that has the effect, the step, and the verdicts that are asked on the way to it."""

    key: str
    step: graph.Step
    verdicts: tuple[str, ...]


def open_step_notes(stack: graph.Graph) -> Iterator[str]:
    """Yield a sentence for each question of lower layers that a topmost layer forbids and that other steps avoid."""
    guarded_steps = steps_by_procedure(stack)
    lower_layers = set().union(*layers_below(stack).values())
    for name, term in sorted(stack.terms.items()):
        layers = set()
        for label in term.rules:
            rule = stack.rules[label]
            if denies(rule) and not is_adopted(rule, term):
                layers.add(rule.origin.layer)
        layers -= {*lower_layers, term.origin.layer}
        steps = _open_steps(_OpenStepSearch(stack, name, guarded_steps)) if layers else ()
        if steps:
            forbidding = f"{words.list_text(sorted(layers))} {'forbid' if len(layers) > 1 else 'forbids'} `{name}`"
            yield f"{forbidding}; these steps do the same and do not ask it: {_steps_text(steps)}"


def _steps_text(steps: Sequence[OpenStep]) -> str:
    """List procedures by the verdicts that they ask."""
    procedures: dict[tuple[str, ...], list[str]] = {}
    for step in steps:
        labels = procedures.setdefault(step.verdicts, [])
        if (label := procedure_label(step.key)) not in labels:
            labels.append(label)
    texts = []
    for verdicts, labels in procedures.items():
        questions = words.list_text(verdicts) if verdicts else "nothing"
        texts.append(f"{', '.join(labels)} (asks {questions})")
    return "; ".join(texts)


def _open_steps(search: "_OpenStepSearch") -> tuple[OpenStep, ...]:
    """Return the steps that have the effect of a verdict without asking it, one of each procedure."""
    forms = search.governed_forms()
    found: dict[str, OpenStep] = {}
    for key, steps in search.steps.items():
        for each in steps:
            if form_of(each.step) in forms and not search.is_asked(each, frozenset()):
                found.setdefault(key, OpenStep(key, each.step, search.verdicts_asked(each)))
    return tuple(found[key] for key in sorted(found))


@dataclass
class _OpenStepSearch:
    """A search through the procedures of a stack for the steps that a verdict is about."""

    stack: graph.Graph
    term: str
    steps: Mapping[str, tuple[GuardedStep, ...]]

    @cached_property
    def guards(self) -> GuardReader:
        """Return the reader of guards that ask the verdict, themselves or through other terms."""
        return GuardReader(self.stack, frozenset({self.term}))

    @cached_property
    def callers(self) -> Mapping[str, Sequence[GuardedStep]]:
        """Return for each procedure the steps that start it."""
        return steps_by_callee(self.stack, self.steps)

    def governed_forms(self) -> frozenset[Form]:
        """Return the forms of the steps that the verdict is asked about: those with most arguments in the question."""
        counts: dict[Form, int] = {}
        for each in (each for steps in self.steps.values() for each in steps):
            if not _changes_position(each.step):
                continue
            names = substitution_of(each.path)
            arguments = {normalize(value, names) for value in arguments_of(each.step).values()}
            for query in self.guards.facts_on_path(each.path).queries:
                if query.term == self.term and arguments and arguments <= set(query.arguments):
                    counts[form_of(each.step)] = max(counts.get(form_of(each.step), 0), len(arguments))
        most = max(counts.values(), default=0)
        return frozenset(form for form, count in counts.items() if count == most)

    def is_asked(self, each: GuardedStep, seen: frozenset[str]) -> bool:
        """Return whether a guard on the way to a step asks the verdict, or on the way to all that start it."""
        if any(query.term == self.term for query in self.guards.facts_on_path(each.path).queries):
            return True
        callers = self.callers[each.key] if each.key not in seen else ()
        return bool(callers) and all(self.is_asked(caller, seen | {each.key}) for caller in callers)

    def verdicts_asked(self, each: GuardedStep) -> tuple[str, ...]:
        """Return the verdicts that the guards on the way to a step ask, themselves or by a term of another form.

        Where they ask none, those on the way to the steps that start the procedure.
        """
        verdicts = self._verdicts(each)
        if not verdicts:
            verdicts = [name for caller in self.callers[each.key] for name in self._verdicts(caller)]
        return tuple(dict.fromkeys(verdicts))

    def _verdicts(self, each: GuardedStep) -> list[str]:
        terms: list[str] = []
        for name in _asked_terms(each.path.guards):
            term = self.stack.terms[name]
            terms += [name] if term.form == "verdict" else _asked_terms(expressions_of_term(term, self.stack))
        return [name for name in terms if self.stack.terms[name].form == "verdict"]


def _asked_terms(expressions: Iterable[graph.Expr]) -> list[str]:
    return [node.term for node in nodes_of(graph.Ask, tuple(expressions))]


def _changes_position(step: graph.Step) -> bool:
    """Return whether a step changes more than a status; a piece that is moved off the map has no place to be asked."""
    return any(not isinstance(effect, SetStatus | RemovePiece) for effect in effects_of(step))
