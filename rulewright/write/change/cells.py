"""Cells of charts: look-up by keys, formatting as expressions, and examples that read them."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from rulewright.system.errors import UsageError, suggestion_text
from runtime.answer import tables
from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.graph.rows import match_text, row_label
from runtime.witness.position_file import expression_text, quote_name


def find_cell(rules: graph.Graph, table: graph.Table, keys: Sequence[str]) -> graph.TableRow:
    """Return the row of a chart with some keys in the format of `row_label`, or the row that contains this cell."""
    words = [key.strip().strip("'") for key in keys]
    if len(words) != len(table.keys):
        names = ", ".join(key.name for key in table.keys)
        raise UsageError(f"`{table.name}` is read by {len(table.keys)} keys: {names}")
    rows = {tuple(key_words(rules, table, row)): row for row in table.rows}
    if tuple(words) in rows:
        return rows[tuple(words)]
    for index, (key, word) in enumerate(zip(table.keys, words, strict=True)):
        known = list(dict.fromkeys(labels[index] for labels in rows))
        if word not in known and word not in _keys_of(rules, key.type) and not word.isdecimal():
            raise UsageError(f"`{table.name}` has no {key.name} `{word}`; {suggestion_text(word, known)}")
    values = _matches(rules, table, words)
    matching_rows = [row for row in table.rows if values and None not in row.keys and tables.row_matches(row, values)]
    if len(matching_rows) == 1:  # A line for several: that cell is set apart from it.
        return replace(matching_rows[0], keys=tuple((graph.Match(each, each),) for each in values))
    raise UsageError(f"`{table.name}` has no line for {', '.join(words)}")


def _matches(rules: graph.Graph, table: graph.Table, keys: Sequence[str]) -> tuple[str | int | bool, ...]:
    """Parse a value for each key of a chart; () if a word is invalid."""
    found = []
    for key, word in zip(table.keys, keys, strict=True):
        known = _keys_of(rules, key.type)
        value = known.get(word) if known else int(word) if word.isdecimal() else None
        if value is None:
            return ()
        found.append(value)
    return tuple(found)


def _keys_of(rules: graph.Graph, type_: graph.Type) -> dict[str, str | int | bool]:
    """Return the values of a type by identifier; {} for numbers."""
    match type_:
        case graph.Enum(name):
            return {word: word for word in members_of(rules.vocabulary, name)}
        case graph.Scale(name):
            return {place: int(rank) for place, rank in rules.vocabulary.scales[name].places}
        case graph.YesNo():
            return {"yes": True, "no": False}
        case _:
            return {}


def key_words(rules: graph.Graph, table: graph.Table, row: graph.TableRow) -> list[str]:
    """Return the keys of a row, formatted as one word each."""
    labels = row_label(table, row, rules.vocabulary).removeprefix(f"{table.name}[").removesuffix("]")
    return labels.split(", ")


def key_alternatives(table: graph.Table, row: graph.TableRow, vocabulary: graph.Vocabulary) -> list[list[str]]:
    """Return for each key the formatted values that a row accepts; [] if it accepts a single one.

    No single value is set apart from a row in which some key accepts any value.
    """
    if None in row.keys:
        return [[] for _ in row.keys]
    found = []
    for key, matches in zip(table.keys, row.keys, strict=True):
        values: list[str] = []
        for match in matches or ():
            singles = [graph.Match(match.low, match.low)]
            if type(match.low) is int and type(match.high) is int:
                singles = [graph.Match(value, value) for value in range(match.low, match.high + 1)]
            values += (match_text(single, key.type, vocabulary) for single in singles)
        found.append(values if len(values) > 1 else [])
    return found


def is_single_cell(row: graph.TableRow, table: graph.Table) -> bool:
    """Return whether each key of a row is one name, so that a rule can name its cell as `chart[slope, truck]`."""
    for matches, key in zip(row.keys, table.keys, strict=True):
        if matches is None or len(matches) != 1 or matches[0].low != matches[0].high:
            return False
        if not isinstance(key.type, graph.Enum | graph.Scale):
            return False
    return True


def cell_expression(row: graph.TableRow, table: graph.Table, vocabulary: graph.Vocabulary) -> str | None:
    """Format the first cell of a row as an expression; None if a key accepts any value."""
    names = []
    for matches, key in zip(row.keys, table.keys, strict=True):
        if not matches:
            return None
        name = match_text(graph.Match(matches[0].low, matches[0].low), key.type, vocabulary)
        if isinstance(key.type, graph.Number):
            names.append(f"{name} {key.type.measure}".strip())
        else:
            names.append(_key(name, key.type))
    return f"{table.name}[{', '.join(names)}]"


def _key(name: str, type_: graph.Type) -> str:
    """Format a key, with quotes around places of scales and names that are no identifiers."""
    return f"'{name}'" if isinstance(type_, graph.Scale) else quote_name(name)


def cell_text(row: graph.TableRow) -> str:
    """Format the value of a cell."""
    return row.kind if row.value is None else expression_text(row.value)


def typed_value(rules: graph.Graph, table: graph.Table, row: graph.TableRow, value: str) -> str:
    """Parse the new value of a cell: a kind of cell, or a value of the type of one; `UsageError` otherwise."""
    word = value.strip().strip("'")
    kinds = dict(table.cells)
    if word in kinds and kinds[word] is None:
        return word
    types = [kinds[row.kind]] if row.kind in kinds else []
    types += [kind for kind in kinds.values() if kind is not None]
    for type_ in types:
        if type_ is not None and (text := _value_of(rules, type_, word)) is not None:
            return text
    words = [name for name, type_ in table.cells if type_ is None]
    for type_ in types:
        words += [] if type_ is None else [*_keys_of(rules, type_)]
    raise UsageError(
        f"`{value}` cannot stand in `{table.name}`; {suggestion_text(word, words) if words else 'write a number'}"
    )


def _value_of(rules: graph.Graph, type_: graph.Type, word: str) -> str | None:
    match type_:
        case graph.Number(_, _, measure):
            try:
                number = Fraction(word.removesuffix(measure).strip() if measure else word)
            except (ValueError, ZeroDivisionError):
                return None
            return f"{number} {measure}".strip()
        case _:
            return quote_name(word) if word in _keys_of(rules, type_) else None


def cell_choices(rules: graph.Graph, table: graph.Table) -> list[str]:
    """Return the identifiers that a cell of a chart may contain; numbers are not listed."""
    words = [name for name, type_ in table.cells if type_ is None]
    return words + [each for _, type_ in table.cells if type_ is not None for each in _keys_of(rules, type_)]


def reading_line(rules: graph.Graph, table: graph.Table, row: graph.TableRow, cell: str, value: str) -> str:
    """Format the line of an example that reads a cell."""
    kinds = dict(table.cells)
    if "" in kinds:
        return f"  ask {cell} = {value}\n"
    if value in kinds and kinds[value] is None:
        return f"  ask ({cell} is {value}) = yes\n"
    kind = row.kind if row.kind in kinds and kinds[row.kind] is not None else ""
    kind = kind or next(
        name for name, type_ in table.cells if type_ is not None and _value_of(rules, type_, value.strip("'"))
    )
    return f"  ask ({cell} is {kind} and {cell}.{kind} = {value}) = yes\n"
