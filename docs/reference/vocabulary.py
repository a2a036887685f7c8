"""The words that the layers of a stack declare, as a page of tables.

In: a layered stack, its graph, and the layers whose words are wanted. Out: markdown. Words stand in the order of the
alphabet, with the layer that declares them where there are several.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.expression_text import expression_text
from runtime.graph import nodes as graph
from runtime.graph.type_names import type_name

Cells = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, the columns of its table, and what a declaration brings into it."""

    heading: str
    columns: Cells
    rows: Callable[[source.Declaration], Iterable[Cells]]


def vocabulary(stack: layered.LayeredStack, rules: graph.Graph, layers: set[str]) -> str:
    """Write the tables of what these layers declare."""
    sections = [*SECTIONS, Section("Questions", ("question", "answers", "read as", "if it is not so"), _terms(rules))]
    parts: list[str] = []
    for section in [sections[-1], *sections[:-1]]:
        statement_parts = (part for parts in stack.statements.values() for part in parts)
        declared = ((part.layer, cells) for part in statement_parts for cells in section.rows(part.node))
        parts += _table(section.heading, section.columns, declared, layers)
    charts = ((table.layer, _chart(table.node)) for table in stack.tables.values())
    parts += _table("Charts", ("chart", "asked with", "holds", "sources"), charts, layers)
    conduct = ((part.layer, cells) for part in stack.conduct for cells in _conduct(part.node))
    parts += _table("What is done", ("name", "what", "says"), conduct, layers)
    return "\n\n".join(parts)


def _table(heading: str, columns: Cells, declared: Iterable[tuple[str, Cells]], layers: set[str]) -> Iterator[str]:
    """Write a table; columns in which nothing stands are left out."""
    rows = sorted({(*cells, layer) for layer, cells in declared if layer in layers})
    if not rows:
        return
    remaining = [at for at in range(len(columns)) if any(row[at] for row in rows)]
    heads = [columns[at] for at in remaining]
    lines = [[row[at] for at in remaining] for row in rows]
    if len(layers) > 1:
        heads.append("layer")
        lines = [[*line, row[-1]] for line, row in zip(lines, rows, strict=True)]
    yield f"## {heading}"
    table = [heads, ["---"] * len(heads), *lines]
    yield "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in table)


# ---------------------------------------------------------------- questions


def _terms(rules: graph.Graph) -> Callable[[source.Declaration], Iterator[Cells]]:
    """List terms; the type of a definition may be known to the graph only."""

    def rows(node: source.Declaration) -> Iterator[Cells]:
        if not isinstance(node, source.Term | source.Define):
            return
        name = node.name.text
        question = f"`{name}({', '.join(_parameter(each) for each in node.parameters)})`"
        term = rules.terms.get(name)
        answers = _answer(term.type) if term else ""
        form = node.form if isinstance(node, source.Term) else "value"
        if form in {"verdict", "condition"}:
            words = ("allowed", "forbidden") if form == "verdict" else ("yes", "no")
            answers = " or ".join(words)
        elif form != "value":
            answers = f"{form}: {answers}"
        reads = node.reads
        yield question, answers, reads.text if reads else "", (reads.denied or "") if reads else ""

    return rows


def _answer(of: graph.Type) -> str:
    """Name the type of an answer; what was worked out from a definition may have no bounds."""
    match of:
        case graph.Number(None, None, measure):
            return f"any number of {measure}" if measure else "any number"
        case graph.Number(low, high, measure) if low is None or high is None:
            bound = f"{low} or more" if high is None else f"{high} or less"
            return f"{bound} {measure}".rstrip()
        case _:
            return type_name(of)


# ---------------------------------------------------------------- words


def _kinds(node: source.Declaration) -> Iterator[Cells]:
    if isinstance(node, source.Kind):
        yield f"`{node.name.text}`", _listed(node.printed)


def _flags(what: str) -> Callable[[source.Declaration], Iterator[Cells]]:
    def rows(node: source.Declaration) -> Iterator[Cells]:
        if isinstance(node, source.Flags) and node.what == what:
            owner = node.owner.text if node.owner else ""
            yield from ((f"`{item.name.text}`", owner, item.reads or "") for item in node.items)

    return rows


def _places(node: source.Declaration) -> Iterator[Cells]:
    if isinstance(node, source.Place):
        yield f"`{node.name.text}`", node.of.text


def _statuses(node: source.Declaration) -> Iterator[Cells]:
    if isinstance(node, source.Status):
        for item in node.items:
            yield f"`{item.name.text}`", node.owner.text, item.reads or "", item.marker or "", _until(item.until)


def _tracks(node: source.Declaration) -> Iterator[Cells]:
    if isinstance(node, source.Track):
        initial = "" if node.initial is None else expression_text(node.initial)
        required = "" if node.required is None else _required(node.required)
        yield f"`{node.owner.text}.{node.name.text}`", expression_text(node.type), initial, _until(node.until), required
    elif isinstance(node, source.Requires):
        yield f"`{node.owner.text}.{node.name.text}`", "", "", "", _required(node.demand)


