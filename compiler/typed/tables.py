"""Elaboration of tables: every key and cell against its declared type.

In: a merged table. Out: a `graph.Table`. Scalars are texts on input and graph values on output; `6:1`, `0203` and `NO`
are literal, unlike in YAML.
"""

from collections.abc import Mapping
from typing import cast

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.amounts import amount_of
from compiler.source.origins import origin_of
from compiler.source.suggestions import nearest_names
from compiler.typed.environment import (
    UNKNOWN_TYPE,
    ChartSignature,
    Environment,
    memoize_query,
    resolve_type,
    type_text,
)
from compiler.typed.findings.mismatches import BadCell
from compiler.typed.findings.names import UnknownMember
from compiler.typed.placeholders import unknown_fields
from runtime.graph import nodes as graph
from runtime.graph.literals import literal_value


def declare_chart(env: Environment, table: layered.Table) -> None:
    """Enter a table's keys and kinds of cells into the environment."""
    node = table.node
    rows = env.database.tuple_of(placed.node for placed in table.rows)
    env.charts[node.name.text] = _chart_signature(env, node, rows)


@memoize_query("chart", input_count=2)
def _chart_signature(env: Environment, table: source.Table, rows: tuple[source.Row, ...]) -> ChartSignature:
    keys = tuple(graph.Parameter(key.name.text, resolve_type(env, key.type) or UNKNOWN_TYPE) for key in table.keys)
    cells = tuple(
        (word.text, resolve_type(env, written) or UNKNOWN_TYPE if written is not None else None)
        for word, written in table.cells
    )
    return ChartSignature(table.name.text, keys, cells, _kinds_at(env, keys, dict(cells), rows))


def _kinds_at(
    env: Environment,
    keys: tuple[graph.Parameter, ...],
    kinds: Mapping[str, graph.Type | None],
    rows: tuple[source.Row, ...],
) -> Mapping[tuple[int, str], frozenset[str]]:
    """Return the kinds of cells in the rows where one key is a certain member of its enumeration."""
    found: dict[tuple[int, str], set[str]] = {}
    if len(kinds) < 2:
        return {}
    for row in rows:
        kind = _kind(kinds, row.value.text)
        matches_by_key = {word.text: matches for word, matches in row.keys}
        for index, key in enumerate(keys):
            if isinstance(key.type, graph.Enum):
                named = [match.text for match in matches_by_key.get(key.name, ()) if isinstance(match, source.Word)]
                for member in named if key.name in matches_by_key else env.members(key.type.name):
                    found.setdefault((index, member), set()).add(kind)
    return {address: frozenset(cell_kinds) for address, cell_kinds in found.items()}


def _kind(kinds: Mapping[str, graph.Type | None], text: str) -> str:
    """Return the kind of a cell by its text: a kind alone, `kind: content`, or the first kind with content."""
    word, _, rest = text.partition(": ")
    if text in kinds and kinds[text] is None:
        return text
    if rest and kinds.get(word) is not None:
        return word
    return next((kind for kind, content_type in kinds.items() if content_type), "")


@memoize_query("table")
def build_table(env: Environment, table: layered.Table) -> graph.Table:
    """Elaborate a declared table; rows in error are reported and left out."""
    chart = env.charts[table.node.name.text]
    inherited = tuple(word.text for word in table.node.cites)
    if table.node.hit == "collect" and len(chart.cells) > 1:
        env.report_invalid(
            table.node.name.span,
            f"`{chart.name}` combines the cells of several rows, which must be of one kind",
            "use only one kind of cell, or write `hit: unique`",
        )
    env.problems += unknown_fields(
        table.node.reads or "", table.node.name.span, [key.name for key in chart.keys], "chart"
    )
    rows = tuple(
        row for placed in table.rows if (row := _row(env, chart, placed.node, placed.layer, inherited)) is not None
    )
    return graph.Table(
        name=chart.name,
        keys=chart.keys,
        cells=chart.cells,
        hit=cast(graph.Hit, table.node.hit),
        operator=table.node.operator or "",
        rows=rows,
        title=table.node.title or "",
        edition=table.node.edition or "",
        reads=table.node.reads or "",
        cites=inherited,
        origin=origin_of(table.layer, table.node.name.span),
    )


