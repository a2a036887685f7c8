"""Build examples: settings, what is asked, what is expected."""

from itertools import pairwise
from typing import Any

from compiler.source.building.parts import Parts, cover, every, maybe_word, named, names, word
from compiler.source.nodes import (
    Answered,
    Ask,
    Cases,
    ChoiceMade,
    Connection,
    Counter,
    Dice,
    Drawn,
    Draws,
    Example,
    ExpectedVerdict,
    Expression,
    Given,
    HexRow,
    LetOnly,
    Narrated,
    Order,
    PathSetting,
    Perform,
    PieceSetting,
    Refused,
    Scalar,
    SideSetting,
    SpaceRow,
    Station,
    Word,
)
from compiler.source.scan import Token


def example(parts: Parts) -> Example:
    """Build a position and its questions; lines keep their written order."""
    _, title, under_, upon_, cases_, _, *lines, _ = parts
    flat = [line for part in lines for line in (part if isinstance(part, tuple) else (part,))]
    return Example(cover(parts), title.value, maybe_word(under_), maybe_word(upon_), cases_, tuple(flat))


def under(parts: Parts) -> Token | None:
    """Keep the stack an example runs under."""
    stack: Token | None = parts[1]
    return stack


def upon(parts: Parts) -> Token | None:
    """Keep the card an example starts from."""
    card: Token | None = parts[1]
    return card


def cases(parts: Parts) -> Cases | None:
    """Build `for (a, b) in (1, 2), (3, 4)`."""
    return None if parts[0] is None else Cases(cover(parts), names(parts), tuple(p for p in parts if type(p) is tuple))


def row(parts: Parts) -> tuple[Expression, ...]:
    """Build one row of values."""
    return tuple(parts[1:-1:2])


def drawn(parts: Parts) -> tuple[Drawn, ...]:
    """Build the rows of `chart unit (side, attack) { .. }`, each with the columns it is under."""
    kind = word(parts[1])
    closes = next(at for at, part in enumerate(parts) if isinstance(part, Token) and part.text == ")")
    columns = names(parts[3:closes])
    return tuple(_drawn(kind, columns, part) for part in parts[closes:] if type(part) is tuple)


def _drawn(kind: Word, columns: tuple[Word, ...], row_: tuple[Any, ...]) -> Drawn:
    span, id_, cells, traits = row_
    counter = Counter(span, id_, tuple(zip(columns, cells, strict=False)), traits, ())
    return Drawn(span, kind, counter, cells[len(columns) :])


def drawn_row(parts: Parts) -> tuple[Any, ...]:
    """Build `coach: elves, 0, 6, hoof {slow}`."""
    id_, _, *cells, traits = parts
    return cover(parts), word(id_), tuple(cell for cell in cells if isinstance(cell, Scalar)), traits


def drawn_cell(parts: Parts) -> Scalar:
    """Build what stands in a cell."""
    text = "".join(part.text for part in parts if part is not None).strip("'")
    return Scalar(cover(parts), text)


def drawn_traits(parts: Parts) -> tuple[Word, ...]:
    """Build the traits behind a row."""
    return names(parts)


def hex_row(parts: Parts) -> HexRow:
    """Build `row A, '0502' wood from X ne on heath`."""
    *hexes, _, start, direction, _, board = parts
    items = tuple(part for part in hexes if type(part) is tuple)
    return HexRow(cover(parts), items, start, maybe_word(direction), board)


def hex_item(parts: Parts) -> tuple[Word, tuple[Word, ...]]:
    """Build a hex and its features."""
    return parts[0], names(parts[1:])


def space_row(parts: Parts) -> SpaceRow:
    """Build `spaces A, B wood on heath`."""
    *spaces, _, board = parts
    return SpaceRow(cover(parts), tuple(part for part in spaces if type(part) is tuple), board)


def connections(parts: Parts) -> tuple[Connection, ...]:
    """Build the steps of a `connections` line."""
    return tuple(step for part in parts if type(part) is tuple for step in part)


def connected(parts: Parts) -> tuple[Connection, ...]:
    """Build the steps of a trail, `A-B-C`."""
    return tuple(Connection(cover((a, b)), a, b, one_way=False) for a, b in pairwise(parts[0]))


def one_way(parts: Parts) -> tuple[Connection, ...]:
    """Build `D to E`."""
    a, _, b = parts
    return (Connection(cover(parts), word(a), word(b), one_way=True),)


def side_settings(parts: Parts) -> tuple[SideSetting, ...]:
    """Build the hexsides of a `sides` line."""
    return every(SideSetting, parts)


def side_item(parts: Parts) -> SideSetting:
    """Build `A/B hedge`."""
    a, _, b, *features = parts
    return SideSetting(cover(parts), a, b, names(features))


