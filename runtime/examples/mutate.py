"""Mutation: alter each rule, cell, default, counter and procedure in turn, and see which example notices.

In: a graph whose examples pass. Out: the units that no example protects, and those that are protected.
A unit counts as protected when, without it or with it altered, some example fails (DESIGN 10). Only
examples in which the unit had a part are played again. See DeMillo, Lipton and Sayward, Hints on
Test Data Selection (1978); one mutant a unit is enough to find rules that nobody watches.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from runtime.examples.reach import reached
from runtime.examples.run import Run, run_examples, run_row
from runtime.examples.steps import altered
from runtime.graph import nodes as graph
from runtime.graph.concerned import procedures_of
from runtime.play.game import SEQUENCE

HOUSE = "house"
RULE, CELL, DEFAULT, COUNTER, PROCEDURE, STEP = "rule", "cell", "default", "counter", "procedure", "step"
NUMBER = "number"  # of a counter on a card, as a layer corrected it
PART = "part"  # of a card, as a layer changed it


@dataclass(frozen=True, slots=True)
class Unit:
    """Something an example should protect: a rule's label, `table[n]` for its row n, a step of a procedure, .."""

    what: str
    name: str
    cites: tuple[str, ...]
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class Protection:
    """What mutation found. `runs` are the examples as they stand."""

    runs: tuple[Run, ...]
    protected: tuple[Unit, ...]
    unprotected: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class _Trial:
    """A unit, its mutants, and which examples may notice them; of every group of mutants one has to be noticed."""

    unit: Unit
    mutants: Callable[[], Iterator[Iterable[graph.Graph]]]
    concerns: Callable[[Run], bool]


def mutate(
    rules: graph.Graph, only: Callable[[Unit], bool] = lambda _: True, progress: Callable[[int], None] = lambda _: None
) -> Protection:
    """Alter every unit of a graph, or `only` some, one at a time."""
    runs = tuple(run_examples(rules))
    passing = [run for run in runs if run.passed]
    kept: list[Unit] = []
    unseen: list[Unit] = []
    for count, trial in enumerate((trial for trial in _trials(rules) if only(trial.unit)), 1):
        witnesses = [run for run in passing if trial.concerns(run)]
        noticed = witnesses and all(
            any(not run_row(mutant, run.example, run.row).passed for mutant in group for run in witnesses)
            for group in trial.mutants()
        )
        (kept if noticed else unseen).append(trial.unit)
        progress(count)
    kept, unseen = _settle_clarifications(rules, passing, kept, unseen)
    return Protection(runs, tuple(kept), tuple(unseen))


def _trials(rules: graph.Graph) -> Iterator[_Trial]:
    """Every unit of a graph."""
    yield from (_rule_trial(rules, rule) for rule in rules.rules.values())
    for table in rules.tables.values():
        yield from (_cell_trial(rules, table, number) for number in range(len(table.rows)))
    yield from (_default_trial(rules, term) for term in rules.terms.values() if term.default is not None and term.cites)
    yield from (_counter_trial(rules, counter) for counter in rules.counters.values() if counter.singled_out)
    if rules.scenario is not None:
        yield from (_number_trial(rules, rules.scenario, each) for each in rules.scenario.corrections)
        yield from (_part_trial(rules, rules.scenario, each) for each in rules.scenario.other_corrections)
    for key, procedure in rules.procedures.items():
        # What a sequence of play cites as a whole nobody could single out; its steps cite what they stand for.
        singled_out = procedure.cites not in ((), (HOUSE,)) or procedure.instead_of is not None
        if singled_out and procedure.what != "sequence":
            yield _procedure_trial(rules, key)
        yield from _step_trials(rules, key)


def _rule_trial(rules: graph.Graph, rule: graph.Rule) -> _Trial:
    unit = Unit(RULE, rule.label, rule.cites, rule.origin)
    return _Trial(unit, lambda: iter(((without_rule(rules, rule.label),),)), lambda run: rule.label in run.rules)


def _cell_trial(rules: graph.Graph, table: graph.Table, number: int) -> _Trial:
    row = table.rows[number]
    unit = Unit(CELL, f"{table.name}[{number}]", row.cites, row.origin)
    return _Trial(unit, lambda: iter(((altered_row(rules, table, number),),)), lambda run: row in run.rows)


def _default_trial(rules: graph.Graph, term: graph.Term) -> _Trial:
    unit = Unit(DEFAULT, term.name, term.cites, term.origin)
    return _Trial(unit, lambda: iter(((other_default(rules, term),),)), lambda run: term.name in run.terms)


