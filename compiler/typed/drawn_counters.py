"""Elaboration of the rows that an example draws from a unit chart: printed values, and nothing else."""

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.origins import origin_of
from compiler.typed.counters import build_counter
from compiler.typed.environment import Environment
from compiler.typed.name_uses import note_drawn
from compiler.typed.unknown_names import unknown_counter
from runtime.graph import nodes as graph


def type_drawn_counter(line: source.CounterRow, env: Environment, layer: str) -> graph.Printed | None:
    """Elaborate one row, which has all printed values, as the row of the unit chart does; None after a problem."""
    id_ = line.counter.id
    if id_.text not in env.counters:
        return env.report(unknown_counter(id_, env.counters, env), None)
    if line.spare:
        message = f"this row has {len(line.spare) + len(line.counter.values)} cells, more than the chart has columns"
        env.report_invalid(line.spare[0].span, message, "delete cells, or add columns")
    counter = build_counter(env, layered.Counter(layer, line.kind, line.counter, (), singled_out=False))
    if counter is None:
        return None
    note_drawn(env, line.counter, counter)
    printed_values = tuple((name, value) for name, value in counter.printed if name not in counter.first)
    return graph.Printed(
        counter.id,
        counter.kind,
        counter.owner,
        printed_values,
        counter.traits,
        counter.back,
        origin_of(layer, line.span),
    )
