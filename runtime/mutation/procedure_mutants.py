"""Mutate procedures: a step is removed, a condition or a choice inside it altered.

The input is a graph and the key of a procedure; the output is its mutants. A step whose name later steps use is not
removed, as the procedure would not compile. Steps are not exchanged: of the alterations that the shipped layers once
listed as equivalent, a quarter were orders of two steps, which are one in forty of all.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_reached
from runtime.graph.free_names import free_names
from runtime.graph.members import members_of
from runtime.graph.predeclared_types import SIDE, member_of
from runtime.graph.printed_cites import HOUSE
from runtime.graph.step_titles import step_name, step_title
from runtime.graph.steps import BLOCKS, bound_name, inner_bodies
from runtime.graph.type_of import bound_types, type_of
from runtime.graph.walk import fields_of, walk
from runtime.mutation.account_mutants import account_mutants
from runtime.mutation.altered_graph import Path, omissions, value_at, with_value
from runtime.mutation.expression_mutants import FILTER, OPERAND, REMOVED, Alterations
from runtime.mutation.mutant import PROCEDURE, ROUND, STEP, Mutant, MutatedPart, OriginalRun, concerns_all
from runtime.play.game import SEQUENCE

Steps = tuple[graph.Step, ...]
Names = Mapping[str, graph.Type]
# Expressions of these are split into conjuncts by the search for options, so that their whole value is not observed.
MEMBER_FACT = "#member"
TAKEN_APART = (graph.Choose, graph.Legal, graph.Let, graph.Offer, graph.Loop)
# Preferences of greedy players, nested steps, and the target of an assignment are not altered as expressions.
NO_EXPRESSION = ("preferring", "body", "then", "orelse", "target")


def procedure_mutants(rules: graph.Graph, key: str) -> Iterator[Mutant]:
    """Generate the mutants of a procedure."""
    procedure = rules.procedures[key]

    def reaches_procedure(record: OriginalRun) -> bool:
        return key in procedures_reached(rules, record.run.procedures)

    # Changes by amendments belong to their rules, each of which is a separate mutant (protection.py).
    stands_in = procedure.instead_of is not None and procedure.instead_of.origin != procedure.origin
    # The citations of a whole sequence of play cannot be attributed; its steps have their own.
    if key != SEQUENCE:
        part = MutatedPart(rules, key, procedure.cites, procedure.origin, reaches_procedure)
        cited = replace(part, singled_out=procedure.cites not in ((), (HOUSE,)) or stands_in)
        words = f"what {key} does", REMOVED
        yield cited.mutant_of_variants(PROCEDURE, words, lambda: iter((without_body(rules, key),)))
        if stands_in:
            words = f"what {key} does", "what it stands in the place of"
            yield part.mutant_of_variants(PROCEDURE, words, lambda: iter((with_replaced_procedure(rules, key),)))
    names = {"player": SIDE, **{parameter.name: parameter.type for parameter in procedure.parameters}}
    steps = _StepMutation(rules, key)
    if procedure.account is not None:
        yield from account_mutants(rules, key, steps.names_after(procedure.body, names))
    yield from steps.mutants_of_body(("procedures", key, "body"), names)


class _StepMutation:
    """The mutants of the steps of one procedure. Paths lead from the graph to a step, or to a block of steps."""

    def __init__(self, rules: graph.Graph, key: str) -> None:
        self.rules, self.key = rules, key
        self.procedure = rules.procedures[key]
        self.sides = members_of(rules.vocabulary, "side") if key == SEQUENCE else ()
        self.inherited = dict(_inherited_citations(self.procedure.body, self.procedure.origin.layer))
        # The numbers of mutated steps by their short names, and then by identity.
        self.numbers: dict[str, dict[int, int]] = {}

    def concerns(self, record: OriginalRun) -> bool:
        """Return whether a run reaches the procedure."""
        return record.run.follows_sequence if self.key == SEQUENCE else self.key in record.procedures

    def part(self, path: Path, offered: str = "") -> MutatedPart:
        """Return a step as a part with its citation; another layer may have added the action that it offers."""
        step: graph.Step = value_at(self.rules, path)
        own_citation = getattr(step, "cited", None)
        cited = own_citation or self.inherited.get(id(step))
        head = step_name(step)
        numbers = self.numbers.setdefault(head, {})
        number = numbers.setdefault(id(step), len(numbers) + 1)
        name = f"{head}{f' ({number})' if number > 1 else ''}{'' if self.key == SEQUENCE else f' of {self.key}'}"
        origin = cited.origin if cited else self.procedure.origin
        action = self.rules.procedures.get(f"action:{offered}")
        if action is not None and action.origin.layer != origin.layer:
            origin = action.origin
        return MutatedPart(
            self.rules, name, cited.cites if cited and cited.cites else self.procedure.cites, origin,
            concerns_all if isinstance(step, graph.Offer) and step.must else self.concerns,
            bool(own_citation and own_citation.cites), step=step, procedure=self.key,
        )  # fmt: skip

    def mutants_of_body(self, body_path: Path, names: Names) -> Iterator[Mutant]:
        """Generate the mutants of a block of steps, including nested ones."""
        known = dict(names)
        body: Steps = value_at(self.rules, body_path)
        for index, (step, others) in enumerate(omissions(body)):
            if isinstance(step, graph.BeginAccount):
                continue  # It does nothing; the account is altered by itself.
            path, after = (*body_path, index), body[index + 1 :]
            if bound_name(step) not in free_names(after):
                yield self.part(path).mutant(STEP, (_quoted(step), REMOVED), (body_path, others))
            if rounds := tuple(_single_rounds(step, self.sides)):
                words = _quoted(step), "a round or a side less"
                for group in rounds:
                    yield self.part(path).mutant_of_variants(ROUND, words, partial(self.variants, path, group))
            yield from self.mutants_within(path, known)
            known.update(self.types_bound_after(step, known))

    def variants(self, path: Path, steps: Steps) -> Iterator[graph.Graph]:
        """Yield the graphs with each of some steps in the place of one."""
        return (with_value(self.rules, path, step) for step in steps)

    def mutants_within(self, path: Path, names: Names) -> Iterator[Mutant]:
        """Generate the mutants inside a step."""
        step: graph.Step = value_at(self.rules, path)
        for block in BLOCKS.get(type(step), ()):
            inner = (
                {step.name: member_of(type_of(step.source, names, self.rules))} if isinstance(step, graph.Loop) else {}
            )
            yield from self.mutants_of_body((*path, block), {**names, **inner})
        for expression_path in self.expressions(step):
            whole_path = (*path, *expression_path)
            if self.alterations_of(whole_path, names):
                is_observed = not isinstance(step, TAKEN_APART)
                yield from self.part(path).expression_mutants(whole_path, names, is_observed=is_observed)
        yield from self.mutants_without_part(path, step, names)

    def alterations_of(self, path: Path, names: Names) -> bool:
        """Return whether an expression has parts to alter."""
        return any(Alterations(self.rules).alterations_of(value_at(self.rules, path), names))

    def mutants_without_part(self, path: Path, step: graph.Step, names: Names) -> Iterator[Mutant]:
        """Generate steps without a part of an offer, the side or bounds of a choice, or the number of drawn members."""
        match step:
            case graph.Offer():
                yield from self.mutants_of_offer(path, step, names)
            case graph.Choose():
                if step.by is not None:
                    yield self.part(path).mutant(OPERAND, (step.by, "whoever acts"), ((*path, "by"), None))
                if step.least is not None or step.most is not None:
                    unbounded = ((*path, "least"), None), ((*path, "most"), None)
                    yield self.part(path).mutant(FILTER, ("a number to choose", "any number"), *unbounded)
            case graph.Draw(how="order", count=count) if count is not None:
                yield self.part(path).mutant(FILTER, ("a number to draw", "all"), ((*path, "count"), None))

    def mutants_of_offer(self, path: Path, offer: graph.Offer, names: Names) -> Iterator[Mutant]:
        """Generate an offer without an action, `must` or `keeping`.

        One whose condition has no parts to alter, as a question, ends whenever the side likes.
        """
        if offer.must:
            free_to = replace(offer, must=False, keeping=None)
            yield self.part(path).mutant(OPERAND, ("must", "until"), (path, free_to))
            if offer.keeping is not None:
                yield self.part(path).mutant(OPERAND, ("keeping", REMOVED), ((*path, "keeping"), None))
        elif offer.until is not None and not self.alterations_of((*path, "until"), names):
            at_any_time = graph.Truth(value=True)
            yield self.part(path).mutant(FILTER, (offer.until, at_any_time), ((*path, "until"), at_any_time))
        for (name, _), others in omissions(offer.actions) if len(offer.actions) > 1 else ():
            edit = (*path, "actions"), others
            yield self.part(path, name).mutant(OPERAND, (f"offer {name}", REMOVED), edit)

    def expressions(self, step: graph.Step) -> Iterator[Path]:
        """Yield the paths of the expressions of a step."""
        for field in fields_of(type(step)):  # type: ignore[arg-type]
            if field in NO_EXPRESSION or (isinstance(step, graph.Each) and field == "source"):
                continue  # The rounds of a loop of the clock are altered as a whole.
            if isinstance(getattr(step, field), graph.Expr):
                yield (field,)
            elif isinstance(step, graph.Do | graph.Tell) and field == "arguments":
                yield from ((field, index) for index in range(len(step.arguments)))

    def names_after(self, body: Steps, names: Names) -> Names:
        """Return the types of all names that steps bind."""
        known = dict(names)
        for step in body:
            known.update(self.types_bound_after(step, known))
        return known

    def types_bound_after(self, step: graph.Step, names: Names) -> dict[str, graph.Type]:
        """Return the names that a step binds for those behind it, with their types."""
        match step:
            case graph.Let(name, value):
                return {name: type_of(value, names, self.rules)}
            case graph.Choose(mode, name, source):
                type_ = type_of(source, names, self.rules)
                return {name: type_ if mode else member_of(type_)}
            case _:
                return bound_types(step)


def _single_rounds(step: graph.Step, sides: tuple[str, ...]) -> Iterator[tuple[graph.Step, ...]]:
    """Generate a loop of the clock with one round, or without a side; one of a group has to be detected."""
    match step:
        case graph.Each("turn", graph.Op("span", (low, _))):
            yield (replace(step, source=graph.Op("span", (low, low))),)
        case graph.Each("player", source):
            others = (graph.Op("!=", (graph.Var(MEMBER_FACT), graph.Member(SIDE.name, side))) for side in sides)
            yield tuple(
                replace(step, source=graph.Fold("gather", MEMBER_FACT, source, other, None, None)) for other in others
            )
        case _:
            pass


def _quoted(step: graph.Step) -> str:
    return f"`{step_title(step)}`"


def _inherited_citations(
    body: Steps, layer: str, outer_citation: graph.Cited | None = None
) -> Iterator[tuple[int, graph.Cited]]:
    """Return the citations and origins of steps that other layers inserted, for the steps inside them."""
    for step in body:
        nodes = [step] if hasattr(step, "cited") else [node for node in walk(step) if hasattr(node, "cited")]
        citations = [node.cited for node in nodes if node.cited is not None and node.cited.origin.layer != layer]
        # A loop or a branch has no origin of its own: it has that of the steps inside it.
        citation = citations[0] if citations and len(citations) == len(nodes) else outer_citation
        if citation is not None:
            yield id(step), citation
        for inner in inner_bodies(step):
            yield from _inherited_citations(inner, layer, citation)


def with_steps_of(rules: graph.Graph, key: str, body: Steps) -> graph.Graph:
    """Return the graph in which a procedure has other steps."""
    return replace(rules, procedures={**rules.procedures, key: replace(rules.procedures[key], body=body)})


def with_replaced_procedure(rules: graph.Graph, key: str) -> graph.Graph:
    """Return the graph with the procedure that another replaced."""
    below = rules.procedures[key].instead_of
    assert below is not None, f"{key} stands in the place of nothing"
    back = replace(below, behind=rules.procedures[key].behind)
    return replace(rules, procedures={**rules.procedures, key: back})


def without_body(rules: graph.Graph, key: str) -> graph.Graph:
    """Return the graph with a procedure without effect."""
    return with_steps_of(rules, key, ())