def _counter_trial(rules: graph.Graph, counter: graph.Counter) -> _Trial:
    unit = Unit(COUNTER, counter.id, counter.cites, counter.origin)
    return _Trial(
        unit, lambda: iter((altered_counters(rules, counter),)), lambda run: uses(rules, run.example, counter.id)
    )


def _number_trial(rules: graph.Graph, card: graph.Scenario, each: graph.Correction) -> _Trial:
    """Put a number of a card back to what it was before it was corrected."""
    force = card.forces[each.force]
    unit = Unit(NUMBER, f"{card.name}: {each.unit} of {force.side}", each.cites, each.origin)
    before = replace(force, units=(*((u, n) for u, n in force.units if u != each.unit), (each.unit, each.was)))
    forces = tuple(before if at == each.force else other for at, other in enumerate(card.forces))
    mutant = replace(rules, scenario=replace(card, forces=forces))
    return _Trial(unit, lambda: iter(((mutant,),)), lambda run: run.example.card == card.name)


def _part_trial(rules: graph.Graph, card: graph.Scenario, each: graph.PartCorrection) -> _Trial:
    """Put a part of a card back to what it was before it was changed."""
    unit = Unit(PART, f"{card.name}: {each.part}", each.cites, each.origin)
    before = replace(card, turns=each.turns, set_up=each.set_up, order=each.order, facts=each.facts, forces=each.forces)
    mutant = replace(rules, scenario=before)
    return _Trial(unit, lambda: iter(((mutant,),)), lambda run: run.example.card == card.name)


def _procedure_trial(rules: graph.Graph, key: str) -> _Trial:
    procedure = rules.procedures[key]
    unit = Unit(PROCEDURE, key, procedure.cites, procedure.origin)
    mutants = ((without_body(rules, key),), *(((with_below(rules, key),),) if procedure.instead_of else ()))
    return _Trial(unit, lambda: iter(mutants), lambda run: key in reached(rules, run.procedures))


def _step_trials(rules: graph.Graph, key: str) -> Iterator[_Trial]:
    """The cited steps of a procedure; those of the sequence are noticed by examples that follow it."""
    procedure = rules.procedures[key]
    sides = tuple(word.name for word in rules.vocabulary.enums["side"].members) if key == SEQUENCE else ()
    names: dict[str, int] = {}
    for each in altered(procedure.body, sides):
        names[each.name] = count = names.get(each.name, 0) + 1
        name = f"{each.name}{f' ({count})' if count > 1 else ''}{'' if key == SEQUENCE else f' of {key}'}"
        unit = Unit(STEP, name, each.cited.cites, each.cited.origin)
        yield _Trial(unit, partial(_with_bodies, rules, key, each.groups), partial(concerned, rules, key))


def concerned(rules: graph.Graph, key: str, run: Run) -> bool:
    """Say whether a run comes by the steps of a procedure."""
    return run.followed if key == SEQUENCE else key in reached(rules, run.procedures)


def _with_bodies(
    rules: graph.Graph, key: str, groups: tuple[tuple[tuple[graph.Step, ...], ...], ...]
) -> Iterator[Iterable[graph.Graph]]:
    """Graphs with a procedure that does other steps."""
    for group in groups:
        bodies = (replace(rules.procedures[key], body=body) for body in group)
        yield (replace(rules, procedures={**rules.procedures, key: procedure}) for procedure in bodies)


def uses(rules: graph.Graph, example: graph.Example, counter: str) -> bool:
    """Say whether a counter is in an example: put there, or on the card it starts from."""
    forces = rules.scenario.forces if example.card and rules.scenario else ()
    return any(piece.counter == counter for piece in example.position.pieces) or any(
        counter in (*(unit for unit, _ in force.units), *(each.counter for each in force.placed)) for force in forces
    )


def without_rule(rules: graph.Graph, label: str) -> graph.Graph:
    """The graph without one rule: it neither concludes nor defeats."""
    left = {name: rule for name, rule in rules.rules.items() if name != label}
    terms = {
        name: replace(term, rules=tuple(part for part in term.rules if part != label)) if label in term.rules else term
        for name, term in rules.terms.items()
    }
    return replace(rules, rules=left, terms=terms)


def altered_row(rules: graph.Graph, table: graph.Table, number: int) -> graph.Graph:
    """The graph with one cell saying something else of the same type."""
    row = table.rows[number]
    kinds = dict(table.cells)
    if row.value is not None:
        changed = replace(row, value=other_value(rules, row.value))
    else:
        words = [kind for kind, type_ in kinds.items() if type_ is None and kind != row.kind]
        valued = [other for other in table.rows if other.value is not None]
        if words:
            changed = replace(row, kind=words[0])
        elif valued:
            changed = replace(row, kind=valued[0].kind, value=valued[0].value)
        else:
            changed = row
    rows = (*table.rows[:number], changed, *table.rows[number + 1 :])
    return replace(rules, tables={**rules.tables, table.name: replace(table, rows=rows)})


