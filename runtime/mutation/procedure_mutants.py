"""Mutate procedures: a step is removed, two steps exchanged, a condition or a choice inside them altered.

The input is a graph and the key of a procedure; the output is its mutants. What would not compile is not generated: a
step whose name later steps use is neither removed nor moved behind them, nor is a condition moved behind the effects of
an action. Two conditions or choices at the head of an action are not exchanged, since the legal options stay the same,
nor are two independent steps.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_reached
from runtime.graph.free_names import free_names
from runtime.graph.members import members_of
from runtime.graph.read_sets import reads_of
from runtime.graph.steps import BLOCKS, HEAD_STEPS, bound_name, inner_bodies
from runtime.graph.type_of import SIDE, bound_types, member_of, type_of
from runtime.graph.walk import fields_of, walk
from runtime.mutation.account_mutants import account_mutants
from runtime.mutation.dependence import Dependence
from runtime.mutation.expression_mutants import FILTER, OPERAND, Alteration, Alterations
from runtime.mutation.mutant import HOUSE, ORDER, PROCEDURE, ROUND, STEP, Mutant, OriginalRun, concerns_all
from runtime.play.game import SEQUENCE

Steps = tuple[graph.Step, ...]
Names = Mapping[str, graph.Type]
# Expressions of these are split into conjuncts by the search for options, so that their whole value is not observed.
MEMBER_FACT = "#member"
TAKEN_APART = (graph.Choose, graph.Legal, graph.Let, graph.Offer, graph.Loop)


@dataclass(frozen=True, slots=True)
class BodyAlteration:
    """One alteration of a body: the altered step, and the bodies of which one has to be detected.

    `offered` is the action that is removed from an offer.
    """

    kind: str
    step: graph.Step
    original: graph.Expr | str
    replacement: graph.Expr | str
    bodies: tuple[Steps, ...]
    root: graph.Expr | None = None
    probe: graph.Expr | None = None
    offered: str = ""


class BodyAlterations:
    """A generator of alterations of the steps of one graph."""

    def __init__(self, rules: graph.Graph, sides: tuple[str, ...]) -> None:
        """Store the graph, and the generator of replacements of expressions."""
        self.rules = rules
        self.sides = sides
        self.expression_alterations = Alterations(rules)
        self.dependence = Dependence(rules, reads_of(rules))

    def alterations_of(self, body: Steps, names: Names) -> Iterator[BodyAlteration]:
        """Generate the alterations of steps, including nested ones."""
        known = dict(names)
        for index, step in enumerate(body):
            if isinstance(step, graph.BeginAccount):
                continue  # It does nothing; the account is altered by itself.
            before, after = body[:index], body[index + 1 :]
            if not is_read_later(step, after):
                yield BodyAlteration(STEP, step, step_title(step), "nothing", ((*before, *after),))
            if after and not isinstance(after[0], graph.BeginAccount) and self.are_exchangeable(step, after[0]):
                replacement = f"behind {step_title(after[0])}"
                yield BodyAlteration(
                    ORDER, step, step_title(step), replacement, ((*before, after[0], step, *after[1:]),)
                )
            if clocks := tuple(single_rounds(step, self.sides)):
                bodies = tuple(tuple((*before, each, *after) for each in rounds) for rounds in clocks)
                yield from (
                    BodyAlteration(ROUND, step, step_title(step), "a round or a side less", group) for group in bodies
                )
            for each in self.alterations_within(step, known):
                wrapped = tuple((*before, *inner, *after) for inner in each.bodies)
                yield replace(each, bodies=wrapped)
            known.update(self.types_bound_after(step, known))

    def step_name_types(self, body: Steps, names: Names) -> Names:
        """Return the types of all names that steps bind."""
        known = dict(names)
        for step in body:
            known.update(self.types_bound_after(step, known))
        return known

    def alterations_within(self, step: graph.Step, names: Names) -> Iterator[BodyAlteration]:
        """Generate the alterations inside a step; the bodies are that of this one step."""
        for part, rebuild in self.blocks(step):
            for each in self.alterations_of(part, {**names, **self.types_bound_inside(step, names)}):
                yield replace(each, bodies=tuple((rebuild(body),) for body in each.bodies))
        for expr, put_expr, part_names in self.expressions(step, names):
            root = None if isinstance(step, TAKEN_APART) else expr
            for alteration in self.expression_alterations.alterations_of(expr, part_names):
                yield _body_alteration(alteration, step, put_expr(alteration.altered_expr), root)
        yield from self.parts_dropped(step, names)

    def parts_dropped(self, step: graph.Step, names: Names) -> Iterator[BodyAlteration]:
        """Yield bodies without an action, `must` or `keeping` of an offer, or the side or bounds of a choice.

        An offer whose condition has no parts to alter, as a question, ends whenever the side likes.
        """
        if isinstance(step, graph.Offer) and step.must:
            free_to = replace(step, must=False, keeping=None)
            yield BodyAlteration(OPERAND, step, "must", "until", ((free_to,),))
            if step.keeping is not None:
                yield BodyAlteration(OPERAND, step, "keeping", "nothing", ((replace(step, keeping=None),),))
        if isinstance(step, graph.Offer) and step.until is not None and not step.must:
            at_any_time = graph.Truth(value=True)
            if not list(self.expression_alterations.alterations_of(step.until, names)):
                yield BodyAlteration(FILTER, step, step.until, at_any_time, ((replace(step, until=at_any_time),),))
        if isinstance(step, graph.Choose) and step.by is not None:
            yield BodyAlteration(OPERAND, step, step.by, "whoever acts", ((replace(step, by=None),),))
        match step:
            case graph.Offer(actions=actions) if len(actions) > 1:
                for index, (name, _) in enumerate(actions):
                    less = replace(step, actions=(*actions[:index], *actions[index + 1 :]))
                    yield BodyAlteration(OPERAND, step, f"offer {name}", "nothing", ((less,),), offered=name)
            case graph.Choose(least=least, most=most) if least is not None or most is not None:
                unbounded = replace(step, least=None, most=None)
                yield BodyAlteration(FILTER, step, "a number to choose", "any number", ((unbounded,),))
            case graph.Draw(how=mode, count=count) if mode == "order" and count is not None:
                yield BodyAlteration(FILTER, step, "a number to draw", "all", ((replace(step, count=None),),))

    def blocks(self, step: graph.Step) -> Iterator[tuple[Steps, Callable[[Steps], graph.Step]]]:
        """Return the blocks of steps inside a step, and functions that replace them."""
        for name in BLOCKS.get(type(step), ()):
            yield getattr(step, name), lambda body, name=name: replace(step, **{name: body})  # type: ignore[misc]

    def expressions(
        self, step: graph.Step, names: Names
    ) -> Iterator[tuple[graph.Expr, Callable[[graph.Expr], graph.Step], Names]]:
        """Return the expressions of a step, functions that replace them, and the names around each."""
        for field in fields_of(type(step)):  # type: ignore[arg-type]
            value = getattr(step, field)
            if field in ("preferring", "body", "then", "orelse", "target"):
                continue  # Preferences of greedy players, nested steps, and the target of an assignment.
            if isinstance(value, graph.Expr):
                if not (isinstance(step, graph.Each) and field == "source"):  # Its rounds are altered as a whole.
                    yield value, lambda altered, field=field: replace(step, **{field: altered}), names  # type: ignore[misc]
            elif isinstance(step, graph.Do | graph.Tell) and field == "arguments":
                for index, part in enumerate(step.arguments):
                    yield part, partial(_with_argument, step, index), names

    def types_bound_inside(self, step: graph.Step, names: Names) -> dict[str, graph.Type]:
        """Return the names that a step binds for those inside it, with their types."""
        if isinstance(step, graph.Loop):
            return {step.name: member_of(type_of(step.source, names, self.rules))}
        return {}

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

    def are_exchangeable(self, first: graph.Step, second: graph.Step) -> bool:
        """Return whether two steps can be exchanged, and their order can matter."""
        if isinstance(first, HEAD_STEPS) and isinstance(second, HEAD_STEPS):
            return False
        if isinstance(first, graph.Legal) or isinstance(second, graph.Legal):
            return False  # A `legal` line precedes the first effect.
        if isinstance(first, graph.Each) or isinstance(second, graph.Each):
            return False  # Steps before or behind a loop of the clock are preparation.
        return bound_name(first) not in free_names(second) and self.dependence.are_dependent(first, second)


def _with_argument(step: graph.Do | graph.Tell, index: int, argument: graph.Expr) -> graph.Step:
    return replace(step, arguments=(*step.arguments[:index], argument, *step.arguments[index + 1 :]))


def _body_alteration(
    each: Alteration, step: graph.Step, altered_step: graph.Step, root: graph.Expr | None
) -> BodyAlteration:
    probe = each.altered_expr if root is not None else None
    return BodyAlteration(each.kind, step, each.original, each.replacement, ((altered_step,),), root, probe)


def is_read_later(step: graph.Step, after: Steps) -> bool:
    """Return whether later steps use the name that a step binds."""
    return bound_name(step) in free_names(after)


def single_rounds(step: graph.Step, sides: tuple[str, ...]) -> Iterator[tuple[graph.Step, ...]]:
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


def step_name(step: graph.Step) -> str:
    """Return a short name of a step: its keyword, with the name of what it runs, offers or repeats."""
    match step:
        case graph.Phase(name):
            return f"phase {name}"
        case graph.Each(name):
            return f"each {name}"
        case graph.Offer(actions):
            return f"offer {', '.join(name for name, _ in actions)}"
        case graph.Do(resolution):
            return f"do {resolution}"
        case _:
            return type(step).__name__.lower()


def step_title(step: graph.Step) -> str:
    """Return the beginning of a step."""
    match step:
        case graph.Let(name) | graph.Choose(_, name) | graph.Draw(_, name) | graph.Roll(name):
            return f"`{step_name(step)} {name}`"
        case graph.Mark(_, _, status, on):
            return f"`{'mark' if on else 'unmark'} as {status}`"
        case graph.Assign(target) | graph.Add(_, target):
            return f"`{'set' if isinstance(step, graph.Assign) else 'add to'} {target.name}`"
        case graph.Tell(event):
            return f"`tell {event}`"
        case graph.Pair(relation, on=on):
            return f"`{'relate' if on else 'unrelate'} {relation}`"
        case graph.Loop(name):
            return f"`for each {name}`"
        case graph.Branch():
            return "`if`"
        case _:
            return f"`{step_name(step)}`"


def procedure_mutants(rules: graph.Graph, key: str) -> Iterator[Mutant]:
    """Generate the mutants of a procedure."""
    procedure = rules.procedures[key]
    origin, cites = procedure.origin, procedure.cites

    def concerns(record: OriginalRun) -> bool:
        return record.run.follows_sequence if key == SEQUENCE else key in record.procedures

    def reaches_procedure(record: OriginalRun) -> bool:
        return key in procedures_reached(rules, record.run.procedures)

    # Changes by amendments belong to their rules, each of which is a separate mutant (protection.py).
    stands_in = procedure.instead_of is not None and procedure.instead_of.origin != origin
    # The citations of a whole sequence of play cannot be attributed; its steps have their own.
    if key != SEQUENCE:
        yield Mutant(
            PROCEDURE, key, f"what {key} does", "nothing", cites, origin,
            lambda: iter((without_body(rules, key),)), reaches_procedure,
            singled_out=cites not in ((), (HOUSE,)) or stands_in,
        )  # fmt: skip
        if stands_in:
            yield Mutant(
                PROCEDURE, key, f"what {key} does", "what it stands in the place of", cites, origin,
                lambda: iter((with_replaced_procedure(rules, key),)), reaches_procedure,
            )  # fmt: skip
    names = {"player": SIDE, **{each.name: each.type for each in procedure.parameters}}
    sides = members_of(rules.vocabulary, "side") if key == SEQUENCE else ()
    count: dict[str, dict[int, int]] = {}
    bodies = BodyAlterations(rules, sides)
    if procedure.account is not None:
        yield from account_mutants(
            rules, key, bodies.expression_alterations, bodies.step_name_types(procedure.body, names)
        )
    inherited = dict(inherited_citations(procedure.body, origin.layer))
    for each in bodies.alterations_of(procedure.body, names):
        own_citation = getattr(each.step, "cited", None)
        cited = own_citation or inherited.get(id(each.step))
        head = step_name(each.step)
        numbers = count.setdefault(head, {})
        number = numbers.setdefault(id(each.step), len(numbers) + 1)
        name = f"{head}{f' ({number})' if number > 1 else ''}{'' if key == SEQUENCE else f' of {key}'}"
        step_origin = cited.origin if cited else origin
        offered = rules.procedures.get(f"action:{each.offered}")
        if offered is not None and offered.origin.layer != step_origin.layer:
            step_origin = offered.origin  # Another layer offers it beside the original action.
        yield Mutant(
            each.kind,
            name,
            each.original,
            each.replacement,
            cited.cites if cited and cited.cites else cites,
            step_origin,
            _with_bodies(rules, key, each.bodies),
            concerns_all if (isinstance(each.step, graph.Offer) and each.step.must) else concerns,
            each.root,
            each.probe,
            each.step,
            key,
            singled_out=bool(own_citation and own_citation.cites),
        )


def inherited_citations(
    body: Steps, layer: str, outer_citation: graph.Cited | None = None
) -> Iterator[tuple[int, graph.Cited]]:
    """Return the citations and origins of steps that other layers inserted, for the steps inside them."""
    for step in body:
        nodes = [step] if hasattr(step, "cited") else [each for each in walk(step) if hasattr(each, "cited")]
        citations = [each.cited for each in nodes if each.cited is not None and each.cited.origin.layer != layer]
        # A loop or a branch has no origin of its own: it has that of the steps inside it.
        citation = citations[0] if citations and len(citations) == len(nodes) else outer_citation
        if citation is not None:
            yield id(step), citation
        for inner in inner_bodies(step):
            yield from inherited_citations(inner, layer, citation)


def _with_bodies(rules: graph.Graph, key: str, bodies: tuple[Steps, ...]) -> Callable[[], Iterator[graph.Graph]]:
    """Return the graphs in which a procedure has other steps."""
    return lambda: (with_steps_of(rules, key, body) for body in bodies)


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
