"""Deeds: statuses and entries of histories that a procedure sets, and that a condition requires.

In: a stack. Out: the deeds without which a condition is false, through the questions that it asks; the steps that set a
deed; and the names that certainly denote pieces of the side on move.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.call_graph import ProcedureKey, start_of
from runtime.graph.conjuncts import conjuncts
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import AddMember, PrimitiveEffect, SetStatus, SetValue
from runtime.graph.steps import nested_steps
from runtime.graph.verbs import rule_answer

Subject = graph.Expr
NO_DEEDS: frozenset["Deed"] = frozenset()


class Deed(NamedTuple):
    """A status, or entries of a list or set that a track holds: those whose `field` is `member`, unless that is ""."""

    name: str
    field: str = ""
    member: str = ""


class RequiredDeeds:
    """The deeds that the conditions of a stack require; those of its questions are memoized."""

    def __init__(self, stack: graph.Graph) -> None:
        self._stack = stack
        self._by_term: dict[str, frozenset[Deed]] = {}

    def required_by(self, condition: graph.Expr | None) -> frozenset[Deed]:
        """Return the deeds without which a condition is false."""
        parts = () if condition is None else conjuncts(condition)
        return frozenset(deed for part in parts for deed in self._required_by_part(part))

    def _required_by_part(self, part: graph.Expr) -> frozenset[Deed]:
        match part:
            case graph.Is(_, (graph.Test("status", owner, name),), False):
                return frozenset({Deed(f"{owner}.{name}")})
            case graph.Fold("some", entry, graph.Get(_, "track", owner, name), where):
                return frozenset({_entry_deed(f"{owner}.{name}", entry, where)})
            case graph.Op(
                ">", (graph.Fold("count", entry, graph.Get(_, "track", owner, name), where), graph.Num(least))
            ):
                return frozenset({_entry_deed(f"{owner}.{name}", entry, where)}) if least >= 0 else NO_DEEDS
            case graph.Ask(term):
                return self._required_by_term(term)
            case _:
                return NO_DEEDS

    def _required_by_term(self, name: str) -> frozenset[Deed]:
        if name not in self._by_term:
            self._by_term[name] = NO_DEEDS  # A question that asks itself is an error, reported elsewhere.
            term = self._stack.terms.get(name)
            if term is not None and not (term.form == "condition" and term.default):
                affirming = [rule for label in term.rules if _may_affirm(rule := self._stack.rules[label])]
                required = [self.required_by(rule.guard) | self.required_by(_said_by(rule)) for rule in affirming]
                self._by_term[name] = frozenset.intersection(*required) if required else NO_DEEDS
        return self._by_term[name]


def _may_affirm(rule: graph.Rule) -> bool:
    """Return whether a rule may answer yes."""
    return bool(rule.verb) and rule_answer(rule) is not False


def _said_by(rule: graph.Rule) -> graph.Expr | None:
    return rule.value if rule.verb == "is" else None


def _entry_deed(name: str, entry: str, where: graph.Expr | None) -> Deed:
    for part in () if where is None else conjuncts(where):
        match part:
            case graph.Op("=", (graph.Get(graph.Var(read), "record", _, field), graph.Member(_, member))) if (
                read == entry
            ):
                return Deed(name, field, member)
            case _:
                pass
    return Deed(name)


def setting_steps(procedure: graph.Procedure, deed: Deed) -> Iterator[tuple[graph.Step, Subject]]:
    """Yield the steps of a procedure that may set a deed, each with its subject."""
    for step in nested_steps(procedure.body):
        for effect in effects_of(step):
            match effect:
                case (
                    SetStatus(owner, name, True, subject)
                    | SetValue(False, owner, name, base=subject)
                    | AddMember(False, owner, name, base=subject)
                ) if subject is not None and f"{owner}.{name}" == deed.name and _may_set(effect, deed):
                    yield step, subject
                case _:
                    pass


def _may_set(effect: PrimitiveEffect[graph.Expr], deed: Deed) -> bool:
    """Return whether an effect may set a deed of its name: an entry that is added may have another field."""
    entry = effect.value if isinstance(effect, AddMember) else None
    written = dict(entry.fields).get(deed.field) if isinstance(entry, graph.New) else None
    return not (isinstance(written, graph.Member) and deed.member and written.name != deed.member)


OwnNames = Mapping[str, set[str]]


def names_of_own_pieces(stack: graph.Graph) -> OwnNames:
    """Return for each procedure the names that denote pieces of the side on move, if no other side starts it.

    A parameter is one of them if every step that starts the procedure passes such a name.
    """
    own_names = {
        key: _own_choices(each) | {part.name for part in each.parameters} for key, each in stack.procedures.items()
    }
    by_start: dict[ProcedureKey, list[str]] = {}
    for key, procedure in stack.procedures.items():
        by_start.setdefault(start_of(procedure), []).append(key)
    changed = True
    while changed:
        changed = False
        for key, procedure in stack.procedures.items():
            for start, arguments in _started_with_arguments(procedure):
                for callee in by_start.get(start, ()):
                    for parameter, argument in zip(stack.procedures[callee].parameters, arguments, strict=False):
                        is_own = isinstance(argument, graph.Var) and argument.name in own_names[key]
                        if not is_own and parameter.name in own_names[callee]:
                            own_names[callee].discard(parameter.name)
                            changed = True
    return own_names


def _started_with_arguments(procedure: graph.Procedure) -> Iterator[tuple[ProcedureKey, tuple[graph.Expr, ...]]]:
    """Yield what a procedure starts, with the arguments."""
    for step in nested_steps(procedure.body):
        match step:
            case graph.Offer(actions):
                yield from ((("action", name), arguments) for name, arguments in actions)
            case graph.Do(resolution, arguments):
                yield ("resolution", resolution), arguments
            case graph.Tell(event, arguments):
                yield ("hook", event), arguments
            case _:
                pass


def _own_choices(procedure: graph.Procedure) -> set[str]:
    """Return the names that are chosen, or run through, among the pieces of the side on move."""
    return {
        step.name
        for step in nested_steps(procedure.body)
        if isinstance(step, graph.Choose | graph.Loop) and _is_own(step.source)
    }


def _is_own(source: graph.Expr) -> bool:
    match source:
        case graph.Fold("gather", var, _, where) if where is not None:
            return any(_says_own(part, var) for part in conjuncts(where))
        case _:
            return False


def _says_own(condition: graph.Expr, member: str) -> bool:
    match condition:
        case graph.Op("=", (graph.Get(graph.Var(name), "given", _, "side"), graph.Var("player"))):
            return name == member
        case graph.Op("=", (graph.Var("player"), graph.Get(graph.Var(name), "given", _, "side"))):
            return name == member
        case _:
            return False
