"""Insert steps where one may have been omitted.

The input is a graph, the key of a procedure, and what the failing line of an example reads; the output is mutants with
one more step at an end of a block. The inserted steps are those that no procedure contains although something depends
on them (an event that no step raises, a resolution that none runs, a status that none marks or clears, a relation that
none relates), and those by which another procedure writes what the line reads. The arguments of a step are names of the
block, or fields of their values, of the required types.

Of 62 removed steps of two games that make an example fail, ten have a repair in their procedure, and none without
these mutants.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from functools import partial
from itertools import islice, product

from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names, substitute
from runtime.graph.steps import count_head_steps
from runtime.graph.type_of import SIDE
from runtime.graph.walk import walk
from runtime.mutation.dependence import Dependence
from runtime.mutation.expression_mutants import REMOVED, type_without_bounds
from runtime.mutation.mutant import STEP, Mutant, OriginalRun
from runtime.mutation.procedure_mutants import BodyAlteration, BodyAlterations, Steps, step_title, with_steps_of

Names = Mapping[str, graph.Type]
WantedStep = tuple[graph.Step, Names]  # A step, and the types of its names.

# The number of substitutions of names in one step that are tried at one place.
MOST_SUBSTITUTIONS = 4
EFFECTS = (graph.Mark, graph.Assign, graph.Add, graph.Move, graph.Remove, graph.Pair, graph.Strike)


def list_insertions(rules: graph.Graph, key: str, steps: tuple[WantedStep, ...]) -> Iterator[Mutant]:
    """Generate the mutants of a procedure with one of the wanted steps inserted."""
    procedure = rules.procedures[key]
    names = {"player": SIDE, **{each.name: each.type for each in procedure.parameters}}
    parameter_names = {each.name for each in procedure.parameters}

    def concerns(record: OriginalRun) -> bool:
        return key in record.procedures

    for each in InsertionMutations(rules, steps).alterations_of(procedure.body, names):
        [body] = each.bodies
        altered_graph = with_steps_of(rules, key, body)
        yield Mutant(
            STEP,
            key,
            each.original,
            each.replacement,
            procedure.cites,
            procedure.origin,
            partial(_bodies_with_one_step, altered_graph),
            concerns,
            step=each.step,
            procedure=key,
            key=len(free_names(each.more) - parameter_names),
        )


def _bodies_with_one_step(rules: graph.Graph) -> Iterator[graph.Graph]:
    yield rules


class InsertionMutations(BodyAlterations):
    """A generator of bodies with one of the wanted steps inserted."""

    def __init__(self, rules: graph.Graph, steps: tuple[WantedStep, ...]) -> None:
        """Store the steps to be inserted."""
        super().__init__(rules, ())
        self.steps = steps

    def alterations_of(self, body: Steps, names: Names) -> Iterator[BodyAlteration]:
        """Generate the bodies with a step inserted at an end, or at an end of a nested block."""
        known = dict(names)
        first = count_head_steps(body)
        for index, step in enumerate(body):
            for each in self.alterations_within(step, known):
                bodies = tuple((*body[:index], *inner, *body[index + 1 :]) for inner in each.bodies)
                yield replace(each, bodies=bodies)
            if index == first and index < len(body) - 1:
                yield from self.bodies_with_insertion(body, index, known)
            known.update(self.types_bound_after(step, known))
        if body:
            yield from self.bodies_with_insertion(body, len(body), known)

    def bodies_with_insertion(self, body: Steps, index: int, names: Names) -> Iterator[BodyAlteration]:
        """Generate the bodies with one of the wanted steps inserted before a step, or at the end."""
        neighbor, relation = (body[index], "before") if index < len(body) else (body[-1], "behind")
        for step in self.steps_with_names(names):
            if step not in body:
                altered_body = (*body[:index], step, *body[index:])
                yield BodyAlteration(
                    STEP, neighbor, REMOVED, f"{step_title(step)} {relation} this", (altered_body,), more=step
                )

    def expressions(self, *_: object) -> Iterator[tuple[graph.Expr, object, Names]]:  # type: ignore[override]
        """Return nothing: expressions are unchanged."""
        return iter(())

    def parts_dropped(self, *_: object) -> Iterator[BodyAlteration]:
        """Return nothing."""
        return iter(())

    def steps_with_names(self, names: Names) -> Iterator[graph.Step]:
        """Generate the wanted steps with names of a block substituted for their own, in each well-typed way."""
        variables = {graph.Var(name): type_ for name, type_ in names.items()}
        fields = {
            graph.Get(graph.Var(name), "record", type_.name, part.name): part.type
            for name, type_ in names.items()
            if isinstance(type_, graph.RecordOf) and type_.name in self.words.records
            for part in self.words.records[type_.name].fields
        }
        for step, types in self.steps:
            choices = [
                [
                    *(expr for expr in variables if expr.name == name and _fits(variables[expr], type_)),
                    *(expr for expr in variables if expr.name != name and _fits(variables[expr], type_)),
                    *(expr for expr in fields if _fits(fields[expr], type_)),
                ]
                for name, type_ in types.items()
            ]
            for exprs in islice(product(*choices), MOST_SUBSTITUTIONS):
                yield substitute(step, dict(zip(types, exprs, strict=True)))

    @property
    def words(self) -> graph.Vocabulary:
        """Return the vocabulary of the graph."""
        return self.rules.vocabulary


def _fits(found: graph.Type, wanted: graph.Type) -> bool:
    return found != graph.Nothing() and type_without_bounds(found) == type_without_bounds(wanted)


def unreachable_steps(rules: graph.Graph) -> Iterator[WantedStep]:
    """Return the steps that something depends on and that no procedure contains.

    A status that procedures mark, and that ends with no moment, depends on a step that clears it.
    """
    steps = [*walk(tuple(each.body for each in rules.procedures.values()))]
    raised_events = {step.event for step in steps if isinstance(step, graph.Tell)}
    called_resolutions = {step.resolution for step in steps if isinstance(step, graph.Do)}
    marked = {(step.owner, step.status) for step in steps if isinstance(step, graph.Mark) and step.on}
    cleared = {(step.owner, step.status) for step in steps if isinstance(step, graph.Mark) and not step.on}
    paired = {step.relation for step in steps if isinstance(step, graph.Pair) and step.on}
    words = rules.vocabulary
    hook_events = {each.event for each in rules.procedures.values()}
    for event in words.events.values():
        if event.name in hook_events - raised_events:
            yield graph.Tell(event.name, _variables(event.parameters)), _types(event.parameters)
    for key, procedure in rules.procedures.items():
        if procedure.what == "resolution" and (name := key.partition(":")[2]) not in called_resolutions:
            yield graph.Do(name, _variables(procedure.parameters)), _types(procedure.parameters)
    for flag in words.flags.values():
        status = (flag.owner, flag.name)
        if flag.what == "status" and (status not in marked or (status not in cleared and not flag.until)):
            type_ = graph.Hex() if flag.owner == "hex" else graph.Piece((flag.owner,))
            yield graph.Mark(graph.Var("it"), *status, on=status not in marked), {"it": type_}
    for relation in words.relations.values():
        if relation.name not in paired and relation.payload is None:
            ends = (relation.left, relation.right)
            left, right = _variables(ends)
            yield graph.Pair(relation.name, left, right, None, on=True), _types(ends)


def _variables(parameters: tuple[graph.Parameter, ...]) -> tuple[graph.Var, ...]:
    return tuple(graph.Var(each.name) for each in parameters)


def _types(parameters: tuple[graph.Parameter, ...]) -> dict[str, graph.Type]:
    return {each.name: each.type for each in parameters}


def steps_setting(rules: graph.Graph, read: Set[str], dependence: Dependence) -> Iterator[WantedStep]:
    """Return the steps of procedures by which they, or a resolution that a `do` runs, write something that is read."""
    found: dict[str, WantedStep] = {}
    bodies = BodyAlterations(rules, ())
    for procedure in rules.procedures.values():
        names = {"player": SIDE, **_types(procedure.parameters)}
        for step, types in _with_types(procedure.body, names, bodies):
            sets = (
                {part for node in walk(step) for part in dependence.written_parts(node)} if _is_plain(step) else set()
            )
            if isinstance(step, graph.Do):
                sets = set(dependence.reads_and_writes(step)[1] or ())
            used = {name: types[name] for name in sorted(free_names(step)) if name in types}
            if sets & read and set(used) == free_names(step):
                found.setdefault(repr(step), (step, used))
    yield from found.values()


def _is_plain(step: graph.Step) -> bool:
    """Return whether a step is an effect, or a loop of effects only."""
    return isinstance(step, EFFECTS) or (isinstance(step, graph.Loop) and all(map(_is_plain, step.body)))


def _with_types(body: Steps, names: Names, bodies: BodyAlterations) -> Iterator[tuple[graph.Step, Names]]:
    """Return the steps of a body, including nested ones, with the types of the names around each."""
    known = dict(names)
    for step in body:
        yield step, dict(known)
        for part, _ in bodies.blocks(step):
            inner = {**known, **bodies.types_bound_inside(step, known)}
            yield from _with_types(part, inner, bodies)
        known.update(bodies.types_bound_after(step, known))
