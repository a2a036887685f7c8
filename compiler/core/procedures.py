"""Lowering of procedures: nested steps to linear instructions, the conditions before effects to a head.

In: a graph, and the lowering of its expressions. Out: `control.Procedures`. The semantics of steps is in
docs/language.md, 10, and in tests/reference.
"""

from collections.abc import Sequence
from functools import partial

from compiler.core import control, ir
from compiler.core.effects import lower_change
from compiler.core.endings import lower_ending, lower_expiry
from compiler.core.expressions import ExpressionLowering
from compiler.core.heads import (
    chosen_representation,
    lower_head,
    lower_preference,
    movement_role,
    size_bounds,
    visible_members,
)
from compiler.core.ir import Core, Local
from compiler.core.representation import (
    ENUM,
    INT,
    List,
    Piece,
    Record,
    Representation,
    Set,
    member_representation,
)
from runtime.graph import nodes as graph
from runtime.graph.dice_subjects import dice_subjects
from runtime.graph.marked_members import marked_candidates
from runtime.graph.movement import MovedPlaces, movement_of_choices, moves_by_procedure
from runtime.graph.steps import MOMENT_OF_ROUND, count_head_steps, nested_steps, obligation_of

CLOCK_FIELDS = ("turn", "player", "phase")


def lower_procedures(lowering: ExpressionLowering, sites: "SiteNumbering") -> control.Procedures:
    """Lower all procedures of a graph."""
    rules = lowering.rules
    moved = moves_by_procedure(rules.procedures)
    procedures_by_key = {}
    for key in sorted(rules.procedures):
        part = key, sites.count
        procedures_by_key[key], sites.count = lowering.lowered_part(
            part, partial(_lowered, lowering, key, sites, moved[key])
        )
    relations = sorted(rules.vocabulary.relations.values(), key=lambda each: each.name)
    endings = tuple(lower_ending(lowering, each, each.ends) for each in relations if each.ends is not None)
    return control.Procedures(procedures_by_key, endings, lower_expiry(lowering))


def _lowered(
    lowering: ExpressionLowering, key: str, sites: "SiteNumbering", moved: MovedPlaces
) -> tuple[control.Procedure, int]:
    """Lower one procedure; return also the number of sites up to its end."""
    return ProcedureLowering(lowering, key, sites, moved).lower(), sites.count


class SiteNumbering:
    """A counter of offers and choices."""

    def __init__(self) -> None:
        """Start at zero."""
        self.count = 0

    def next_site(self) -> int:
        """Return the next number."""
        self.count += 1
        return self.count - 1


