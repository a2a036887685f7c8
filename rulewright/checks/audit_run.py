"""Audit a stack or a situation: play games, and check the preconditions of each step and the `always` facts.

In: a compiled stack, with or without a card. Out: how often each procedure was run, the contradictions and broken facts
with their positions as files, and the procedures that were never run, which are not covered.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from compiler.analysis.missing_questions import missing_questions
from rulewright.checks.witnesses import witness_folder, write_witness
from rulewright.games.scenarios import known_players
from rulewright.library.generated_code import known_code
from runtime.answer.code import ANSWERING
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.value_text import unanswered_reason
from runtime.audit.audited_examples import audit_examples
from runtime.audit.audited_machine import Audit, AuditedGame
from runtime.audit.contradiction_text import ContradictionText, broken_fact_text, contradiction_text
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.related_procedures import procedure_label
from runtime.play.garbage_collection import exempt_objects
from runtime.play.rule_faults import BrokenRules
from runtime.players.player import play_out, seat_players


@frozen_dataclass
class _PreconditionCount:
    """Counts of one precondition in one procedure: how often its step was reached, it was evaluated, it was false."""

    precondition: str
    procedure: str
    reached: int
    evaluated: int
    broken: int


@frozen_dataclass
class _Violation:
    """A contradiction or broken fact: how often it occurred, where first, the file of its position, "" without one."""

    contradiction: ContradictionText
    times: int
    first_occurrence: str
    path: str


@dataclass(slots=True)
class AuditReport:
    """The result of an audit: `games` is the number of completed games, `stop_reasons` why each other game stopped.

    `facts` is the number of `always` facts that were checked after each step, `printed_facts` that of the others, which
    are about printed values alone.
    """

    stack: str
    games: int
    examples: int
    preconditions: int
    precondition_counts: list[_PreconditionCount] = field(default_factory=list)
    violations: list[_Violation] = field(default_factory=list)
    stop_reasons: list[str] = field(default_factory=list)
    unchecked: list[tuple[str, str, str]] = field(default_factory=list)  # procedure, precondition, question
    facts: int = 0
    printed_facts: int = 0
    broken_facts: list[_Violation] = field(default_factory=list)
    unplayed: list[str] = field(default_factory=list)  # procedures and phases that no game executed
    cards: list[str] = field(default_factory=list)  # of a stack whose examples were audited

    def add_games(self, other: "AuditReport", card: str) -> None:
        """Add the games of a card to the report of a stack: what they broke and stopped at."""
        self.unplayed = [each for each in other.unplayed if each in self.unplayed] if self.games else other.unplayed
        self.games += other.games
        self.violations += other.violations
        self.broken_facts += other.broken_facts
        self.stop_reasons += [f"{card}: {reason}" for reason in other.stop_reasons]


def audit_games(
    rules: graph.Graph, players: Sequence[Mapping[str, str]], games: int, seed: str, moved: Callable[[int, int], None]
) -> tuple[Audit, list[str], list[str]]:
    """Play games with some players in turn; return the report, what stopped games, and what none executed."""
    exempt_objects()
    game = AuditedGame(rules, GeneratedEvaluator(rules, code=known_code(rules, ANSWERING)))
    stopped: list[str] = []
    for number in range(games):
        names = players[number % len(players)]
        name = f"{seed}-{number + 1}"
        kinds = "/".join(dict.fromkeys(names.values()))
        game.audit.source = f"seed {name}, {kinds}"
        game.audit.board = rules.scenario.board if rules.scenario else None
        playthrough = game.start(name)
        try:
            play_out(
                game, playthrough, seat_players({side: known_players(each, {}) for side, each in names.items()}, name)
            )
        except (BrokenRules, Unanswered) as broken:
            reason = unanswered_reason(playthrough.state, broken) if isinstance(broken, Unanswered) else str(broken)
            stopped.append(f"the game of {game.audit.source} stopped: {reason}")
        moved(number + 1, games)
    return game.audit, stopped, [procedure_label(each) for each in game.unexecuted_parts()]


def audit_report(rules: graph.Graph, audit: Audit, positions: Path | None) -> AuditReport:
    """Build the report of an audit, and save the positions of contradictions."""
    report = AuditReport(rules.stack, 0, 0, len(rules.preconditions))
    broken: dict[tuple[str, str], int] = {}
    for (label, key, _), times in audit.violations.items():
        broken[label, key] = broken.get((label, key), 0) + times
    for precondition, key in audit.governed_procedures():
        place = precondition.label, key
        report.precondition_counts.append(
            _PreconditionCount(
                precondition.label,
                procedure_label(key),
                audit.encounters[place],
                audit.evaluations[place],
                broken.get(place, 0),
            )
        )
    missing_checks = dict.fromkeys(
        (procedure_label(each.key), each.label, each.term) for each in missing_questions(rules)
    )
    report.unchecked += missing_checks
    report.facts, report.printed_facts = audit.watched_facts, len(rules.always) - audit.watched_facts
    folder = witness_folder(f"audit-{rules.stack}", positions)
    for number, each in enumerate(audit.contradictions, 1):
        name = f"contradiction-{number}"
        times = audit.violations[each.precondition.label, each.key, each.reason]
        report.violations.append(_violation(contradiction_text(each, name), times, each.source, folder / name))
    for number, found in enumerate(audit.broken_facts, 1):
        name = f"broken-fact-{number}"
        times = audit.fact_violations[found.fact.label, found.key]
        report.broken_facts.append(_violation(broken_fact_text(found, name), times, found.source, folder / name))
    return report


def _violation(text: ContradictionText, times: int, source: str, path: Path) -> _Violation:
    """Save the position of a violation."""
    written = ""
    if text.file:
        with suppress(OSError):
            written = write_witness(path.with_suffix(".yaml"), text.file)
    return _Violation(text, times, source, written)


def audited_examples(rules: graph.Graph, positions: Path | None) -> AuditReport:
    """Audit the acts of a stack's examples."""
    acting = [e for e in rules.examples if any(isinstance(line, graph.Perform) for line in e.lines)]
    return replace(audit_report(rules, audit_examples(rules), positions), examples=len(acting))
