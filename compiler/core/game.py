"""Lowering of a graph: terms, procedures, counters.

In: a graph. Out: a `LoweredGame`. Lowering is repeated up to the fixpoint of integer slots (`denominators`).
"""

from dataclasses import replace

from compiler.core import control, ir
from compiler.core.counters import CounterFace, lower_counters, lower_first_values
from compiler.core.denominators import Denominators
from compiler.core.expressions import ExpressionLowering
from compiler.core.passes import optimize
from compiler.core.procedures import SiteNumbering, lower_procedures
from compiler.core.representation import Representation
from compiler.core.terms import lower_functions, lower_to_fixpoint
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import walk


@frozen_dataclass
class LoweredGame:
    """A graph lowered to the core. `sites`: the number of offers and choices; `fields`: those of each record type.

    `first` are the values, by kind and factor, of what layers added to kinds.
    """

    module: ir.Module
    procedures: control.Procedures
    sites: int
    faces: dict[str, CounterFace]
    first: dict[str, dict[str, ir.Core]]
    fields: dict[str, tuple[Representation, ...]]
    denominators: Denominators


def lower_game(rules: graph.Graph) -> LoweredGame:
    """Lower the terms, procedures and counters of a graph; the terms are optimized."""

    def lower(lowering: ExpressionLowering) -> LoweredGame:
        sites = SiteNumbering()
        functions = lower_functions(lowering)
        procedures = lower_procedures(lowering, sites)
        faces = lower_counters(lowering)
        fields = {
            name: tuple(lowering.field_of(name, part) for part in record.fields)
            for name, record in rules.vocabulary.records.items()
        }
        first = lower_first_values(lowering)
        return LoweredGame(ir.Module(functions), procedures, sites.count, faces, first, fields, lowering.denominators)

    lowered, _ = lower_to_fixpoint(rules, lower)
    option_functions = {
        node.function
        for node in walk(tuple(lowered.procedures.procedures_by_key.values()))
        if isinstance(node, ir.Call)
    }
    return replace(lowered, module=optimize(lowered.module, option_functions))
