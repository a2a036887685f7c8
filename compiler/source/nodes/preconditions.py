"""Preconditions: what must hold before a step is executed."""

from compiler.source.nodes.expressions import Expression
from compiler.source.nodes.procedure_names import ProcedureName
from compiler.source.nodes.procedures import Step
from compiler.source.nodes.types import Parameter
from compiler.source.nodes.words import Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Begin(Node):
    """`act march(mover: u, to: h)`: the start of an action, with its choices bound to names of the precondition."""

    action: Word
    choices: tuple[tuple[Word, Word], ...]


@frozen_dataclass
class Precondition(Node):
    """`precondition LABEL(params) [cites] "..." needs e before STEP when e but not in ..`.

    The arguments of the step are bound to the parameters. Without a step: `at the table`, where no procedure executes
    it.
    """

    label: Word
    parameters: tuple[Parameter, ...]
    cites: tuple[Word, ...]
    prose: str
    needs: Expression
    step: Step | Begin | None
    condition: Expression | None
    exempt: tuple[ProcedureName, ...]


@frozen_dataclass
class ExtendPrecondition(Node):
    """`extend precondition LABEL but not in action x`: procedures that are exempt."""

    label: Word
    exempt: tuple[ProcedureName, ...]
