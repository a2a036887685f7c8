"""Build examples: settings, questions and expected answers."""

from itertools import pairwise
from typing import Any

from compiler.source import nodes as source
from compiler.source.building.forms import entry, form
from compiler.source.building.parts import Parts, arguments, cover, maybe_word, names, word
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


hex_row = form(
    source.HexRow,
    'row {hexes:hex_item/tuples ","+} [from {start:any_word} {direction:NAME}] [on {board:any_word}]',
)
hex_item = entry("{hex:any_word} {features:NAME*}")
space_row = form(source.SpaceRow, 'spaces {spaces:hex_item/tuples ","+} [on {board:any_word}]')


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


side_settings = arguments
side_item = form(source.SideSetting, "{a:any_word}/{b:any_word} {features:NAME+}")


def path_settings(parts: Parts) -> tuple[source.PathSetting, ...]:
    """Build the trails of a `path` line."""
    path = word(parts[1])
    return tuple(source.PathSetting(cover(words), path, words) for words in parts[2:] if type(words) is tuple)


trail = arguments


piece_setting = form(
    source.PieceSetting,
    'piece {names:NAME ","+}: {type:NAME} {owner:owned} {at:placed} {place:placed_in} {properties:properties}',
)
piece_property = entry("{name:NAME} [{value:sum}]")
given = form(source.Given, "given {question:sum} = {value:sum}")


def forced_dice(parts: Parts) -> source.Dice:
    """Build `dice 3, first`."""
    throws = (word(token) if token.type == "NAME" else int(token.value) for token in parts[1::2])
    return source.Dice(cover(parts), tuple(throws))


narrated = form(source.Narrated, '{what:"previews"|"tells"|"chances"} {text:STRING}')
forced_draws = form(source.Draws, 'draws {members:expression ","+}')
let_only = form(source.LetOnly, "let {name:NAME} = the {kind:NAME} [where {where:expression}]")
perform = form(source.Perform, 'act {action:NAME}({choices:choice_made ","*}) {by:chooser} [{refused:refused}]')
answered = form(source.Answered, '{done:do} choosing {choices:choice_made ","+}')
refused = form(source.Refused, "refused [by {by:reasons/list}] {because:because} [when {when:expression}]")
not_taken = form(
    source.Refused, "refused [by {by:LABEL|NAME/words}] [because {because:LABEL/words}] [when {when:expression}]"
)
choice_made = form(source.ChoiceMade, "[{asking:NAME}.]{name:NAME}: {value:sum} [{refused:not_taken}]")
in_order = form(source.Order, 'order {stations:station ","+} [{:going_on}]', stop=lambda parts: parts[-1] is not None)
step_station = form(source.Station, '[{absent:"no"=yes}] {what:"phase"|"offer"|"do"} {name:NAME} {side:owned}')


def turn_station(parts: Parts) -> source.Station:
    """Build `turn 2`."""
    keyword, number = parts
    return source.Station(cover(parts), keyword.text, source.Word(number.span, str(int(number.value))), None)


ask = form(source.Ask, "ask {question:asked} [= {expected:expected}] {because:because}")


def because(parts: Parts) -> tuple[source.Word, ...]:
    """Build the reasons that an answer is expected to have."""
    return parts[1] or ()


expected_verdict = form(source.ExpectedVerdict, "{verdict:VERDICT_WORD|CONDITION_WORD} [by {by:labels/list}]")
