"""Lowering of a graph: terms, procedures, counters.

In: a graph. Out: a `LoweredGame`. Lowering is repeated up to the fixpoint of integer slots (`denominators`).
"""

from dataclasses import dataclass, replace

from compiler.core import control, ir
from compiler.core.counters import CounterFace, lower_counters
from compiler.core.denominators import Denominators
from compiler.core.expressions import ExpressionLowering
from compiler.core.passes import optimize
from compiler.core.procedures import SiteNumbering, lower_procedures
from compiler.core.representation import Representation
from compiler.core.terms import functions_of, lower_to_fixpoint
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


@dataclass(frozen=True, slots=True)
class LoweredGame:
    """A graph lowered to the core. `sites`: the number of offers and choices; `fields`: those of each record type."""

    module: ir.Module
    procedures: control.Procedures
    sites: int
    faces: dict[str, CounterFace]
    fields: dict[str, tuple[Representation, ...]]
    denominators: Denominators


def lower_game(rules: graph.Graph) -> LoweredGame:
    """Lower a graph."""

    def lower(lowering: ExpressionLowering) -> LoweredGame:
        sites = SiteNumbering()
        functions = functions_of(lowering)
        procedures = lower_procedures(lowering, sites)
        faces = lower_counters(lowering)
        fields = {
            name: tuple(lowering.field_of(name, part) for part in record.fields)
            for name, record in rules.vocabulary.records.items()
        }
        return LoweredGame(ir.Module(functions), procedures, sites.count, faces, fields, lowering.denominators)

    lowered, _ = lower_to_fixpoint(rules, lower)
    asked = {node.function for node in walk(tuple(lowered.procedures.of.values())) if isinstance(node, ir.Call)}
    return replace(lowered, module=optimize(lowered.module, position_stands=True, option_functions=asked))
