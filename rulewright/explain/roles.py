"""What each action lets choose: the types of its choices, its pieces and its places.

In: a graph. Out: the roles of each action, found once while the graph is in use.
"""

from collections.abc import Mapping
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.identity_memo import memoized_by_identity
from runtime.play.programs import Program, programs_of


class _ActionRoles(NamedTuple):
    """The types of all that an action lets choose one or some of, and of its pieces, also among its parameters."""

    choices: Mapping[str, graph.Type]
    pieces: Mapping[str, graph.Piece]

    @property
    def places(self) -> tuple[str, ...]:
        """Return the choices that are places."""
        return tuple(name for name, type_ in self.choices.items() if isinstance(type_, graph.Hex))


@memoized_by_identity()
def action_roles(rules: graph.Graph) -> Mapping[str, _ActionRoles]:
    """Return the roles of what each action lets choose."""
    programs = programs_of(rules).entries.values()
    actions = (program for program in programs if program.procedure.what == "action")
    return {program.procedure.name: _roles_of_action(program) for program in actions}


def _roles_of_action(program: Program) -> _ActionRoles:
    choices = {step.name: type_ for step, type_ in program.choices()}
    types = graph.parameter_types(program.procedure.parameters)
    for name, type_ in choices.items():
        types[name] = type_.of if isinstance(type_, graph.Many) else type_
    return _ActionRoles(choices, {name: type_ for name, type_ in types.items() if isinstance(type_, graph.Piece)})
