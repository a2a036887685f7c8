"""Format a position, and the last question about it, as the text of an example.

In: a position, and the last click: options that are open, or words for something that is refused. Out: text in
the rule language (docs/language.md, 9), and what it omits. The map is written as rows, so that only
maps of plain rows of hexes are supported.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from rulewright.checks.card_library import CARD_KEYS
from rulewright.serve.workbench.positions import ShownPosition
from rulewright.system.errors import UsageError
from runtime.answer.answer_memo import AnswerMemo
from runtime.answer.interpreter import Interpreter
from runtime.examples.reasons import reasons_of
from runtime.graph import nodes as graph
from runtime.graph.walk import nodes_of
from runtime.graph.words import readable_name
from runtime.play.options import PICK, TAKE, Option
from runtime.play.playthrough import Names
from runtime.play.refusal import find_refusals
from runtime.play.refusal_parts import ActionRefusal
from runtime.play.scripted_heads import begin_action
from runtime.state.record import Value
from runtime.witness.pool import literal_text
from runtime.witness.position_file import expression_text, position_lines
from runtime.witness.snapshot import take_snapshot

NOTHING_ASKED = "# Write here what is expected: ask .. = .., or act ..(..)"


def example_text(
    position: ShownPosition, options: Sequence[Option], words: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """Return the text of the example, and what it omits."""
    state = position.visible.state
    snapshot, names, left_out = take_snapshot(state, state.board.source, "")
    line = _question_line(_QuestionWriter(position, names), options, words)
    question_names = {*re.findall(r"\w+", line), *(names.get(word, "") for word in words)}
    waiting_count, lines = 0, None
    if snapshot is not None:
        own_position, waiting_count = _without_waiting(_without_situation(snapshot), question_names)
        lines = position_lines(own_position)
    if snapshot is None or lines is None:
        raise UsageError("an example cannot contain this map, which is not made of plain rows of hexes")
    title = f"{position.title or state.graph.stack}: {'refused' if words else 'allowed'}".replace('"', "'")
    body = "\n".join(f"  {text}" for text in (*lines, line or NOTHING_ASKED))
    omitted = (*left_out, *_omitted_parts(snapshot, waiting_count))
    return f'example "{title}" under {state.graph.stack} {{\n{body}\n}}\n', omitted


def _question_line(writer: "_QuestionWriter", options: Sequence[Option], words: Sequence[str]) -> str:
    """Return the line with the question about words, or with the act of options; "" without either."""
    if words:
        return writer.refused(words)
    try:
        return writer.act_text(options) if options else ""
    except (IndexError, KeyError, TypeError, ValueError):
        raise UsageError("these options are not options of this position") from None


def _omitted_parts(snapshot: graph.Position, waiting_count: int) -> Iterator[str]:
    """Yield what an example omits of a position."""
    if waiting_count:
        yield f"{waiting_count} counters that wait off the map"
    if any(map(_is_record, snapshot.facts)):
        yield "records of earlier choices"
    values = list[str]()
    for name, _ in snapshot.facts:
        owner, _, value = name.partition(".")
        if owner not in ("game", "record") and value not in CARD_KEYS:
            values.append(readable_name(value))
    if values:
        yield f"values of the situation and its sides ({', '.join(values)})"


def _without_situation(position: graph.Position) -> graph.Position:
    """Remove the parts of a situation, as the example is on none: its facts, and the areas of pieces on the map."""
    facts = tuple(fact for fact in position.facts if fact[0].startswith("game."))
    pieces = tuple(replace(piece, area=None, arrives=None) if piece.at else piece for piece in position.pieces)
    return replace(position, facts=facts, pieces=pieces)


def _without_waiting(position: graph.Position, question_names: Set[str]) -> tuple[graph.Position, int]:
    """Remove the pieces that wait to be set up or to arrive and that nothing mentions; return their number too."""
    waiting = {piece.name for piece in position.pieces if not piece.at and (piece.area, piece.arrives) != (None, None)}
    others = tuple(piece for piece in position.pieces if piece.name not in waiting)
    read = (*(each.tracks for each in others), position.facts, position.hex_tracks)
    mentioned = {
        *question_names,
        *(name for _, *ends, _ in position.pairs for name in ends),
        *(node.name for node in nodes_of(graph.Spot, read)),
    }
    waiting -= mentioned
    return replace(position, pieces=tuple(piece for piece in position.pieces if piece.name not in waiting)), len(
        waiting
    )


def _is_record(fact: tuple[str, graph.Expr]) -> bool:
    return fact[0].startswith("record.")


def _match_rank(refusal: ActionRefusal) -> tuple[int, int, bool]:
    """Return the rank of a refusal among others: more words that match come first, then explained ones."""
    return -refusal.bound_word_count, -refusal.match_score, refusal.explanation is None


class _QuestionWriter:
    """A formatter of questions about a position."""

    def __init__(self, position: ShownPosition, names: Mapping[str, str]) -> None:
        self.position, self.names = position, names
        self.state = position.visible.state
        self.programs = position.game.programs.entries

    def value(self, value: Value, type_: graph.Type) -> str:
        """Format a value, with pieces by their names in the example."""
        if isinstance(type_, graph.Piece):
            return self.names[self.state.sheets[value].name]
        literal = literal_text(value, type_, self.state)
        return "nothing" if literal is None else expression_text(literal)

    def act_text(self, options: Sequence[Option]) -> str:
        """Format an open act; "" if the options contain no action."""
        start = next((index for index, option in enumerate(options) if option.kind == TAKE), None)
        if start is None:
            return ""
        action_option = options[start]
        program = self.programs[f"action:{action_option.name}"]
        arguments = zip(program.procedure.parameters, action_option.value or (), strict=True)
        parts = {each.name: [self.value(value, each.type)] for each, value in arguments}
        members = self.members(action_option.name)
        for option in options[start + 1 :]:
            if option.kind == PICK and option.name in members:
                parts.setdefault(option.name, []).append(self.value(option.value, members[option.name][0]))
        chosen = [
            f"{name}: {{{', '.join(values)}}}" if members.get(name, (None, False))[1] else f"{name}: {values[0]}"
            for name, values in parts.items()
        ]
        return f"act {action_option.name}({', '.join(chosen)}){self.side_text()}"

    def refused(self, words: Sequence[str]) -> str:
        """Format a refused act with the refusing rules; "" if there is none."""
        first = self._refusal(words)
        if first is None:
            return ""
        bound = {**(first.failing.names if first.failing else {}), **first.choices}
        members = {name: each for name, each in self.members(first.action).items() if bound.get(name) is not None}
        chosen = list[str]()
        for name, (type_, is_set) in members.items():
            chosen.append(f"{name}: {self._chosen(bound[name], type_, is_set=is_set)}")
        reason = self.reason(first.action, {name: bound[name] for name in members})
        return f"act {first.action}({', '.join(chosen)}){self.side_text()} refused{reason}"

    def _refusal(self, words: Sequence[str]) -> ActionRefusal | None:
        """Return the refusal that matches some words best, if possible by a condition; None if there is none."""
        found = find_refusals(self.position.game, self.position.visible, words)
        refused = [refusal for refusal in found if refusal.reason and refusal.action]
        failing = [refusal for refusal in refused if refusal.failing]
        best = failing or [refusal for refusal in refused if len(refusal.choices) == len(words)]
        return min(best, key=_match_rank, default=None)

    def _chosen(self, value: Value, type_: graph.Type, *, is_set: bool) -> str:
        """Format a chosen value, or a set of them."""
        if not is_set:
            return self.value(value, type_)
        return f"{{{', '.join(self.value(each, type_) for each in value)}}}"

    def reason(self, action: str, chosen: Names) -> str:
        """Format the reason that an act with these choices is refused for, as `test` determines it; "" if unknown."""
        game, playthrough = self.position.game, self.position.visible
        choices = {**chosen, "player": self.position.side}
        refused = begin_action(game, playthrough.copy(), action, choices)[1]
        if refused is None or refused.unspecified:
            return ""
        rules = self.position.rules
        answers = Interpreter(rules, memo=AnswerMemo(rules))
        found = reasons_of(game, playthrough, answers, action, choices, refused).best_reason
        return f" by {found[0]}" if found else ""

    def members(self, action: str) -> dict[str, tuple[graph.Type, bool]]:
        """Return the type of each parameter and choice of an action, and whether it is a set."""
        program = self.programs[f"action:{action}"]
        found = {parameter.name: (parameter.type, False) for parameter in program.procedure.parameters}
        found |= {step.name: (type_, bool(step.how)) for step, type_ in program.choices()}
        return found

    def side_text(self) -> str:
        """Format the acting side."""
        return f" by {self.position.side}" if self.position.side else ""
