"""The details of a hex or a piece, as lines."""

from collections.abc import Iterator

from rulewright.explain.kept_notes import notes_of_piece, notes_of_space
from rulewright.explain.option_lines import ground_text, piece_words
from rulewright.explain.views.chart import links_of
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.play.word_binding import values_named
from runtime.state.position import State


def is_known_name(state: State, word: str) -> bool:
    """Return whether a word refers to a hex, a piece, a counter or a member of an enumeration."""
    types: list[graph.Type] = [graph.Hex(), graph.Piece(()), *map(graph.Enum, state.graph.vocabulary.enums)]
    return any(values_named(state, type_, word) for type_ in types)


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
            feature_text = ", ".join(words.flag("hexside", feature, state.graph.vocabulary) for feature in features)
            yield f"  {feature_text} toward {board.names[other]}"
    marked = [key.partition(".")[2] for key, on in sorted(state.marks.items()) if key.startswith("hex.") and h in on]
    if marked:
        yield f"  {', '.join(words.flag('hex', each, state.graph.vocabulary) for each in marked)}"
    yield from (f"  {note.name}: {note.value}" for note in notes_of_space(state, h))
    for piece in state.at.get(h, ()):
        yield f"  {state.sheets[piece].name}: {piece_words(state, piece)}"