def _row(
    env: Environment, chart: ChartSignature, row: source.Row, layer: str, inherited: tuple[str, ...]
) -> graph.TableRow | None:
    matches_by_key = {word.text: (word, matches) for word, matches in row.keys}
    names = [key.name for key in chart.keys]
    for word, _ in matches_by_key.values():
        if word.text not in names:
            env.report_unknown(f"key of {chart.name}", word, [*names, "is", "cites"])
    keys: list[tuple[graph.Match, ...] | None] = []
    for key in chart.keys:
        if key.name not in matches_by_key:
            keys.append(None)
            continue
        matches = [_match(env, part, key.type) for part in matches_by_key[key.name][1]]
        if any(part is None for part in matches):
            return None
        keys.append(tuple(part for part in matches if part is not None))
    content = _content(env, chart, row.value)
    if content is None:
        return None
    kind, value = content
    cites = tuple(word.text for word in row.cites) or inherited
    return graph.TableRow(tuple(keys), kind, value, cites, origin_of(layer, row.value.span))


def _match(env: Environment, match: source.Match, type_: graph.Type) -> graph.Match | None:
    if isinstance(match, source.MatchRange):
        return graph.Match(match.low, match.high)
    value = scalar_value(env, source.Scalar(match.span, match.text), type_, "key")
    return graph.Match(literal_value(value), literal_value(value)) if value is not None else None


def _content(
    env: Environment, chart: ChartSignature, cell: source.Scalar
) -> tuple[str, graph.LiteralExpr | None] | None:
    """Return the kind and the value of a cell; None after a problem."""
    kinds = dict(chart.cells)
    if list(kinds) == [""]:
        type_ = kinds[""]
        value = scalar_value(env, cell, type_, chart.name) if type_ is not None else None
        return ("", value) if value is not None else None
    if cell.text in kinds and kinds[cell.text] is None:
        return cell.text, None
    word, _, rest = cell.text.partition(": ")
    if rest and kinds.get(word) is not None:
        value = scalar_value(env, source.Scalar(cell.span, rest), kinds[word], chart.name)
        return (word, value) if value is not None else None
    for kind, type_ in kinds.items():
        if type_ is not None:
            value = scalar_value(env, cell, type_, chart.name, words=tuple(k for k, t in kinds.items() if t is None))
            return (kind, value) if value is not None else None
    known = tuple(kinds)
    return env.report(UnknownMember(cell.span, chart.name, cell.text, known, nearest_names(cell.text, known)), None)


def scalar_value(
    env: Environment, written: source.Scalar, type_: graph.Type | None, value_name: str, words: tuple[str, ...] = ()
) -> graph.LiteralExpr | None:
    """Parse a text scalar as a value of a type; `words` are alternatives for the message; None after a problem."""
    text = written.text.strip()
    match type_:
        case graph.Number():
            return _number(env, written, type_, value_name, words)
        case graph.YesNo() if text in {"yes", "no"}:
            return graph.Truth(text == "yes")
        case graph.Enum(name=name):
            if env.has_member(name, text):
                return graph.Member(name, text)
            return env.report(env.unknown_member(written.span, name, text), None)
        case graph.Scale(name=name):
            places = dict(env.scales[name].places)
            if text.strip("'") in places:
                return graph.Place(name, text.strip("'"), places[text.strip("'")])
            return env.report(UnknownMember(written.span, name, text, tuple(places), nearest_names(text, places)), None)
        case _:
            pass
    if type_ is not UNKNOWN_TYPE:
        env.problems.append(BadCell(written.span, value_name, type_text(type_), text))
    return None


def _number(
    env: Environment, written: source.Scalar, type_: graph.Number, value_name: str, words: tuple[str, ...]
) -> graph.Num | None:
    number, _, measure = written.text.strip().partition(" ")
    value = amount_of(number)
    if value is None:
        expected = " or ".join((type_text(type_), *(f"`{word}`" for word in words)))
        return env.report(BadCell(written.span, value_name, expected, written.text), None)
    outside = (type_.low is not None and value < type_.low) or (type_.high is not None and value > type_.high)
    is_fraction = value.denominator > 1 and type_.is_whole
    if outside or is_fraction or (measure and measure != type_.measure):
        expected = f"a whole number of {type_text(type_)}" if is_fraction else type_text(type_)
        return env.report(BadCell(written.span, value_name, expected, written.text), None)
    return graph.Num(value, type_.measure)
