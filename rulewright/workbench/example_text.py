"""Write a position, and what was asked in it, as the text of an example that a package can hold.

In: a position, and what was clicked last: options that are open, or words for something that is refused. Out: text in
the rule language (docs/language.md, section 9), and what it leaves out. The map is written as rows,
so only maps that are plain rows of hexes can be.
"""

from collections.abc import Iterable, Iterator, Sequence

from rulewright.errors import UsageError
from rulewright.workbench.positions import Position
from runtime.audit.told import NOT_IN_NAMES, is_plain, renamed
from runtime.graph import nodes as graph
from runtime.play.options import PICK, TAKE, Option
from runtime.play.refusal import Refusal, refusals
from runtime.state.record import Value
from runtime.witness.domain_pool import written
from runtime.witness.position_file import NAME, expression_text
from runtime.witness.snapshot import partial_position

FORBIDDEN = "forbidden"
NOTHING_ASKED = "# Say here what is to be so: ask .. = .., or act ..(..)"


def example_text(position: Position, options: Sequence[Option], words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Write the example; also say what it leaves out."""
    state = position.seen.state
    board = state.board.source
    if not is_plain(board):
        raise UsageError("no example can hold this map: it is no plain rows of hexes")
    empty = graph.Position("", state.graph.stack, board, (), (), (), (), (), 1, "", "")
    made, left_out = partial_position(state, empty)
    names = {sheet.name: NOT_IN_NAMES.sub("_", sheet.name) for sheet in state.sheets}
    made = renamed(made, names)
    facts = [name for name, value in made.facts if name.startswith("record.")]
    more = (*left_out, "the turn, the phase and who is on move",
            *(["what was written down of earlier choices"] if facts else []))  # fmt: skip
    asked = _Asked(position, names)
    line = asked.refused(words) if words else asked.taken(options) if options else ""
    title = f"{position.title or state.graph.stack}: {'what is refused' if words else 'what is open'}"
    lines = [*_map(board), *map(_piece, made.pieces), *_notes(made), line or NOTHING_ASKED]
    body = "\n".join(f"  {each}" for each in lines)
    plain = title.replace('"', "'")
    return f'example "{plain}" under {state.graph.stack} {{\n{body}\n}}\n', more


def _word(name: str) -> str:
    return name if NAME.fullmatch(name) else f"'{name}'"


def _map(board: graph.Board) -> Iterator[str]:
    """Write the rows, sides and paths of a map."""
    rows: dict[int, list[tuple[int, str, tuple[str, ...]]]] = {}
    for name, (column, row, features) in board.hexes.items():
        rows.setdefault(row, []).append((column, name, features))
    first = ""
    for number, found in sorted(rows.items()):
        cells = sorted(found)
        spoken = [" ".join((_word(name), *features)) for _, name, features in cells]
        if first:
            # A line of hexes runs on the way that its first one lies. Odd rows are shifted half a hex to the right.
            yield f"row {spoken[0]} from {_word(first)} {'se' if number % 2 else 'sw'}"
            if spoken[1:]:
                yield f"row {', '.join(spoken[1:])} from {_word(cells[0][1])} e"
        else:
            yield f"row {', '.join(spoken)}"
        first = cells[0][1]
    for here, there, features in board.sides:
        yield f"sides {_word(here)}/{_word(there)} {' '.join(features)}"
    for path, here, there in board.paths:
        yield f"path {path} {_word(here)}-{_word(there)}"


def _piece(piece: graph.PieceAt) -> str:
    """Write a piece."""
    where = f" at {_word(piece.at)}" if piece.at else ""
    place = f" in {piece.place}" if piece.place else ""
    notes = [*piece.traits, *piece.marks, *(f"{name} {expression_text(value)}" for name, value in piece.printed)]
    notes += [f"{name} {expression_text(value)}" for name, value in piece.tracks]
    if piece.area is not None and not piece.at:
        notes.append(f"area {expression_text(piece.area)}")
    if piece.arrives is not None and not piece.at:
        notes.append(f"arrives {expression_text(piece.arrives)}")
    owner = f" of {piece.owner}" if piece.owner else ""
    more = f" ({', '.join(notes)})" if notes else ""
    return f"piece {piece.name}: {piece.counter or piece.kind}{owner}{where}{place}{more}"


def _notes(position: graph.Position) -> Iterator[str]:
    """Write what is marked and noted, and who is related."""
    for hex_, status in position.hex_marks:
        yield f"mark {_word(hex_)} as {status}"
    for hex_, track, value in position.hex_tracks:
        yield f"set {_word(hex_)}.{track} to {expression_text(value)}"
    for name, left, right, payload in position.pairs:
        kept = "" if payload is None else f", {expression_text(payload)}"
        yield f"relate {name}({left}, {right}{kept})"
    for name, value in position.facts:
        if name.partition(".")[0] == "game":  # The others are a situation's, and an example is on none.
            yield f"set {name} to {expression_text(value)}"


class _Asked:
    """Writes what was asked in a position."""

    def __init__(self, position: Position, names: dict[str, str]) -> None:
        self.position, self.names = position, names
        self.state = position.seen.state
        self.programs = position.game.programs.of

    def value(self, value: Value, type_: graph.Type) -> str:
        """Write a value, pieces by the names they have here."""
        if isinstance(type_, graph.Piece):
            return self.names[self.state.sheets[value].name]
        made = written(value, type_, self.state)
        return "nothing" if made is None else expression_text(made)

    def taken(self, options: Sequence[Option]) -> str:
        """Write an act that is open."""
        begun = next((at for at, option in enumerate(options) if option.what == TAKE), None)
        if begun is None:
            return ""
        taken = options[begun]
        program = self.programs[f"action:{taken.name}"]
        given = zip(program.procedure.parameters, taken.value or (), strict=True)
        parts = {each.name: [self.value(value, each.type)] for each, value in given}
        members = self.members(taken.name)
        for option in options[begun + 1 :]:
            if option.what == PICK and option.name in members:
                parts.setdefault(option.name, []).append(self.value(option.value, members[option.name][0]))
        chosen = [
            f"{name}: {{{', '.join(values)}}}" if members.get(name, (None, False))[1] else f"{name}: {values[0]}"
            for name, values in parts.items()
        ]
        return f"act {taken.name}({', '.join(chosen)}){self.by()}"

    def refused(self, words: Sequence[str]) -> str:
        """Write an act that is refused, with the rules that refuse it."""
        found = refusals(self.position.game, self.position.seen, words)
        best = [each for each in found if each.why and each.action and each.failing]
        if not best:
            return ""
        first = min(best, key=lambda each: (-each.taken, -each.fit, each.explanation is None))
        bound = first.failing[1] if first.failing else {}
        members = self.members(first.action)
        chosen = [
            f"{name}: {{{', '.join(self.value(each, type_) for each in bound[name])}}}" if many
            else f"{name}: {self.value(bound[name], type_)}"
            for name, (type_, many) in members.items() if bound.get(name) is not None
        ]  # fmt: skip
        rules = list(_forbidding(first))
        return f"act {first.action}({', '.join(chosen)}){self.by()} refused{' by ' + rules[0] if rules else ''}"

    def members(self, action: str) -> dict[str, tuple[graph.Type, bool]]:
        """Give the type of each choice of an action and of what it is for, and whether many are chosen."""
        program = self.programs[f"action:{action}"]
        found = {each.name: (each.type, False) for each in program.procedure.parameters}
        steps: Iterable[tuple[object, graph.Type | None]] = zip(program.code, program.members, strict=False)
        found |= {step.name: (type_, bool(step.how)) for step, type_ in steps
                  if isinstance(step, graph.Choose) and type_ is not None}  # fmt: skip
        return found

    def by(self) -> str:
        """Say who acts."""
        return f" by {self.position.side}" if self.position.side else ""


def _forbidding(refusal: Refusal) -> Iterator[str]:
    """Name the rules that forbid what was asked."""
    applied = refusal.explanation.applied() if refusal.explanation else ()
    yield from (each.label for each in applied if each.says in (FORBIDDEN, "no"))
