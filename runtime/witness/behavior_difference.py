"""Compare the behavior of two stacks: the sequence of play, actions, resolutions, hooks, and the results of choices.

The input is two graphs and the changes between them; the output is each procedure that is in one stack only or differs,
with a play that shows it; and the plays in which changed rules lead to another position.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.procedure_pairs import (
    ProcedurePair,
    differ_in_preference,
    procedure_of,
    procedure_pairs,
)
from runtime.witness.candidate import with_piece_names
from runtime.witness.dependencies import LabelChanges
from runtime.witness.example_corpus import AskedQuestions, PlayDifference
from runtime.witness.paired_replay import PairedReplay
from runtime.witness.position_file import position_file
from runtime.witness.procedure_runs import PrepareFunction, ProcedureRuns
from runtime.witness.set_up import SearchInterpreter
from runtime.witness.translated_position import readable_position

Graphs = tuple[graph.Graph, graph.Graph]


@frozen_dataclass
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
    play: PlayDifference | None
    tried: int = 0

    @property
    def only_stack(self) -> str:
        """Return the stack that alone has it, "" if both have."""
        return "a" if self.second is None else "b" if self.first is None else ""

    @property
    def is_preference_only(self) -> bool:
        """Return whether only the preferences of greedy players differ."""
        return self.first is not None and self.second is not None and differ_in_preference(self.first, self.second)


@frozen_dataclass
class RuleDifference:
    """Plays that lead to two positions because these rules answer a question differently."""

    rules: tuple[str, ...]
    differs: int
    play: PlayDifference


@frozen_dataclass
class BehaviorDifference:
    """The difference in behavior of two stacks; `plays` counts the plays made in both.

    `left_out_examples` is the number of examples that one of the two cannot set up.
    `example_questions` are questions of the examples that are answered differently, by the changes responsible.
    """

    procedures: tuple[ProcedureDifference, ...]
    rules: tuple[RuleDifference, ...]
    plays: int
    example_questions: tuple[RuleDifference, ...] = ()
    left_out_examples: int = 0


NO_BEHAVIOR_DIFFERENCE = BehaviorDifference((), (), 0)


def behavior_difference(
    graphs: Graphs,
    quick: tuple[SearchInterpreter, SearchInterpreter],
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
    if changes.all_labels() or any(not pair.is_equal for pair in pairs):
        plays.run()
    is_single_change = len(changes.all_labels()) <= 1
    driven = ProcedureRuns(plays, prepared, is_single_change=is_single_change)
    return BehaviorDifference(
        tuple(_procedure_difference(pair, plays, *_play_of_procedure(pair, plays, driven)) for pair in plays.pairs),
        _rule_differences(plays.by_rules, (a, b)),
        plays.line_count,
        _rule_differences(plays.by_questions, (a, b)),
        plays.left_out_examples,
    )


def _play_of_procedure(
    pair: ProcedurePair, plays: PairedReplay, driven: ProcedureRuns
) -> tuple[PlayDifference | None, int]:
    """Return a play that shows how a procedure differs, of an example or a search, and the positions searched."""
    graphs = plays.graphs
    if pair.first_key and pair.second_key:
        versions = graphs[0].procedures[pair.first_key], graphs[1].procedures[pair.second_key]
        if differ_in_preference(*versions):
            return None, 0
    if cases := plays.by_procedure.get(pair):
        return _with_file(_smallest(cases), graphs), 0
    found, tried = driven.find(pair)
    return _with_file(found, graphs) if found else None, tried


def _rule_differences(
    found: dict[tuple[str, ...], list[PlayDifference]], graphs: tuple[graph.Graph, graph.Graph]
) -> tuple[RuleDifference, ...]:
    return tuple(
        RuleDifference(labels, len(cases), _with_file(_smallest(cases), graphs))
        for labels, cases in sorted(found.items())
    )


def _procedure_difference(
    pair: ProcedurePair, plays: PairedReplay, play: PlayDifference | None, tried: int
) -> ProcedureDifference:
    (first, second), procedure = plays.graphs, procedure_of(pair, plays.graphs)
    return ProcedureDifference(
        procedure.what,
        _name(procedure),
        first.procedures.get(pair.first_key),
        second.procedures.get(pair.second_key),
        len(plays.by_procedure.get(pair, ())),
        plays.procedures[pair],
        play,
        tried,
    )


def _name(procedure: graph.Procedure) -> str:
    match procedure.what:
        case "hook":
            return f"after {procedure.event}"
        case "sequence":
            return "sequence of play"
        case _:
            return procedure.name


def plays_by_change(found: BehaviorDifference) -> Iterator[tuple[str, PlayDifference]]:
    """Return the changes that a play shows, by the labels of the rules, or of the procedure."""
    yield from ((label, each.play) for each in (*found.rules, *found.example_questions) for label in each.rules)
    for procedure in found.procedures:
        if procedure.play is not None:
            yield procedure_label(procedure.kind, procedure.name), procedure.play


def procedure_label(kind: str, name: str) -> str:
    """Return the label of a procedure in a report of changes; for a hook, its event."""
    if kind == "sequence":
        return kind
    return name if kind == "hook" else f"{kind} {name}"


def _smallest(cases: list[PlayDifference]) -> PlayDifference:
    """Return the best case: one that both stacks can express and a file can represent; then a small one."""
    return min(cases, key=lambda case: (bool(case.missing_words), case.position is None, len(case.a) + len(case.b)))


def _with_file(play: PlayDifference, graphs: Graphs) -> PlayDifference:
    """Add the position of a play as a file; the title of an example is not a valid name."""
    if play.position is None:
        return play
    plain, names = readable_position(play.position)
    file = position_file(replace(plain, name="witness"), graphs[play.which].vocabulary)
    texts = tuple(_renamed(text, names) for text in (play.act, play.a, play.b))
    question = with_piece_names(play.question, names)
    return replace(play, act=texts[0], a=texts[1], b=texts[2], file=file, question=question)


def _renamed(text: str, names: dict[str, str]) -> str:
    """Replace names of pieces in a text."""
    for old, new in names.items():
        text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
    return text
