"""Lowering of a graph: terms, procedures, counters.

In: a graph. Out: a `LoweredGame`. Lowering is repeated up to the fixpoint of integer slots (`denominators`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from compiler.core import control, ir
from compiler.core.counters import CounterFace, lower_counters, lower_first_values
from compiler.core.denominators import Denominators
from compiler.core.expressions import ExpressionLowering
from compiler.core.passes import optimize_game
from compiler.core.passes.footprint import FootprintAnalysis
from compiler.core.passes.memoization import memoize_openings
from compiler.core.procedures import SiteNumbering, lower_procedures
from compiler.core.representation import Representation
from compiler.core.sharing import Footprint, Read, ReadScope
from compiler.core.terms import lower_functions, lower_to_fixpoint
from runtime.graph import nodes as graph
from runtime.graph.count_layout import CountRequest
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import walk


@frozen_dataclass
class LoweredGame:
    """A graph lowered to the core. `sites`: the number of offers and choices; `fields`: those of each record type.

    `first` are the values, by kind and factor, of what layers added to kinds. `watched` is what is counted;
    `first_bits` are those of tallies, by term or chart, of `bit_count`. `read_by_endings` determines which pairs end.
    """

    module: ir.Module
    procedures: control.Procedures
    sites: int
    faces: dict[str, CounterFace]
    first: dict[str, dict[str, ir.Core]]
    fields: dict[str, tuple[Representation, ...]]
    denominators: Denominators
    watched: CountRequest | None
    first_bits: dict[str, int]
    bit_count: int
    read_by_endings: Footprint = frozenset()


def lower_game(rules: graph.Graph, watched: CountRequest | None = None) -> LoweredGame:
    """Lower the terms, procedures and counters of a graph; the terms are optimized, and watched ones have tallies."""
    first_bits, bit_count = _number_tallies(rules, watched or CountRequest())

    def lower(lowering: ExpressionLowering) -> LoweredGame:
        sites = SiteNumbering()
        lowering.tallies = first_bits if watched else None
        functions = lower_functions(lowering)
        procedures = lower_procedures(lowering, sites)
        faces = lower_counters(lowering)
        fields = {
            name: tuple(lowering.field_of(name, part) for part in record.fields)
            for name, record in rules.vocabulary.records.items()
        }
        first = lower_first_values(lowering)
        module, slots = functions, lowering.denominators
        return LoweredGame(module, procedures, sites.count, faces, first, fields, slots, watched, first_bits, bit_count)

    lowered, _ = lower_to_fixpoint(rules, lower)
    option_functions = {
        node.function
        for node in walk(tuple(lowered.procedures.procedures_by_key.values()))
        if isinstance(node, ir.Call)
    }
    module, footprints, change = optimize_game(lowered.module, option_functions)
    procedures = _with_expressions(lowered.procedures, change)
    if watched is None:
        by_key = memoize_openings(procedures.procedures_by_key, module, footprints)
        procedures = replace(procedures, procedures_by_key=by_key)
    read = _footprint_of_endings(procedures.endings, module, footprints)
    return replace(lowered, module=module, procedures=procedures, read_by_endings=read)


def _footprint_of_endings(
    endings: Iterable[control.PairEnding], functions: ir.Module, footprints: Mapping[str, Footprint]
) -> Footprint:
    """Return what determines which pairs end: all that their conditions read, and the pairs themselves."""
    fields = set()
    for ending in endings:
        condition = ir.Function("", (ending.left, ending.right), ending.condition)
        fields |= {read.field for read in FootprintAnalysis(functions, footprints, condition).reads()}
        fields.add(f"pairs:{ending.relation}")
    return frozenset(Read(field, ReadScope.ANY, "") for field in fields)


def _with_expressions(node: Any, change: Callable[[ir.Core], ir.Core]) -> Any:
    """Return procedures, or a part of them, with their expressions rewritten."""
    if isinstance(node, ir.Core):
        return change(node)
    if isinstance(node, tuple):
        return tuple([_with_expressions(part, change) for part in node])
    if isinstance(node, dict):
        return {key: _with_expressions(part, change) for key, part in node.items()}
    if not is_dataclass(node) or isinstance(node, type):
        return node
    parts = {field.name: _with_expressions(getattr(node, field.name), change) for field in fields(node)}
    changed_parts = {name: part for name, part in parts.items() if part is not getattr(node, name)}
    return replace(node, **changed_parts) if changed_parts else node


def _number_tallies(rules: graph.Graph, watched: CountRequest) -> tuple[dict[str, int], int]:
    """Return the first bit of each watched term and chart, and the number of all bits.

    Each has a bit for each of its rules or rows, one before them that it was asked, one behind them that none was live.
    """
    sizes = {name: len(rules.terms[name].rules) for name in watched.terms}
    sizes |= {name: len(rules.tables[name].rows) for name in watched.charts}
    first_bits, end = {}, 0
    for name, size in sorted(sizes.items()):
        first_bits[name] = end
        end += size + 2
    return first_bits, end