class ProcedureLowering:
    """The lowering of one procedure. `names` is the scope at the current step."""

    def __init__(self, lowering: ExpressionLowering, key: str, sites: SiteNumbering, moved: MovedPlaces) -> None:
        """Bind the player and the parameters."""
        self.lowering = lowering
        self.rules = lowering.rules
        self.procedure = lowering.rules.procedures[key]
        self.key = key
        self.sites = sites
        steps = nested_steps(self.procedure.body)
        chosen = [each.name for each in steps if isinstance(each, graph.Choose) and not each.how]
        parameters = tuple(part.name for part in self.procedure.parameters)
        self.moves = movement_of_choices(parameters, dict.fromkeys(chosen, False), moved)
        self.code: list[control.Instruction] = []
        self.locals: dict[tuple[str, Representation], Local] = {}
        self.names: dict[str, Core] = {}
        self.bind("player", ENUM)
        self.parameters = tuple(
            self.bind(part.name, _parameter_of(lowering, self.procedure, part)) for part in self.procedure.parameters
        )
        self.subject: Local | None = None
        self.choices = 0

    def lower(self) -> control.Procedure:
        """Lower the procedure."""
        steps = self.procedure.body
        head = None
        is_action = self.procedure.what == "action"
        if is_action:
            self.subject = next((each for each in self.parameters if isinstance(each.representation, Piece)), None)
            size = count_head_steps(steps)
            head = lower_head(self, steps[:size])
            for step in steps[:size]:
                # Choices in a head were made so that its conditions hold; they are evaluated only to be counted.
                if self.lowering.tallies is not None or not isinstance(step, graph.Legal):
                    self.step(step, in_head=True)
            steps = steps[size:]
        self.lower_steps(steps)
        self.append(control.Return())
        names = tuple(self.locals.values())
        return control.Procedure(self.key, self.parameters, names, tuple(self.code), self.offers_reaction(), head)

    def offers_reaction(self) -> bool:
        """Return whether it is a hook that offers a reaction."""
        return self.procedure.what == "hook" and any(isinstance(each, control.AskOffer) for each in self.code)

    # Names

    def bind(self, name: str, representation: Representation) -> Local:
        """Bind a name to a slot of the frame, and return that; an earlier one of another representation is kept."""
        if (name, representation) not in self.locals:
            others = sum(known == name for known, _ in self.locals)
            self.locals[name, representation] = Local(
                f"{control.FRAME_MARK}{name}{f':{others}' if others else ''}", representation
            )
        self.names[name] = self.locals[name, representation]
        return self.locals[name, representation]

    def hidden_local(self, name: str, representation: Representation) -> Local:
        """Return a local of the frame without a name in the source."""
        local = Local(f"{control.FRAME_MARK}{name}#{len(self.locals)}", representation)
        self.locals[local.name, representation] = local
        return local

    def value(self, expr: graph.Expr) -> Core:
        """Lower an expression."""
        return self.lowering.lower(expr, self.names)

    def append(self, instruction: control.Instruction) -> int:
        """Append an instruction and return its index."""
        self.code.append(instruction)
        return len(self.code) - 1

    # Steps

    def lower_steps(self, steps: Sequence[graph.Step]) -> None:
        """Lower steps in order."""
        for step in steps:
            self.step(step)

    def step(self, step: graph.Step, *, in_head: bool = False) -> None:  # noqa: C901 -- a case each
        """Lower one step."""
        if isinstance(step, graph.ChangingStep):
            lower_change(self, step)
            return
        match step:
            case graph.Let(name, value):
                lowered = self.value(value)
                self.append(control.Bind(self.bind(name, lowered.representation), lowered))
            case graph.Legal(condition):
                self.append(control.Require(self.value(condition)))
            case graph.Choose():
                self.choice(step, in_head=in_head)
            case graph.Offer():
                self.offer(step)
            case graph.Loop(name, source, body):
                self.loop(name, source, body)
            case graph.Each(name, source, body):
                self.loop(name, source, body, is_clock=True)
            case graph.Branch(condition, then, orelse):
                self.branch(condition, then, orelse)
            case graph.Phase(name, _, body):
                self.append(control.Store("fact:game.phase", None, ir.EnumConst(name, ENUM)))
                self.lower_steps(body)
                self.end(name)
            case graph.End(moment):
                self.end(moment)
            case graph.Stop():
                self.append(control.Return())
            case graph.Do(resolution, arguments):
                key = f"resolution:{resolution}"
                self.append(control.Invoke(key, arguments_of(self, key, arguments)))
            case graph.Tell(event, arguments):
                self.tell(event, arguments)
            case graph.Roll(name, domain, low, high):
                subjects = tuple(self.value(each) for each in dice_subjects(self.procedure, self.rules))
                self.append(control.Roll(self.bind(name, INT), low, high, domain, subjects))
            case graph.Draw():
                self.draw(step)
            case graph.BeginAccount():
                pass  # Modules tell no accounts.

    def choice(self, step: graph.Choose, *, in_head: bool) -> None:
        """Lower a choice. The subject of an action without a piece parameter is the first one chosen on every path."""
        site, decider = self.sites.next_site(), self.names["player"] if step.by is None else self.value(step.by)
        source = visible_members(self, self.value(step.source), decider)
        unfiltered_members, passes = source, None
        member = Local(self.lowering.fresh_name(step.name), member_representation(source.representation))
        match step.source:
            case graph.Fold("gather", var, where=filter_condition, body=None) if (
                filter_condition and not step.how and not self.is_secret(source.representation)
            ):
                candidates, others = marked_candidates(step.source, self.rules)
                unfiltered_members = self.value(candidates)
                passes = None if others is None else self.lowering.lower(others, {**self.names, var: member})
        least, most = size_bounds(self, step)
        chosen = self.hidden_local("chosen", List(member.representation))
        name = self.bind(step.name, chosen_representation(step, source.representation))
        preferred_value, moves = lower_preference(self, step), movement_role(self, step, name.representation)
        head = self.choices if in_head else None
        self.choices += in_head
        self.append(
            control.AskChoice(
                site,
                decider,
                name,
                chosen,
                step.how,
                source,
                unfiltered_members,
                member,
                passes,
                least,
                most,
                preferred_value,
                moves,
                head,
            )
        )
        always = any(step is each for each in self.procedure.body)
        if (
            self.procedure.what == "action"
            and always
            and self.subject is None
            and isinstance(name.representation, Piece)
        ):
            self.subject = name

    def is_secret(self, representation: Representation) -> bool:
        """Return whether the members of a collection are visible to one side only."""
        member = member_representation(representation)
        return isinstance(member, Record) and self.rules.vocabulary.records[member.type].secret

    def offer(self, step: graph.Offer) -> None:
        """Lower an offer."""
        decider = self.names["player"] if step.by is None else self.value(step.by)
        actions = tuple((name, arguments_of(self, f"action:{name}", arguments)) for name, arguments in step.actions)
        until = None if step.until is None else self.value(step.until)
        obligation_expr = obligation_of(step)
        obligation, keeps = None if obligation_expr is None else self.value(obligation_expr), step.keeping is not None
        self.append(control.AskOffer(self.sites.next_site(), decider, actions, until, step.escapes, obligation, keeps))

    def loop(self, name: str, source: graph.Expr, body: Sequence[graph.Step], *, is_clock: bool = False) -> None:
        """Lower a loop, or one of the clock, whose moment ends after each iteration."""
        members = self.value(source)
        members_local, cursor = self.hidden_local("members", members.representation), self.hidden_local("cursor", INT)
        element = members.representation.element if isinstance(members.representation, Set | List) else None
        if element is None:
            return  # What is known to be empty has no members.
        book, record = None, ""
        if isinstance(element, Record) and not is_clock:
            book, record = self.hidden_local("book", List(element)), element.type
        self.append(control.BeginLoop(members_local, cursor, members, book, record))
        start = self.append(control.Jump(0))  # Becomes `NextMember` once its target is known.
        bound = self.bind(name, element)
        if is_clock and name in CLOCK_FIELDS:
            self.append(control.Store(f"fact:game.{name}", None, bound))
        self.lower_steps(body)
        if is_clock:
            self.end(MOMENT_OF_ROUND.get(name, name))
        self.append(control.Jump(start))
        self.code[start] = control.NextMember(bound, members_local, cursor, book, record, len(self.code))

    def branch(self, condition: graph.Expr, then: Sequence[graph.Step], orelse: Sequence[graph.Step]) -> None:
        """Lower `if` and `else`."""
        test = self.value(condition)
        fork = self.append(control.Jump(0))
        self.lower_steps(then)
        if orelse:
            exit_jump = self.append(control.Jump(0))
            self.code[fork] = control.JumpUnless(test, len(self.code))
            self.lower_steps(orelse)
            self.code[exit_jump] = control.Jump(len(self.code))
        else:
            self.code[fork] = control.JumpUnless(test, len(self.code))

    def end(self, moment: str) -> None:
        """Lower the end of a moment: its event, then the resets."""
        event = f"end of {moment}"
        if event in self.rules.vocabulary.events:
            self.tell(event, ())
        self.append(control.Expire(moment, moment == MOMENT_OF_ROUND["player"]))

    def tell(self, event: str, arguments: Sequence[graph.Expr]) -> None:
        """Lower an event; an action whose subject is gone afterwards returns."""
        hooks = tuple(
            key for key, each in sorted(self.rules.procedures.items()) if each.what == "hook" and each.event == event
        )
        declared = self.rules.vocabulary.events[event].parameters
        lowered_arguments = []
        for value, part in zip(arguments, declared, strict=True):
            representation = self.lowering.parameter_representation(f"event:{event}", part)
            slot = f"event:{event}({part.name})"
            lowered_arguments.append(
                self.lowering.range_checked(part.type, self.lowering.coerce(self.value(value), representation, slot))
            )
        self.append(control.EmitEvent(hooks, tuple(lowered_arguments)))
        if self.subject is not None:
            self.append(control.ReturnIfGone(self.subject))

    def draw(self, step: graph.Draw) -> None:
        """Lower a draw."""
        source = self.value(step.source)
        count = None if step.count is None else self.value(step.count)
        representation: Representation = member_representation(source.representation)
        if step.how:
            representation = List(representation) if step.how == "order" else Set(representation)
        numbers = isinstance(step.of, graph.Number)
        self.append(control.Draw(self.bind(step.name, representation), step.how, source, count, numbers))


def _parameter_of(lowering: ExpressionLowering, procedure: graph.Procedure, part: graph.Parameter) -> Representation:
    """Return the representation of a procedure's parameter; those of a hook are its event's, in order."""
    if procedure.what == "hook":
        declared = lowering.rules.vocabulary.events[procedure.event].parameters
        place = [each.name for each in procedure.parameters].index(part.name)
        return lowering.parameter_representation(f"event:{procedure.event}", declared[place])
    return lowering.parameter_representation(f"{procedure.what}:{procedure.name}", part)


def arguments_of(lowering: ProcedureLowering, key: str, arguments: Sequence[graph.Expr]) -> tuple[Core, ...]:
    """Lower the arguments of a call."""
    called = lowering.rules.procedures[key]
    lowered_arguments = []
    for value, part in zip(arguments, called.parameters, strict=True):
        representation, slot = _parameter_of(lowering.lowering, called, part), f"{key}({part.name})"
        lowered_arguments.append(
            lowering.lowering.range_checked(
                part.type, lowering.lowering.coerce(lowering.value(value), representation, slot)
            )
        )
    return tuple(lowered_arguments)
