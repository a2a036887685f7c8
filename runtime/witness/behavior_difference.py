"""Compare the behavior of two stacks: the sequence of play, actions, resolutions, hooks, and the results of choices.

The input is two graphs and the changes between them; the output is where the sequences diverge; each procedure that is
in one stack only or differs, with a play that shows it; and the plays in which changed rules lead to another position.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from runtime.answer.value_text import value_text
from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.members import members_of
from runtime.graph.procedure_pairs import ProcedurePair, differ_in_preference, procedure_pairs
from runtime.graph.type_of import type_of
from runtime.play.game import SEQUENCE
from runtime.state.setup import from_position
from runtime.witness.asked_questions import AskedQuestions
from runtime.witness.candidate import with_piece_names
from runtime.witness.dependencies import LabelChanges, counter_label, differing_properties
from runtime.witness.example_corpus import ExamplePositions, PlayDifference, could_stand
from runtime.witness.paired_evaluation import answer_in_words
from runtime.witness.paired_replay import PairedReplay, PlayedExamples
from runtime.witness.position_file import position_file
from runtime.witness.procedure_runs import PrepareFunction, ProcedureRuns
from runtime.witness.sequence import SequenceDifference, compare_sequences
from runtime.witness.sequence_walk import SequenceWalk
from runtime.witness.set_up import NO_ANSWER, FastInterpreter
from runtime.witness.translated_position import readable_position
from runtime.witness.withdrawn_replay import WithdrawnReplay

Graphs = tuple[graph.Graph, graph.Graph]
# The most counters that are examined; where two games have a hundred in common, most are printed differently.
MOST_EXAMINED_COUNTERS = 24


@dataclass(frozen=True, slots=True)
class Play:
    """A play that leads to two positions: `act` in the position `file` ("" if it cannot be written).

    `example` and `origin` are those of its position ("" if it was constructed, and the origin of the procedure), `a`
    and `b` the final states. `missing_words` are names that only one of the stacks declares. `is_reversion`: `a` is the
    result in the second stack without the change, which alone shows it. `question` is a question that is no single
    term, None for other plays.
    """

    act: str
    file: str
    example: str
    origin: graph.Origin
    a: str
    b: str
    missing_words: tuple[str, ...]
    is_reversion: bool
    question: graph.Expr | None


@dataclass(frozen=True, slots=True)
class ProcedureDifference:
    """A procedure that is in one stack only (the other is None) or differs.

    It ran in `runs` of the plays of examples that are possible in both stacks, `differs` of which led to two positions
    because of it. If none did, it was started in `tried` further positions, of which one may be the play.
    """

    kind: str
    name: str
    first: graph.Procedure | None
    second: graph.Procedure | None
    differs: int
    runs: int
    play: Play | None
    tried: int = 0

    @property
    def only_stack(self) -> str:
        """Return the stack that alone has it, "" if both have."""
        return "a" if self.second is None else "b" if self.first is None else ""

    @property
    def is_preference_only(self) -> bool:
        """Return whether only the preferences of greedy players differ."""
        return self.first is not None and self.second is not None and differ_in_preference(self.first, self.second)


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """Plays that lead to two positions because these rules answer a question differently."""

    rules: tuple[str, ...]
    differs: int
    play: Play


@dataclass(frozen=True, slots=True)
class BehaviorDifference:
    """The difference in behavior of two stacks; `plays` counts the plays made in both, `examples` their examples.

    `example_questions` are questions of the examples that are answered differently, by the changes responsible; `order`
    is a position in which the two sequences of play come by something else.
    """

    sequence: SequenceDifference
    procedures: tuple[ProcedureDifference, ...]
    rules: tuple[RuleDifference, ...]
    plays: int
    example_questions: tuple[RuleDifference, ...] = ()
    order: Play | None = None
    examples: PlayedExamples = PlayedExamples()


# The name of the question that determines the winner, among changes.
OUTCOME = "outcome"

NO_BEHAVIOR_DIFFERENCE = BehaviorDifference(SequenceDifference(), (), (), 0)


def behavior_difference(
    graphs: Graphs,
    quick: tuple[FastInterpreter, FastInterpreter],
    changes: LabelChanges,
    prepared: PrepareFunction,
    following: frozenset[str],
    example_runs: AskedQuestions | None,
) -> BehaviorDifference:
    """Compare behavior of two stacks; `prepared` converts a position such that both stacks and a file can represent it.

    `following` are labels of changes that only read another stage before their own. `example_runs`: what the examples
    of the first stack ask, if it is known.
    """
    a, b = graphs
    pairs = procedure_pairs(a, b)
    plays = PairedReplay((a, b), quick, pairs, changes.all_labels(), following, example_runs)
    if changes.all_labels() or plays.attribution.notes or any(not pair.is_equal for pair in pairs):
        plays.run()
    places = ExamplePositions((a, b))
    is_single_change = len(changes.all_labels()) + len(plays.attribution.notes - changes.all_labels()) <= 1
    driven = ProcedureRuns(places, plays.machines, quick, prepared, is_single_change=is_single_change)
    walk = SequenceWalk(places, plays.machines, is_single_change=is_single_change)
    plays_by_pair = {pair: (play, tried) for pair, play, tried in _procedure_plays(plays, walk, driven)}
    order = next((play for pair, (play, _) in plays_by_pair.items() if "sequence" in pair[:2]), None)
    effects, prints = _counter_differences(plays, places, quick, changes, driven)
    return BehaviorDifference(
        compare_sequences(a, b),
        tuple(_procedures(a, b, pairs, plays, plays_by_pair)),
        (*_rule_differences(plays.by_rules, (a, b)), *effects),
        plays.line_count,
        (
            *_rule_differences(plays.by_questions, (a, b)),
            *prints,
            *_outcome_differences(places, quick),
        ),
        order,
        plays.examples,
    )


def _procedure_plays(
    plays: PairedReplay, walk: SequenceWalk, driven: ProcedureRuns
) -> Iterator[tuple[ProcedurePair, Play | None, int]]:
    """Return a play for each procedure that differs: of an example, else of a search, with the number of positions.

    Otherwise the change is reverted in the second stack alone.
    """
    graphs = first, second = walk.graphs
    replay = WithdrawnReplay(graphs, plays.machines[1], plays.interpreters[1])
    for pair in plays.pairs:
        if (
            pair.first_key
            and pair.second_key
            and differ_in_preference(first.procedures[pair.first_key], second.procedures[pair.second_key])
        ):
            yield pair, None, 0
            continue
        if cases := plays.by_procedure.get(pair):
            yield pair, _play(_smallest(cases), graphs), 0
            continue
        found, tried = walk.find(pair) if SEQUENCE in pair[:2] else driven.find(pair)
        found = found or replay.find(pair)
        yield pair, _play(found, graphs, pair) if found else None, tried


def _counter_differences(
    plays: PairedReplay,
    places: ExamplePositions,
    quick: tuple[FastInterpreter, FastInterpreter],
    changes: LabelChanges,
    driven: ProcedureRuns,
) -> tuple[list[RuleDifference], list[RuleDifference]]:
    """Show that counters are printed differently: by plays with them, or else by what is printed on them."""
    effects, prints = list[RuleDifference](), list[RuleDifference]()
    shown_labels = {label for labels in (*plays.by_rules, *plays.by_questions) for label in labels}
    altered = [name for name in sorted(places.shared) if counter_label(name) in changes.altered - shown_labels]
    for name in altered[:MOST_EXAMINED_COUNTERS]:
        labels = (counter_label(name),)
        if (effect := driven.with_counter(name)) is not None:
            effects.append(RuleDifference(labels, 1, _play(effect[0], places.graphs, effect[1])))
        elif (difference := _printed_difference(places, quick, name)) is not None:
            prints.append(RuleDifference(labels, 1, _play(difference, places.graphs)))
    return effects, prints


def _printed_difference(
    places: ExamplePositions, quick: tuple[FastInterpreter, FastInterpreter], counter: str
) -> PlayDifference | None:
    """Return what is printed on a counter, in place of a piece of its kind in an example."""
    first, second = (stack.counters[counter] for stack in places.graphs)
    for place in places.all_places:
        pieces = [each for each in place.positions[0].pieces if each.kind == first.kind]
        if not pieces:
            continue
        piece = next((each for each in pieces if each.counter == counter), pieces[0]).name
        positions = [_with_counter(position, piece, first) for position in place.positions]
        for part in differing_properties(first, second):
            question, act = _property_question(part, piece, first.kind)
            answers = [
                answer_in_words(stack, position, question, type_of(question, {}, stack))
                for stack, position in zip(places.graphs, positions, strict=True)
            ]
            texts = str(answers[0]), str(answers[1])
            found = PlayDifference(place.example, place.which, act, *texts, positions[place.which])
            if None not in answers and answers[0] != answers[1] and could_stand(found, quick):
                return found
    return None


def _with_counter(position: graph.Position, piece: str, counter: graph.Counter) -> graph.Position:
    """Replace a piece by a counter."""
    pieces = tuple(
        replace(each, counter=counter.id, owner=counter.owner or each.owner, printed=(), traits=())
        if each.name == piece
        else each
        for each in position.pieces
    )
    return replace(position, pieces=pieces, name="witness")


def _property_question(part: str, piece: str, kind: str) -> tuple[graph.Expr, str]:
    """Return the question for a figure, a trait or the kind of a piece, as a node and as text."""
    sort, _, name = part.partition(" ")
    name = name.rpartition(".")[2]
    spot = graph.Spot("piece", piece)
    if sort == "printed":
        return graph.Get(spot, "printed", kind, name), f"{piece}.{name}"
    test = graph.Test("trait", kind, name) if sort == "trait" else graph.Test("kind", "", name)
    return graph.Is(spot, (test,), negated=False), f"{piece} is {name}"


def _outcome_differences(
    places: ExamplePositions, quick: tuple[FastInterpreter, FastInterpreter]
) -> Iterator[RuleDifference]:
    """Show that another question determines the winner, by a position in which its answer for a side differs."""
    judges = [each.outcome for each in places.graphs]
    if judges[0] == judges[1] or not all(judges):
        return
    sides = members_of(places.graphs[0].vocabulary, "side")
    for place in places.all_places:
        for side in sides:
            with suppress(Unanswered, *NO_ANSWER):
                outcomes = [_outcome_text(rules, answers, position, side) for rules, answers, position
                        in zip(places.graphs, quick, place.positions, strict=True)]  # fmt: skip
                if outcomes[0] != outcomes[1]:
                    position, act = place.positions[place.which], f"how well {side} did"
                    walked = PlayDifference(place.example, place.which, act, outcomes[0], outcomes[1], position)
                    if could_stand(walked, quick):
                        yield RuleDifference((OUTCOME,), 1, _play(walked, places.graphs))
                        return


def _outcome_text(rules: graph.Graph, answers: FastInterpreter, position: graph.Position, side: str) -> str:
    state = from_position(rules, position)
    return value_text(state, answers.ask(state, rules.outcome, (side,)).value, rules.terms[rules.outcome].type)


def _play(found: PlayDifference, graphs: Graphs, pair: ProcedurePair | None = None) -> Play:
    """Build the play for a result of a replay or a search."""
    if found.example is not None:
        title, origin = found.example.title, found.example.origin
    else:
        assert pair is not None
        title, origin = "", _origin(pair, graphs)
    play = Play(
        found.act, "", title, origin, found.a, found.b, found.missing_words, found.is_reversion,
        found.question,
    )  # fmt: skip
    return _with_file(play, found.position, graphs[found.which])


def _origin(pair: ProcedurePair, graphs: Graphs) -> graph.Origin:
    """Return where a procedure was written, in the second stack if it is there."""
    return (graphs[1].procedures[pair.second_key] if pair.second_key else graphs[0].procedures[pair.first_key]).origin


def _rule_differences(
    found: dict[tuple[str, ...], list[PlayDifference]], graphs: tuple[graph.Graph, graph.Graph]
) -> tuple[RuleDifference, ...]:
    return tuple(
        RuleDifference(labels, len(cases), _play(_smallest(cases), graphs)) for labels, cases in sorted(found.items())
    )


def _procedures(
    a: graph.Graph,
    b: graph.Graph,
    pairs: tuple[ProcedurePair, ...],
    plays: PairedReplay,
    plays_by_pair: dict[ProcedurePair, tuple[Play | None, int]],
) -> Iterator[ProcedureDifference]:
    for pair in pairs:
        if pair.is_equal or "sequence" in pair[:2]:
            continue
        first, second = a.procedures.get(pair.first_key), b.procedures.get(pair.second_key)
        procedure = first or second
        assert procedure is not None
        cases = plays.by_procedure.get(pair, [])
        name = _procedure_name(procedure, b if pair.second_key else a)
        yield ProcedureDifference(
            procedure.what, name, first, second, len(cases), plays.procedures[pair], *plays_by_pair[pair]
        )


def _procedure_name(procedure: graph.Procedure, rules: graph.Graph) -> str:
    """Return the name of a procedure; for a hook, its event, or the task that it counts."""
    if procedure.what != "hook":
        return procedure.name
    origins = rules.vocabulary.origins
    task = next((name for name in rules.vocabulary.records if origins.get(f"record {name}") == procedure.origin), "")
    return f"{f'task {task}, ' if task else ''}after {procedure.event}"


def plays_by_change(found: BehaviorDifference) -> Iterator[tuple[str, Play]]:
    """Return the changes that a play shows, by the labels of the rules, or of the procedure."""
    yield from ((label, each.play) for each in (*found.rules, *found.example_questions) for label in each.rules)
    if found.order is not None:
        yield procedure_label("sequence", ""), found.order
    for each in found.procedures:
        if each.play is not None:
            yield procedure_label(each.kind, each.name), each.play


def procedure_label(kind: str, name: str) -> str:
    """Return the label of a procedure in a report of changes; for a hook, its event."""
    return f"after {name.rpartition('after ')[2]}" if kind == "hook" else f"{kind} {name}".strip()


def _smallest(cases: list[PlayDifference]) -> PlayDifference:
    """Return the best case: one that both stacks can express and a file can represent; then a small one."""
    return min(cases, key=lambda case: (bool(case.missing_words), case.position is None, len(case.a) + len(case.b)))


def _with_file(play: Play, position: graph.Position | None, rules: graph.Graph) -> Play:
    """Add the position of a play as a file; the title of an example is not a valid name."""
    if position is None:
        return play
    plain, names = readable_position(position)
    file = position_file(replace(plain, name="witness"), rules.vocabulary)
    texts = tuple(_renamed(text, names) for text in (play.act, play.a, play.b))
    question = with_piece_names(play.question, names)
    return replace(play, act=texts[0], a=texts[1], b=texts[2], file=file, question=question)


def _renamed(text: str, names: dict[str, str]) -> str:
    """Replace names of pieces in a text."""
    for old, new in names.items():
        text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
    return text
