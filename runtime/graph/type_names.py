"""Types in the notation of rule files."""

from runtime.graph import nodes as graph


def type_name(type_: graph.Type) -> str:
    """Format a type."""
    match type_:
        case graph.Enum(name) | graph.Scale(name) | graph.RecordOf(name):
            return name
        case graph.Piece(kinds):
            return "|".join(kinds) or "piece"
        case graph.Number(None, _, measure) | graph.Number(_, None, measure):
            return measure or "number"
        case graph.Number(low, high, measure):
            return f"{low}..{high}" + (f" {measure}" if measure else "")
        case graph.Many(shape, inner):
            return f"{shape} of {type_name(inner)}"
        case graph.CellOf(table):
            return table
        case _:
            return type(type_).__name__.lower()
