"""Compilation of procedures: nested steps to linear instructions.

In: the procedures of a graph. Out: a `Program` for each. Jumps are resolved, and every choice and loop is annotated
with its member type: pieces and hexes are both indexes at run time, so that a loop could not tell which members may
have been removed.
"""

from collections.abc import Mapping, Sequence

from runtime.graph import nodes as graph
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.operators.numbers import BARE
from runtime.graph.predeclared_types import SIDE, member_of
from runtime.graph.steps import MOMENT_OF_ROUND, count_head_steps
from runtime.graph.type_of import bound_types, type_of
from runtime.play import instructions


# Successive examples create games of the same graph.
@memoized_by_identity()
def flatten_all(rules: graph.Graph) -> instructions.Programs:
    """Compile every procedure of a graph. Hooks on one event run in the order of their keys."""
    known = _shared(rules)
    programs = {
        key: known.get(key) or compile_procedure(key, rules.procedures[key], rules) for key in sorted(rules.procedures)
    }
    hooks: dict[str, tuple[str, ...]] = {}
    for key, program in programs.items():
        if program.procedure.what == "hook":
            event = program.procedure.event
            hooks[event] = (*hooks.get(event, ()), key)
    return instructions.Programs(programs, hooks)


def _shared(rules: graph.Graph) -> dict[str, instructions.Program]:
    """Return the programs of procedures shared with a graph compiled recently: mutants differ in one place."""
    for graph_, programs in flatten_all.pairs():
        if graph_.vocabulary is rules.vocabulary:
            program_items = programs.entries.items()
            return {key: each for key, each in program_items if rules.procedures.get(key) is each.procedure}
    return {}


def compile_procedure(
    key: str, procedure: graph.Procedure, rules: graph.Graph, names: Mapping[str, graph.Type] | None = None
) -> instructions.Program:
    """Compile one procedure; `names` are the types of names bound before it begins."""
    layout = FlatProcedure(rules, {"player": SIDE, **(names or {}), **{p.name: p.type for p in procedure.parameters}})
    layout.outermost = procedure.body
    if procedure.what == "action":
        layout.subject = next((p.name for p in procedure.parameters if isinstance(p.type, graph.Piece)), "")
        layout.seeks_subject = not layout.subject
    layout.lay_out_steps(procedure.body)
    layout.append_instruction(instructions.Return())
    steps_of_head = count_head_steps(layout.code) if procedure.what == "action" else 0
    offers = procedure.what == "hook" and any(isinstance(step, graph.Offer) for step in layout.code)
    parameters = tuple(parameter.name for parameter in procedure.parameters)
    code, members = tuple(layout.code), tuple(layout.members)
    account_starts = frozenset(layout.account_starts)
    return instructions.Program(
        key, procedure, parameters, code, members, steps_of_head, layout.subject, offers, account_starts
    )


class FlatProcedure:
    """The emitted instructions, and the type of every bound name."""

    def __init__(self, rules: graph.Graph, names: dict[str, graph.Type]) -> None:
        """Start without instructions."""
        self.rules = rules
        self.names = names
        self.code: list[instructions.Instruction] = []
        self.members: list[graph.Type | None] = []
        self.subject = ""
        self.seeks_subject = False
        self.outermost: tuple[graph.Step, ...] = ()
        self.account_starts: list[int] = []

    def append_instruction(self, instruction: instructions.Instruction, member: graph.Type | None = None) -> int:
        """Append an instruction and return its index."""
        self.code.append(instruction)
        self.members.append(member)
        return len(self.code) - 1

    def lay_out_steps(self, steps: Sequence[graph.Step]) -> None:
        """Compile steps in order."""
        for step in steps:
            match step:
                case graph.Choose():
                    self.lay_out_choice(step)
                case graph.Loop() | graph.Each():
                    self.lay_out_loop(step)
                case graph.Branch():
                    self.lay_out_branch(step)
                case graph.Phase(name, _, body):
                    self.append_instruction(instructions.EnterPhase(name))
                    self.lay_out_steps(body)
                    self.end_moment(name)
                case graph.End(moment):
                    self.end_moment(moment)
                case graph.Stop():
                    self.append_instruction(instructions.Return())
                case graph.BeginAccount():
                    self.account_starts.append(len(self.code))
                case graph.Tell():
                    self.append_instruction(step)
                    if self.subject:
                        self.append_instruction(instructions.ReturnIfGone(self.subject))
                case _:
                    self.note_binding(step)
                    self.append_instruction(step)

    def note_binding(self, step: graph.Step) -> None:
        """Record the type of the name that an elementary step binds."""
        match step:
            case graph.Let(name, value):
                self.names[name] = type_of(value, self.names, self.rules)
            case graph.Roll(name, _, _, _):
                self.names[name] = BARE
            case _:
                self.names.update(bound_types(step))

    def lay_out_choice(self, step: graph.Choose) -> None:
        """Compile a choice. The subject of an action is the first piece that it chooses on every path."""
        member = self.member_type(step.source)
        self.append_instruction(step, member)
        self.names[step.name] = graph.Many("list" if step.how == "order" else "set", member) if step.how else member
        always = any(step is each for each in self.outermost)
        if self.seeks_subject and always and not step.how and isinstance(member, graph.Piece):
            self.subject, self.seeks_subject = step.name, False

    def lay_out_loop(self, step: graph.Loop | graph.Each) -> None:
        """Compile a loop: gather the members, then next, body, and jump back; a round of the clock ends its moment."""
        member = self.names[step.name] = self.member_type(step.source)
        slot = f"#{len(self.code)}"
        self.append_instruction(instructions.BeginLoop(slot, step.source, member))
        start = self.append_instruction(
            instructions.Jump(0)
        )  # Becomes NextMember or NextMoment once its target is known.
        self.lay_out_steps(step.body)
        if isinstance(step, graph.Each):
            self.end_moment(MOMENT_OF_ROUND.get(step.name, step.name))
        self.append_instruction(instructions.Jump(start))
        end = len(self.code)
        self.code[start] = (
            instructions.NextMember(slot, step.name, member, end)
            if isinstance(step, graph.Loop)
            else instructions.NextMoment(slot, step.name, end)
        )

    def end_moment(self, moment: str) -> None:
        """Emit the event for the end of a moment, and the reset of statuses and tracks."""
        if f"end of {moment}" in self.rules.vocabulary.events:
            self.append_instruction(graph.Tell(f"end of {moment}", ()))
        self.append_instruction(instructions.Expire(moment))

    def lay_out_branch(self, step: graph.Branch) -> None:
        """Compile `if` and `else`."""
        branch_index = self.append_instruction(instructions.Jump(0))
        self.lay_out_steps(step.then)
        if step.orelse:
            jump_index = self.append_instruction(instructions.Jump(0))
            self.code[branch_index] = instructions.JumpUnless(step.condition, len(self.code))
            self.lay_out_steps(step.orelse)
            self.code[jump_index] = instructions.Jump(len(self.code))
        else:
            self.code[branch_index] = instructions.JumpUnless(step.condition, len(self.code))

    def member_type(self, source: graph.Expr) -> graph.Type:
        """Return the member type of a collection."""
        return member_of(type_of(source, self.names, self.rules))
