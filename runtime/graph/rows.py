"""Labels of chart rows in findings and differences: `chart[bog, cart]`."""

from runtime.graph import nodes as graph


def row_label(table: graph.Table, row: graph.TableRow, vocabulary: graph.Vocabulary) -> str:
    """Return the label of a row, `chart[bog, cart]`; a wildcard key is `any`."""
    keys = (
        "any" if matches is None else "|".join(match_text(match, key.type, vocabulary) for match in matches)
        for key, matches in zip(table.keys, row.keys, strict=True)
    )
    return f"{table.name}[{', '.join(keys)}]"


def match_text(match: graph.Match, type_: graph.Type, vocabulary: graph.Vocabulary) -> str:
    """Return the text of one accepted value of a key, or of a range."""
    names: dict[object, str] = {}
    if isinstance(type_, graph.Scale):
        names = {value: name for name, value in vocabulary.scales[type_.name].places}
    if isinstance(type_, graph.YesNo):
        names = {True: "yes", False: "no"}
    low, high = (names.get(end, str(end)) for end in (match.low, match.high))
    return low if low == high else f"{low}..{high}"
