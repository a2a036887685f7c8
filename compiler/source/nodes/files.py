"""A whole `.rules` file."""

from compiler.source.nodes.declarations import Declaration
from compiler.source.nodes.laws import Law
from compiler.source.nodes.preconditions import ExtendPrecondition, Precondition
from compiler.source.nodes.procedures import Conduct
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass

Statement = Declaration | Law | Conduct | Precondition | ExtendPrecondition


@frozen_dataclass
class RulesFile(Node):
    """One parsed `.rules` file. `layer` is filled by the package reader."""

    layer: str
    statements: tuple[Statement, ...]