def path_settings(parts: Parts) -> tuple[PathSetting, ...]:
    """Build the trails of a `path` line."""
    path = word(parts[1])
    return tuple(PathSetting(cover(trail_), path, trail_) for trail_ in parts[2:] if type(trail_) is tuple)


def trail(parts: Parts) -> tuple[Word, ...]:
    """Build `A-B-C`."""
    return named(parts)


def piece_setting(parts: Parts) -> PieceSetting:
    """Build `piece T1, T2: coach of elves at A in trench (sleepy, spent 2 MP)`."""
    *named, _, type_, owner, at, place, properties_ = parts
    return PieceSetting(
        cover(parts),
        names(named),
        word(type_),
        maybe_word(owner),
        at,
        maybe_word(place),
        tuple(part for part in properties_ or () if type(part) is tuple),
    )


def second(parts: Parts) -> Any:
    """Keep what follows the keyword of an optional clause."""
    return parts[1]


owned = placed = placed_in = second


def properties(parts: Parts) -> tuple[Any, ...] | None:
    """Keep a list in parentheses, parentheses included."""
    return None if parts[0] is None else tuple(parts)


def piece_property(parts: Parts) -> tuple[Word, Expression | None]:
    """Build a status, or a track with its value."""
    return word(parts[0]), parts[1]


def given(parts: Parts) -> Given:
    """Build `given question = value`."""
    _, question, _, value = parts
    return Given(cover(parts), question, value)


def forced_dice(parts: Parts) -> Dice:
    """Build `dice 3, first`."""
    shown = (word(token) if token.type == "NAME" else int(token.value) for token in parts[1::2])
    return Dice(cover(parts), tuple(shown))


def narrated(parts: Parts) -> Narrated:
    """Build `tells ".."`, `previews ".."`, `chances ".."`."""
    what, text = parts
    return Narrated(cover(parts), what.text, str(text.value))


def forced_draws(parts: Parts) -> Draws:
    """Build `draws P, Q`."""
    return Draws(cover(parts), tuple(parts[1::2]))


def let_only(parts: Parts) -> LetOnly:
    """Build `let s = the sledge where condition`."""
    _, name, _, _, kind, _, where = parts
    return LetOnly(cover(parts), word(name), word(kind), where)


def perform(parts: Parts) -> Perform:
    """Build `act hop(imp: T) refused`."""
    _, action, _, *choices, _, by, refusal = parts
    return Perform(cover(parts), word(action), every(ChoiceMade, choices), by, refusal)


def answered(parts: Parts) -> Answered:
    """Build `do give_up(2) choosing lost: T`."""
    done, _, *choices = parts
    return Answered(cover(parts), done, every(ChoiceMade, choices))


def refused(parts: Parts) -> Refused:
    """Build `refused by label because label`."""
    _, _, by, because_, _, when = parts
    return Refused(cover(parts), by or (), because_, when)


def not_taken(parts: Parts) -> Refused:
    """Build `refused by label because label` behind a choice, which names one reason of each sort."""
    _, _, by, _, because_, _, when = parts
    return Refused(cover(parts), names([by]) if by else (), names([because_]) if because_ else (), when)


def choice_made(parts: Parts) -> ChoiceMade:
    """Build `procedure.name: value refused`."""
    asking, _, name, _, value, refusal = parts
    return ChoiceMade(cover(parts), maybe_word(asking), word(name), value, refusal)


def in_order(parts: Parts) -> Order:
    """Build `order station, station, stop`."""
    return Order(cover(parts), every(Station, parts), stop=parts[-1] is not None)


def going_on(parts: Parts) -> Token:
    """Build `, stop`."""
    stop: Token = parts[-1]
    return stop


def step_station(parts: Parts) -> Station:
    """Build `phase combat of red`, `no phase combat of red`."""
    no, what, name, of = parts
    return Station(cover(parts), what.text, word(name), maybe_word(of), absent=no is not None)


def turn_station(parts: Parts) -> Station:
    """Build `turn 2`."""
    what, number = parts
    return Station(cover(parts), what.text, Word(number.span, str(int(number.value))), None)


def ask(parts: Parts) -> Ask:
    """Build `ask question = expected because label`."""
    _, question, _, expected, because_ = parts
    return Ask(cover(parts), question, expected, because_)


def because(parts: Parts) -> tuple[Word, ...]:
    """Build the reasons an answer must have."""
    return parts[1] or ()


def expected_verdict(parts: Parts) -> ExpectedVerdict:
    """Build `forbidden by label`."""
    verdict, _, by = parts
    return ExpectedVerdict(cover(parts), verdict.text, by or ())
