"""Build examples: settings, questions and expected answers."""

from itertools import pairwise
from typing import Any

from compiler.source import nodes as source
from compiler.source.building.parts import Parts, cover, each_of, every, maybe_word, named, names, node, tuples, word
from compiler.source.scanner import Token


def example(parts: Parts) -> source.Example:
    """Build an example; its lines are in written order."""
    _, title, under_, upon_, cases_, _, *lines, _ = parts
    flat = [line for part in lines for line in (part if isinstance(part, tuple) else (part,))]
    return source.Example(cover(parts), title.value, maybe_word(under_), maybe_word(upon_), cases_, tuple(flat))


def cases(parts: Parts) -> source.Cases | None:
    """Build `for (a, b) in (1, 2), (3, 4)`."""
    if parts[0] is None:
        return None
    return source.Cases(cover(parts), names(parts), tuple(p for p in parts if type(p) is tuple))


def row(parts: Parts) -> tuple[source.Expression, ...]:
    """Build one row of values."""
    return tuple(parts[1:-1:2])


def drawn(parts: Parts) -> tuple[source.CounterRow, ...]:
    """Build the rows of `chart unit (side, attack) { .. }`, each with its columns."""
    kind = word(parts[1])
    closes = next(index for index, part in enumerate(parts) if isinstance(part, Token) and part.text == ")")
    columns = names(parts[3:closes])
    return tuple(_drawn_row(kind, columns, part) for part in parts[closes:] if type(part) is tuple)


def _drawn_row(kind: source.Word, columns: tuple[source.Word, ...], row_: tuple[Any, ...]) -> source.CounterRow:
    span, id_, cells, traits = row_
    counter = source.Counter(span, id_, tuple(zip(columns, cells, strict=False)), traits, ())
    return source.CounterRow(span, kind, counter, cells[len(columns) :])


def drawn_row(parts: Parts) -> tuple[Any, ...]:
    """Build `coach: elves, 0, 6, hoof {slow}`."""
    id_, _, *cells, traits = parts
    return cover(parts), word(id_), tuple(cell for cell in cells if isinstance(cell, source.Scalar)), traits


def drawn_cell(parts: Parts) -> source.Scalar:
    """Build the content of a cell."""
    text = "".join(part.text for part in parts if part is not None).strip("'")
    return source.Scalar(cover(parts), text)


hex_row = node(source.HexRow, "row ... from {start} {direction:word?} on {board}", hexes=tuples)


def hex_item(parts: Parts) -> tuple[source.Word, tuple[source.Word, ...]]:
    """Build a hex and its features."""
    return parts[0], names(parts[1:])


space_row = node(source.SpaceRow, "spaces ... on {board}", spaces=tuples)


def connections(parts: Parts) -> tuple[source.Connection, ...]:
    """Build the steps of a `connections` line."""
    return tuple(step for part in parts if type(part) is tuple for step in part)


def connected(parts: Parts) -> tuple[source.Connection, ...]:
    """Build the steps of a trail, `A-B-C`."""
    return tuple(source.Connection(cover((a, b)), a, b, one_way=False) for a, b in pairwise(parts[0]))


def one_way(parts: Parts) -> tuple[source.Connection, ...]:
    """Build `D to E`."""
    a, _, b = parts
    return (source.Connection(cover(parts), word(a), word(b), one_way=True),)


def side_settings(parts: Parts) -> tuple[source.SideSetting, ...]:
    """Build the hexsides of a `sides` line."""
    return every(source.SideSetting, parts)


def side_item(parts: Parts) -> source.SideSetting:
    """Build `A/B hedge`."""
    a, _, b, *features = parts
    return source.SideSetting(cover(parts), a, b, names(features))


def path_settings(parts: Parts) -> tuple[source.PathSetting, ...]:
    """Build the trails of a `path` line."""
    path = word(parts[1])
    return tuple(source.PathSetting(cover(words), path, words) for words in parts[2:] if type(words) is tuple)


trail = named


piece_setting = node(
    source.PieceSetting,
    "piece ... : {type:word} {owner:word?} {at} {place:word?} {properties:tuples}",
    names=lambda parts: names(parts[:-6]),
)


def piece_property(parts: Parts) -> tuple[source.Word, source.Expression | None]:
    """Build a status, or a track with its value."""
    return word(parts[0]), parts[1]


given = node(source.Given, "given {question} = {value}")


def forced_dice(parts: Parts) -> source.Dice:
    """Build `dice 3, first`."""
    throws = (word(token) if token.type == "NAME" else int(token.value) for token in parts[1::2])
    return source.Dice(cover(parts), tuple(throws))


narrated = node(source.Narrated, "{what:written} {text:value}")
forced_draws = node(source.Draws, "draws", members=lambda parts: tuple(parts[1::2]))
let_only = node(source.LetOnly, "let {name:word} = the {kind:word} where {where}")
perform = node(source.Perform, "act {action:word} ( ... ) {by} {refused}", choices=each_of(source.ChoiceMade))
answered = node(source.Answered, "{done}", choices=each_of(source.ChoiceMade))
refused = node(source.Refused, "refused by {by:list} {because} when {when}")


def not_taken(parts: Parts) -> source.Refused:
    """Build `refused by label because label` behind a choice, which has at most one label and one reason."""
    _, _, reason, _, because_, _, when = parts
    return source.Refused(cover(parts), names([reason]) if reason else (), names([because_]) if because_ else (), when)


choice_made = node(source.ChoiceMade, "{asking:word?} . {name:word} : {value} {refused}")
in_order = node(source.Order, "order", stations=each_of(source.Station), stop=lambda parts: parts[-1] is not None)


def going_on(parts: Parts) -> Token:
    """Build `, stop`."""
    stop: Token = parts[-1]
    return stop


step_station = node(source.Station, "{absent:given} {what:written} {name:word} {side:word?}")


def turn_station(parts: Parts) -> source.Station:
    """Build `turn 2`."""
    keyword, number = parts
    return source.Station(cover(parts), keyword.text, source.Word(number.span, str(int(number.value))), None)


ask = node(source.Ask, "ask {question} = {expected} {because}")


def because(parts: Parts) -> tuple[source.Word, ...]:
    """Build the reasons that an answer is expected to have."""
    return parts[1] or ()


expected_verdict = node(source.ExpectedVerdict, "{verdict:written} by {by:list}")
