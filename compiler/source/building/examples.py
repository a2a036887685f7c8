"""Build examples: settings, questions and expected answers."""

from itertools import pairwise
from typing import Any

from compiler.source import nodes as source
from compiler.source.building.parts import Parts, cover, every, maybe_word, named, names, word
from compiler.source.scanner import Token


def example(parts: Parts) -> source.Example:
    """Build an example; its lines are in written order."""
    _, title, under_, upon_, cases_, _, *lines, _ = parts
    flat = [line for part in lines for line in (part if isinstance(part, tuple) else (part,))]
    return source.Example(cover(parts), title.value, maybe_word(under_), maybe_word(upon_), cases_, tuple(flat))


def cases(parts: Parts) -> source.Cases | None:
    """Build `for (a, b) in (1, 2), (3, 4)`."""
    return (
        None
        if parts[0] is None
        else source.Cases(cover(parts), names(parts), tuple(p for p in parts if type(p) is tuple))
    )


def row(parts: Parts) -> tuple[source.Expression, ...]:
    """Build one row of values."""
    return tuple(parts[1:-1:2])


def drawn(parts: Parts) -> tuple[source.Drawn, ...]:
    """Build the rows of `chart unit (side, attack) { .. }`, each with its columns."""
    kind = word(parts[1])
    closes = next(index for index, part in enumerate(parts) if isinstance(part, Token) and part.text == ")")
    columns = names(parts[3:closes])
    return tuple(_drawn_row(kind, columns, part) for part in parts[closes:] if type(part) is tuple)


def _drawn_row(kind: source.Word, columns: tuple[source.Word, ...], row_: tuple[Any, ...]) -> source.Drawn:
    span, id_, cells, traits = row_
    counter = source.Counter(span, id_, tuple(zip(columns, cells, strict=False)), traits, ())
    return source.Drawn(span, kind, counter, cells[len(columns) :])


def drawn_row(parts: Parts) -> tuple[Any, ...]:
    """Build `coach: elves, 0, 6, hoof {slow}`."""
    id_, _, *cells, traits = parts
    return cover(parts), word(id_), tuple(cell for cell in cells if isinstance(cell, source.Scalar)), traits


def drawn_cell(parts: Parts) -> source.Scalar:
    """Build the content of a cell."""
    text = "".join(part.text for part in parts if part is not None).strip("'")
    return source.Scalar(cover(parts), text)


def hex_row(parts: Parts) -> source.HexRow:
    """Build `row A, '0502' wood from X ne on heath`."""
    *hexes, _, start, direction, _, board = parts
    items = tuple(part for part in hexes if type(part) is tuple)
    return source.HexRow(cover(parts), items, start, maybe_word(direction), board)


def hex_item(parts: Parts) -> tuple[source.Word, tuple[source.Word, ...]]:
    """Build a hex and its features."""
    return parts[0], names(parts[1:])


def space_row(parts: Parts) -> source.SpaceRow:
    """Build `spaces A, B wood on heath`."""
    *spaces, _, board = parts
    return source.SpaceRow(cover(parts), tuple(part for part in spaces if type(part) is tuple), board)


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


def trail(parts: Parts) -> tuple[source.Word, ...]:
    """Build `A-B-C`."""
    return named(parts)


def piece_setting(parts: Parts) -> source.PieceSetting:
    """Build `piece T1, T2: coach of elves at A in trench (sleepy, spent 2 MP)`."""
    *named, _, type_, owner, space, place, properties_ = parts
    return source.PieceSetting(
        cover(parts),
        names(named),
        word(type_),
        maybe_word(owner),
        space,
        maybe_word(place),
        tuple(part for part in properties_ or () if type(part) is tuple),
    )


def piece_property(parts: Parts) -> tuple[source.Word, source.Expression | None]:
    """Build a status, or a track with its value."""
    return word(parts[0]), parts[1]


def given(parts: Parts) -> source.Given:
    """Build `given question = value`."""
    _, question, _, value = parts
    return source.Given(cover(parts), question, value)


def forced_dice(parts: Parts) -> source.Dice:
    """Build `dice 3, first`."""
    throws = (word(token) if token.type == "NAME" else int(token.value) for token in parts[1::2])
    return source.Dice(cover(parts), tuple(throws))


def narrated(parts: Parts) -> source.Narrated:
    """Build `tells ".."`, `previews ".."`, `chances ".."`."""
    keyword, text = parts
    return source.Narrated(cover(parts), keyword.text, str(text.value))


def forced_draws(parts: Parts) -> source.Draws:
    """Build `draws P, Q`."""
    return source.Draws(cover(parts), tuple(parts[1::2]))


def let_only(parts: Parts) -> source.LetOnly:
    """Build `let s = the sledge where condition`."""
    _, name, _, _, kind, _, condition = parts
    return source.LetOnly(cover(parts), word(name), word(kind), condition)


def perform(parts: Parts) -> source.Perform:
    """Build `act hop(imp: T) refused`."""
    _, action, _, *choices, _, actor, refusal = parts
    return source.Perform(cover(parts), word(action), every(source.ChoiceMade, choices), actor, refusal)


def answered(parts: Parts) -> source.Answered:
    """Build `do give_up(2) choosing lost: T`."""
    invocation, _, *choices = parts
    return source.Answered(cover(parts), invocation, every(source.ChoiceMade, choices))


def refused(parts: Parts) -> source.Refused:
    """Build `refused by label because label`."""
    _, _, reasons, because_, _, when = parts
    return source.Refused(cover(parts), reasons or (), because_, when)


def not_taken(parts: Parts) -> source.Refused:
    """Build `refused by label because label` behind a choice, which has at most one label and one reason."""
    _, _, reason, _, because_, _, when = parts
    return source.Refused(cover(parts), names([reason]) if reason else (), names([because_]) if because_ else (), when)


def choice_made(parts: Parts) -> source.ChoiceMade:
    """Build `procedure.name: value refused`."""
    asking, _, name, _, value, refusal = parts
    return source.ChoiceMade(cover(parts), maybe_word(asking), word(name), value, refusal)


def in_order(parts: Parts) -> source.Order:
    """Build `order station, station, stop`."""
    return source.Order(cover(parts), every(source.Station, parts), stop=parts[-1] is not None)


def going_on(parts: Parts) -> Token:
    """Build `, stop`."""
    stop: Token = parts[-1]
    return stop


def step_station(parts: Parts) -> source.Station:
    """Build `phase combat of red`, `no phase combat of red`."""
    no, keyword, name, side = parts
    return source.Station(cover(parts), keyword.text, word(name), maybe_word(side), absent=no is not None)


def turn_station(parts: Parts) -> source.Station:
    """Build `turn 2`."""
    keyword, number = parts
    return source.Station(cover(parts), keyword.text, source.Word(number.span, str(int(number.value))), None)


def ask(parts: Parts) -> source.Ask:
    """Build `ask question = expected because label`."""
    _, question, _, expected, because_ = parts
    return source.Ask(cover(parts), question, expected, because_)


def because(parts: Parts) -> tuple[source.Word, ...]:
    """Build the reasons that an answer is expected to have."""
    return parts[1] or ()


def expected_verdict(parts: Parts) -> source.ExpectedVerdict:
    """Build `forbidden by label`."""
    verdict, _, labels = parts
    return source.ExpectedVerdict(cover(parts), verdict.text, labels or ())