def other_value(rules: graph.Graph, value: graph.Expr) -> graph.Expr:
    """Another value of the same type: one more, the next member, the next place, the opposite."""
    match value:
        case graph.Num(value=number):
            return replace(value, value=number + Fraction(1))
        case graph.Truth(value=truth):
            return graph.Truth(not truth)
        case graph.Member(enum=enum, name=name):
            members = [word.name for word in rules.vocabulary.enums[enum].members]
            return replace(value, name=members[(members.index(name) + 1) % len(members)])
        case graph.Place(scale=scale, name=name):
            places = rules.vocabulary.scales[scale].places
            names = [place for place, _ in places]
            after, at = places[(names.index(name) + 1) % len(places)]
            return replace(value, name=after, at=at)
        case _:
            return value


def other_default(rules: graph.Graph, term: graph.Term) -> graph.Graph:
    """The graph with a verdict's or condition's default turned round."""
    return replace(rules, terms={**rules.terms, term.name: replace(term, default=not term.default)})


def altered_counters(rules: graph.Graph, counter: graph.Counter) -> Iterator[graph.Graph]:
    """Graphs with one thing printed on a counter altered: each factor, each trait."""
    for index, (name, value) in enumerate(counter.printed):
        printed = (*counter.printed[:index], (name, other_value(rules, value)), *counter.printed[index + 1 :])
        yield replace(rules, counters={**rules.counters, counter.id: replace(counter, printed=printed)})
    for trait in counter.traits:
        traits = tuple(part for part in counter.traits if part != trait)
        yield replace(rules, counters={**rules.counters, counter.id: replace(counter, traits=traits)})


def with_below(rules: graph.Graph, key: str) -> graph.Graph:
    """Put back what a procedure stands in the place of."""
    below = rules.procedures[key].instead_of
    assert below is not None, f"{key} stands in the place of nothing"
    back = replace(below, behind=rules.procedures[key].behind)
    return replace(rules, procedures={**rules.procedures, key: back})


def without_body(rules: graph.Graph, key: str) -> graph.Graph:
    """The graph with a procedure that does nothing."""
    empty = replace(rules.procedures[key], body=())
    return replace(rules, procedures={**rules.procedures, key: empty})


def _settle_clarifications(
    rules: graph.Graph, passing: list[Run], kept: list[Unit], unseen: list[Unit]
) -> tuple[list[Unit], list[Unit]]:
    """A clarification changes nothing by itself: an example of its own has to protect what it clarifies."""
    saved: list[Unit] = []
    for unit in unseen:
        rule = rules.rules.get(unit.name) if unit.what == RULE else None
        if rule is None or rule.verb or rule.defeats:
            continue
        clarified = [name for verb, label in rule.relations if verb == "clarifies" for name in spread(rules, label)]
        own = [run for run in passing if run.example.protects in {rule.label, rule.ruling}]
        without = [(run, without_rule(rules, name)) for run in own for name in clarified if name in run.rules]
        without += [(run, mutant) for run in own for mutant in _undone(rules, rule)]
        if any(not run_row(mutant, run.example, run.row).passed for run, mutant in without):
            saved.append(unit)
    return [*kept, *saved], [unit for unit in unseen if unit not in saved]


def _undone(rules: graph.Graph, rule: graph.Rule) -> Iterator[graph.Graph]:
    """Graphs in which one of the procedures does nothing, or the phase is gone, that a ruling is about."""
    for label in (label for verb, label in rule.relations if verb in ("concerns", "carried")):
        if label.startswith("phase:"):
            sequence = rules.procedures["sequence"]
            left = replace(sequence, body=_without_phase(sequence.body, label.partition(":")[2]))
            yield replace(rules, procedures={**rules.procedures, "sequence": left})
        else:
            yield from (without_body(rules, key) for key in procedures_of(rules, label))


def _without_phase(steps: tuple[graph.Step, ...], name: str) -> tuple[graph.Step, ...]:
    """Leave a phase out of the sequence of play."""
    kept = (step for step in steps if not (isinstance(step, graph.Phase) and step.name == name))
    return tuple(
        replace(step, body=_without_phase(step.body, name)) if isinstance(step, graph.Each | graph.Loop) else step
        for step in kept
    )


def spread(rules: graph.Graph, label: str) -> Iterator[str]:
    """The rules a label stands for."""
    if label in rules.rules:
        yield label
    else:
        yield from (name for name, rule in rules.rules.items() if label in {rule.case, rule.ruling, rule.reading})
