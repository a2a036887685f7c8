"""The details of a hex or a piece, as lines."""

from collections.abc import Iterator

from rulewright.errors import UsageError, suggestion_text
from rulewright.table.chart import links_of
from rulewright.table.kept_notes import notes_of_piece, notes_of_space
from rulewright.table.option_lines import ground_text, piece_words
from runtime.answer.value_text import with_space_noun
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.play.word_binding import values_named
from runtime.state.position import State


def find_hex(state: State, word: str) -> tuple[int, str]:
    """Return the hex of a word, by name or by a piece in it, and which of the two; `UsageError` if there is none."""
    low = word.lower()
    for name, h in state.board.index.items():
        if name.lower() == low:
            return h, "hex"
    for piece, sheet in enumerate(state.sheets):
        if sheet.name.lower() == low and state.hex[piece] >= 0:
            return state.hex[piece], "piece"
    noun = with_space_noun(state, "hex or piece")
    raise UsageError(f"there is no {noun} `{word}` on the map; {suggestion_text(word, [*state.board.names])}")


def is_known_name(state: State, word: str) -> bool:
    """Return whether a word refers to a hex, a piece, a counter or a member of an enumeration."""
    types: list[graph.Type] = [graph.Hex(), graph.Piece(()), *map(graph.Enum, state.graph.vocabulary.enums)]
    return any(values_named(state, type_, word) for type_ in types)


def detail_lines(state: State, word: str) -> Iterator[str]:
    """Yield the details of a hex, or of all pieces that a word refers to."""
    pieces = values_named(state, graph.Piece(()), word)
    for piece in pieces:
        yield from look_at_piece(state, piece)
    if not pieces:
        yield from look_at_hex(state, find_hex(state, word)[0])


def look_at_piece(state: State, piece: int) -> Iterator[str]:
    """Yield the details of a piece: side, place, factors, marks, traits, notes and relations."""
    sheet = state.sheets[piece]
    counter = words.readable_name(sheet.counter or sheet.kind)
    owner = words.member("side", sheet.side, state.graph.vocabulary) if sheet.side else "nobody's"
    yield f"{sheet.name}: {counter}, {owner}"
    yield f"  {piece_words(state, piece)}"
    traits = ", ".join(words.flag(sheet.kind, trait, state.graph.vocabulary) for trait in sorted(sheet.traits))
    if traits:
        yield f"  {traits}"
    yield from (f"  {line}" for line in note_and_relation_lines(state, piece))


def note_and_relation_lines(state: State, piece: int) -> Iterator[str]:
    """Yield the notes of a piece, and its relations to others in both directions."""
    if notes := notes_of_piece(state, piece):
        yield ", ".join(f"{note.name} {note.value}" for note in notes)
    for name in state.graph.vocabulary.relations:
        link = words.readable_name(name)
        for other in state.partners(name, "right", piece):
            yield f"{link} {state.sheets[other].name}"
        for other in state.partners(name, "left", piece):
            yield f"{state.sheets[other].name} {link} it"


def look_at_hex(state: State, h: int) -> Iterator[str]:
    """Yield the details of a hex: ground, links, paths, sides, marks and pieces."""
    board = state.board
    yield f"{board.names[h]}: {ground_text(state, h) or words.plain_ground_name(state.graph.vocabulary)}"
    if links := links_of(state, h):
        yield f"  linked to {links}"
    for path, sides in sorted(board.paths.items()):
        ends = [board.names[b if a == h else a] for a, b in sorted(sides) if h in (a, b)]
        if ends:
            yield f"  {words.flag('path', path, state.graph.vocabulary)} to {', '.join(ends)}"
    for other in board.beside[h]:
        features = sorted(board.side_features(board.side(h, other)))
        if features:
            feature_text = ", ".join(words.flag("hexside", each, state.graph.vocabulary) for each in features)
            yield f"  {feature_text} toward {board.names[other]}"
    marked = [key.partition(".")[2] for key, on in sorted(state.marks.items()) if key.startswith("hex.") and h in on]
    if marked:
        yield f"  {', '.join(words.flag('hex', each, state.graph.vocabulary) for each in marked)}"
    yield from (f"  {note.name}: {note.value}" for note in notes_of_space(state, h))
    for piece in state.at.get(h, ()):
        yield f"  {state.sheets[piece].name}: {piece_words(state, piece)}"
