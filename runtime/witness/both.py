"""Ask the same question of two graphs, and say who is responsible when the answers differ.

In: a setting made for one of the graphs. Out: both answers, and the changed rules and cells that the
difference rests on: those of the questions, the one asked or any it rests on, whose answers differ. Only
where no rule or cell has changed are the counters on the board to blame.
"""

from dataclasses import dataclass, replace

from runtime.answer.answer import Answer
from runtime.answer.interpreter import Interpreter
from runtime.answer.saying import say
from runtime.answer.tables import Cell
from runtime.graph import nodes as graph
from runtime.graph.rows import row_label
from runtime.graph.walk import walk
from runtime.state.record import Value
from runtime.witness.aim import NO_ANSWER
from runtime.witness.changed import Changed, counter_label, term_label
from runtime.witness.search import scene_of
from runtime.witness.setting import Setting

VERDICT = {True: "allowed", False: "forbidden"}

Heard = dict[tuple[str, str], tuple[str, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Said:
    """One graph's answer in words, and every question and chart cell it rests on: answer and labels."""

    text: str
    heard: Heard


@dataclass(frozen=True, slots=True)
class Compared:
    """Both answers; `labels` are responsible for the difference, empty if there is none.

    `changed` are all changed labels that spoke on either side, whether or not it mattered.
    """

    here: str
    there: str
    labels: tuple[str, ...]
    changed: frozenset[str]

    @property
    def differ(self) -> bool:
        """Tell whether the answers differ."""
        return self.here != self.there


def compare(a: graph.Graph, b: graph.Graph, term: str, setting: Setting, changes: Changed) -> Compared | None:
    """Ask both; None if one of them cannot be asked, because it lacks a word or has no answer."""
    here, there = ask(a, term, setting), ask(b, term, setting)
    if here is None or there is None:
        return None
    spoke = {label for heard in (here.heard, there.heard) for _, labels in heard.values() for label in labels}
    known = changes.every() & spoke
    if here.text == there.text:
        return Compared(here.text, there.text, (), known)
    pieces = {counter_label(piece.counter) for piece in setting.position.pieces} & changes.altered
    found = _own((a, b), (here.heard, there.heard), changes) or pieces or _any(here.heard, there.heard)
    return Compared(here.text, there.text, tuple(sorted(found)), known)


def ask(rules: graph.Graph, term: str, setting: Setting) -> Said | None:
    """Ask one graph and listen to what its answer rests on."""
    position = fitted(setting.position, rules)
    if position is None or not _speaks(setting.arguments, rules):
        return None
    heard: Heard = {}

    def listen(name: str, arguments: tuple[Value, ...], found: "Answer | tuple[Cell, list[graph.TableRow]]") -> None:
        if isinstance(found, Answer):
            asked = rules.terms[name]
            live = {label for place, label in enumerate(asked.rules) if found.mask >> place & 1}
            heard[name, repr(arguments)] = repr(found.value), frozenset(live or {term_label(name)})
        else:
            cell, rows = found
            heard[name, repr(arguments)] = (
                repr(cell),
                frozenset(row_label(rules.tables[name], row, rules.vocabulary) for row in rows),
            )

    answers = Interpreter(rules, listen=listen)
    scene = scene_of(answers, replace(setting, position=position))
    if scene is None or any(scene.aim.value(fact.condition, {}) is not True for fact in rules.always):
        return None
    heard.clear()
    try:
        value = answers.ask(scene.state, term, scene.arguments).value
    except NO_ANSWER:
        return None
    asked = rules.terms[term]
    told = VERDICT[value] if asked.form == "verdict" else say(scene.state, value, asked.type)
    return Said(told, heard)


def fitted(position: graph.Position, rules: graph.Graph) -> graph.Position | None:
    """Leave out what a graph has no word for; None if a piece is none of its counters or kinds."""
    words = rules.vocabulary
    pieces = []
    for piece in position.pieces:
        if piece.kind not in words.kinds or (piece.counter and piece.counter not in rules.counters):
            return None
        marks = tuple(mark for mark in piece.marks if f"{piece.kind}.{mark}" in words.flags)
        traits = tuple(trait for trait in piece.traits if f"{piece.kind}.{trait}" in words.flags)
        tracks = tuple(note for note in piece.tracks if f"{piece.kind}.{note[0]}" in words.tracks)
        pieces.append(replace(piece, marks=marks, traits=traits, tracks=tracks))
    board = position.board
    hexes = {
        name: (column, row, tuple(feature for feature in features if f"hex.{feature}" in words.flags))
        for name, (column, row, features) in board.hexes.items()
    }
    sides = tuple((x, y, tuple(f for f in features if f"hexside.{f}" in words.flags)) for x, y, features in board.sides)
    paths = tuple(path for path in board.paths if f"path.{path[0]}" in words.flags)
    return replace(
        position,
        pieces=tuple(pieces),
        board=replace(board, hexes=hexes, sides=sides, paths=paths),
        facts=tuple(fact for fact in position.facts if fact[0] in words.tracks or fact[0][7:] in words.records),
        hex_marks=tuple(mark for mark in position.hex_marks if f"hex.{mark[1]}" in words.flags),
        hex_tracks=tuple(note for note in position.hex_tracks if f"hex.{note[1]}" in words.tracks),
        pairs=tuple(pair for pair in position.pairs if pair[0] in words.relations),
    )


def _speaks(arguments: tuple[graph.Expr, ...], rules: graph.Graph) -> bool:
    """Tell whether a graph knows all words of the arguments."""
    words = rules.vocabulary
    for node in walk(arguments):
        match node:
            case graph.Member(enum, name) if enum in words.enums:
                if name not in {word.name for word in words.enums[enum].members}:
                    return False
            case graph.New(record) if record not in words.records:
                return False
            case graph.Place(scale, name) if (name, node.at) not in words.scales[scale].places:
                return False
            case _:
                pass
    return True


def _own(graphs: tuple[graph.Graph, graph.Graph], heard: tuple[Heard, Heard], changes: Changed) -> set[str]:
    """List the changed labels of questions that are answered differently."""
    found: set[str] = set()
    for (name, arguments), mine in heard[0].items():
        others = heard[1].get((name, arguments))
        if others is None or mine[0] == others[0]:
            continue
        labels = mine[1], others[1]
        found |= labels[0] & labels[1] & changes.altered
        if name in graphs[0].tables:
            found |= (labels[0] ^ labels[1]) & changes.every()
        else:
            found |= _missing(name, graphs, labels, changes)
            found |= _missing(name, graphs[::-1], labels[::-1], changes)
    return found


def _missing(
    name: str,
    graphs: tuple[graph.Graph, ...],
    labels: tuple[frozenset[str], ...],
    changes: Changed,
) -> set[str]:
    """Say why rules that spoke in the first graph did not in the second: it lacks them, or silences them."""
    (one, other), (mine, others) = graphs, labels
    found: set[str] = set()
    for label in _speakers(one.terms[name], mine, one) - _speakers(other.terms[name], others, other):
        if label not in other.rules:
            found |= {label} & changes.every()
        else:
            silencing = {live for live in others if live in other.rules and label in other.rules[live].defeats}
            found |= (silencing | {label}) & (changes.only_a | changes.only_b | changes.altered)
    return found


def _speakers(term: graph.Term, live: frozenset[str], rules: graph.Graph) -> frozenset[str]:
    """List the live rules that make an answer; where yes is the default, only a no does."""
    verbs = {"", "allows", "holds"} if term.default else {""}
    return frozenset(label for label in live if label not in rules.rules or rules.rules[label].verb not in verbs)


def _any(here: Heard, there: Heard) -> set[str]:
    """List all labels that are live on one side only."""
    mine = {label for _, labels in here.values() for label in labels}
    others = {label for _, labels in there.values() for label in labels}
    return mine ^ others
