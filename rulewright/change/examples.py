"""Begin an example: a small position in which the changed stack answers otherwise than the stack below it.

In: both stacks, compiled, and the question. Out: the text of an example, its expectation asked of the changed stack,
and what the stack below answers there as a remark. The position is the one that `diff` would show.
"""

from collections.abc import Iterator, Sequence

from rulewright.contrast.read_back import reader
from rulewright.library.stacks import Stack
from runtime.answer.answer import Unanswered
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.witness.candidate import Candidate
from runtime.witness.differ import Case, diff
from runtime.witness.domain_pool import unbounded, written
from runtime.witness.position_file import expression_text, question_text
from runtime.witness.search import instance_of

VERDICTS = {"verdict": ("allowed", "forbidden"), "condition": ("yes", "no"), "flag": ("yes", "no")}


def begun(
    base: Stack, changed: Stack, terms: Sequence[str], label: str, title: str, decides: Sequence[str]
) -> Iterator[str]:
    """Write examples that show the difference, the one that names its rule first; none if no position was found."""
    assert base.graph is not None
    assert changed.graph is not None
    for term in terms:
        found = diff(base.graph, changed.graph, term, reader((base, changed)))
        for group in (group for each in found.terms for group in each.groups):
            case = group.witness
            if case.position is None or case.remarks or (decides and set(decides).isdisjoint(group.rules)):
                continue
            answered = _answer(changed.graph, term, case)
            below = case.a if case.a != "no answer" else "no answer"
            if answered is not None and (lines := position_lines(case.position)) is not None:
                asked = question_text(changed.graph.terms[term], case.arguments)
                expected = f"{asked} = {answered}" if not asked.partition(" is ")[1] else f"({asked}) = {answered}"
                for reason in _reasons(changed.graph, term, label, answered):
                    yield _example(title, lines, f"{expected}{reason}", f"{base.name}: {below}")
                return


def begun_on_rule(base: Stack, without: Stack, terms: Sequence[str], label: str, title: str) -> Iterator[str]:
    """Write examples in which a rule decides: found where the stack without that rule answers otherwise."""
    assert base.graph is not None
    assert without.graph is not None
    for term in terms:
        found = diff(base.graph, without.graph, term, reader((base, without)))
        for group in (group for each in found.terms for group in each.groups):
            case = group.witness
            lines = position_lines(case.position) if case.position is not None and not case.remarks else None
            answered = _answer(base.graph, term, case) if lines is not None else None
            if lines is not None and answered is not None:
                asked = question_text(base.graph.terms[term], case.arguments)
                expected = f"{asked} = {answered}" if not asked.partition(" is ")[1] else f"({asked}) = {answered}"
                for reason in _reasons(base.graph, term, label, answered):
                    yield _example(title, lines, f"{expected}{reason}", "")
                return


def _example(title: str, lines: Sequence[str], expected: str, below: str) -> str:
    body = "".join(f"  {line}\n" for line in lines)
    note = f"  # under {below}\n" if below else ""
    return f'example "{title}" {{\n{body}{note}  ask {expected}\n}}\n'


def _reasons(rules: graph.Graph, term: str, label: str, answered: str) -> list[str]:
    """List how the rule may be named, the strictest first; a rule that only lifts another may not be nameable."""
    if not label:
        return [""]
    if rules.terms[term].form == "verdict" and answered == "forbidden":
        return [f" by {label}", f" because {label}", ""]
    return [f" because {label}", ""]


def _answer(rules: graph.Graph, term: str, case: Case) -> str | None:
    """Ask a question of a stack in the position of a case; the answer as rules write it, None if there is none."""
    assert case.position is not None
    answers = Interpreter(rules)
    scene = instance_of(answers, Candidate(case.position, case.arguments))
    if scene is None:
        return None
    asked = rules.terms[term]
    try:
        value = answers.ask(scene.state, term, scene.arguments).value
    except Unanswered:
        return None
    if asked.form in VERDICTS:
        return VERDICTS[asked.form][0 if value else 1]
    made = written(value, unbounded(asked.type), scene.state)
    return None if made is None else expression_text(made)


# ---------------------------------------------------------------- positions


def position_lines(position: graph.Position) -> list[str] | None:
    """Write a position as the lines of an example; None for what these cannot set down."""
    if any(payload is not None for *_, payload in position.pairs):
        return None
    lines = [*_board(position.board)]
    lines += [_piece(piece) for piece in position.pieces]
    lines += [f"relate {name}({_name(left)}, {_name(right)})" for name, left, right, _ in position.pairs]
    for name, value in position.facts:
        write = name.startswith("record.")
        lines.append(
            f"write {name.removeprefix('record.')} = {expression_text(value)}"
            if write
            else f"set {name} to {expression_text(value)}"
        )
    lines += [f"mark {_name(name)} as {status}" for name, status in position.hex_marks]
    lines += [f"set {_name(name)}.{track} to {expression_text(value)}" for name, track, value in position.hex_tracks]
    clock = {
        "player": position.player,
        "phase": position.phase,
        "turn": str(position.turn) if position.turn > 1 else "",
    }
    lines += [f"set game.{hand} to {value}" for hand, value in clock.items() if value]
    return lines


def _board(board: graph.Board) -> Iterator[str]:
    """Write rows of hexes, each below the one before, then spaces, connections, sides and paths."""
    rows: dict[int, list[str]] = {}
    for name, (_, row, features) in board.hexes.items():
        if name not in board.shapes:
            rows.setdefault(row, []).append(" ".join((_name(name), *features)))
    above = ""
    for row, hexes in sorted(rows.items()):
        side = "se" if row % 2 else "sw"
        yield f"row {', '.join(hexes)}{f' from {above} {side}' if above else ''}"
        above = hexes[0].partition(" ")[0]
    spaces = [" ".join((_name(name), *board.hexes[name][2])) for name in board.shapes]
    if spaces:
        yield f"spaces {', '.join(spaces)}"
    links = [f"{_name(a)} to {_name(b)}" if one_way else f"{_name(a)}-{_name(b)}" for a, b, one_way in board.links]
    if links:
        yield f"connections {', '.join(links)}"
    for one, other, features in board.sides:
        yield f"sides {_name(one)}/{_name(other)} {' '.join(features)}"
    for path, start, end in board.paths:
        yield f"path {path} {_name(start)}-{_name(end)}"


def _piece(piece: graph.PieceAt) -> str:
    """Write a piece, with what is not as on its counter in parentheses."""
    notes = [*piece.traits, *piece.marks]
    notes += [f"{name} {expression_text(value)}" for name, value in (*piece.printed, *piece.tracks)]
    notes += [f"area {expression_text(piece.area)}"] if piece.area is not None else []
    notes += [f"arrives {expression_text(piece.arrives)}"] if piece.arrives is not None else []
    side = f" of {piece.owner}" if piece.owner else ""
    at = f" at {_name(piece.at)}" if piece.at else ""
    place = f" in {piece.place}" if piece.place else ""
    more = f" ({', '.join(notes)})" if notes else ""
    return f"piece {_name(piece.name)}: {_name(piece.counter or piece.kind)}{side}{at}{place}{more}"


def _name(name: str) -> str:
    return name if name.isidentifier() else f"'{name}'"