def _required(demand: source.Requirement) -> str:
    """Return what a card has to give, for what, and when."""
    when = f", where `{expression_text(demand.condition)}`" if demand.condition is not None else ""
    question = f", where it speaks of {', '.join(f'`{word.text}`' for word in demand.asked)}" if demand.asked else ""
    return f"{demand.why}{when}{question}"


def _relations(node: source.Declaration) -> Iterator[Cells]:
    if isinstance(node, source.Relation):
        one = f"one {node.one.text}" if node.one else ""
        keeps = f"keeps {_parameter(node.keeps)}" if node.keeps else ""
        yield f"`{node.name.text}({_listed((node.left, node.right))})`", ", ".join(filter(None, (one, keeps)))


def _records(node: source.Declaration) -> Iterator[Cells]:
    match node:
        case source.Record(name=name, fields=fields, optional=optional):
            absent = {word.text for word in optional}
            inside = ", ".join(f"{_parameter(each)}{'?' * (each.name.text in absent)}" for each in fields)
            yield f"`{name.text}`", inside, ""
        case source.Task(name=name, fields=fields, counter=counter, moment=moment):
            yield f"`{name.text}`", _listed(fields), f"counts {_parameter(counter)} each end of {moment.name.text}"
        case _:
            pass


def _lists(node: source.Declaration) -> Iterator[Cells]:
    match node:
        case source.Sides(items=items):
            yield "`side`", _items(items)
        case source.Enumeration(name=name, items=items, extends=extends):
            yield f"`{name.text}`", ("also " if extends else "") + _items(items)
        case _:
            pass


def _scales(node: source.Declaration) -> Iterator[Cells]:
    match node:
        case source.Scale(name=name, measure=measure, items=items, extends=extends):
            places = ", ".join(f"{item.name.text} = {item.value}" for item in items)
            yield f"`{name.text}`", ("also " if extends else "") + places, measure.text if measure else ""
        case source.Domain(name=name, type=domain):
            yield f"`{name.text}`", expression_text(domain), ""
        case _:
            pass


def _measures(node: source.Declaration) -> Iterator[Cells]:
    if isinstance(node, source.Measure):
        yield from ((f"`{item.name.text}`", item.reads or "") for item in node.items)


def _events(node: source.Declaration) -> Iterator[Cells]:
    if isinstance(node, source.Event):
        yield (f"`{node.name.text}({_listed(node.parameters)})`",)


SECTIONS = (
    Section("Kinds of pieces", ("kind", "printed on the counter"), _kinds),
    Section("Traits of pieces", ("trait", "of", "read as"), _flags("trait")),
    Section("Features of the map", ("feature", "of a", "read as"), _flags("feature")),
    Section("Paths", ("path", "", "read as"), _flags("path")),
    Section("Places in a hex", ("place", "of a"), _places),
    Section("Statuses", ("status", "of a", "read as", "marker", "until"), _statuses),
    Section("What play keeps in mind", ("track", "holds", "first", "until", "required of cards"), _tracks),
    Section("Relations", ("relation", "and"), _relations),
    Section("Records and tasks", ("record", "fields", "and"), _records),
    Section("Closed lists", ("list", "members"), _lists),
    Section("Scales and domains", ("name", "places", "in"), _scales),
    Section("Measures", ("measure", "read as"), _measures),
    Section("Events", ("event",), _events),
)


# ---------------------------------------------------------------- charts and conduct


def _chart(table: source.Table) -> Cells:
    keys = ", ".join(f"{_parameter(key)}" for key in table.keys)
    cells = ", ".join(f"{word.text}: {expression_text(of)}" if of else word.text for word, of in table.cells)
    return f"`{table.name.text}`", keys, cells, ", ".join(word.text for word in table.cites)


def _conduct(node: source.Conduct) -> Iterator[Cells]:
    match node:
        case source.Action(name=name, parameters=parameters, by=by, phases=phases, prose=prose):
            who = f"action{f' by {by.text}' if by else ''}"
            where = f" in {', '.join(word.text for word in phases)}" if phases else ""
            yield f"`{name.text}{f'({_listed(parameters)})' if parameters else ''}`", who + where, prose or ""
        case source.Reaction(name=name, by=by, event=event, prose=prose):
            yield f"`{name.text}`", f"reaction by {by.text} to {event.text}", prose or ""
        case source.Resolution(name=name, parameters=parameters, prose=prose):
            yield f"`{name.text}({_listed(parameters)})`", "resolution", prose or ""
        case _:
            pass


# ---------------------------------------------------------------- small words


def _parameter(parameter: source.Parameter) -> str:
    return f"{parameter.name.text}: {expression_text(parameter.type)}"


def _listed(parameters: Iterable[source.Parameter]) -> str:
    return ", ".join(_parameter(each) for each in parameters)


def _items(items: Iterable[source.Item]) -> str:
    return ", ".join(f"{item.name.text} ({item.reads})" if item.reads else item.name.text for item in items)


def _until(moment: source.Moment | None) -> str:
    return f"end of {moment.name.text}" if moment else ""
