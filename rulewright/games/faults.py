"""Convert faults raised by the runtime to problems for `compiler/report`.

In: an exception, with the state in which it was raised. Out: a problem.
"""

from compiler.report.findings.stuck_play import PlayStuck
from compiler.report.findings.unanswered_questions import AnswerOutside, NoAnswer, NoGeometry, ReadAbsent, TwoAnswers
from compiler.source.finding import Finding
from runtime.answer.value_text import question_text
from runtime.graph import answer_errors
from runtime.graph import nodes as graph
from runtime.graph.geometry import geometry_users, has_hexes
from runtime.play.rule_faults import BrokenRules
from runtime.state.position import State


def fault_of(raised: answer_errors.Unanswered, state: State) -> Finding:
    """Return the problem of a question without an answer."""
    rules = state.graph
    if isinstance(raised, answer_errors.NoGeometryError):
        return _no_geometry(rules, raised.callee, raised.arguments)
    if isinstance(raised, answer_errors.OutOfRangeError):
        term = rules.terms.get(raised.callee.partition("(")[0])
        return AnswerOutside(raised.callee, term.origin if term else None, (), str(raised))
    declaration: graph.Term | graph.Table | None = rules.terms.get(raised.callee) or rules.tables.get(raised.callee)
    if declaration is None or isinstance(raised, answer_errors.AbsentError):
        return ReadAbsent(raised.callee, "".join(raised.arguments), declaration.origin if declaration else None)
    question = question_text(state, raised.callee, raised.arguments)
    live_rules = tuple((label, rules.rules[label].origin) for label in raised.labels if label in rules.rules)
    match raised:
        case answer_errors.ClashError():
            return TwoAnswers(question, declaration.origin, live_rules)
        case answer_errors.OutsideError():
            return AnswerOutside(question, declaration.origin, live_rules)
        case _:
            return NoAnswer(question, declaration.origin)


def _no_geometry(rules: graph.Graph, function: str, spaces: tuple[str, ...] = (), card: str = "") -> NoGeometry:
    """Return the problem of a question about lines or directions on a map without them, with all users."""
    askers = tuple((label, origin) for _, label, origin in geometry_users(rules, frozenset((function,))))
    return NoGeometry(function, spaces, card, askers)


def without_hexes(rules: graph.Graph) -> tuple[NoGeometry, ...]:
    """Return the problems of uses of lines and directions, if the map of the card has no hexes."""
    card = rules.scenario
    if card is None or not card.board.hexes or has_hexes(card.board):
        return ()
    operators = dict.fromkeys(op for op, _, _ in geometry_users(rules))
    return tuple(_no_geometry(rules, op, card=card.name) for op in operators)


def fault_of_play(raised: BrokenRules) -> Finding:
    """Return the problem of a stopped game."""
    fault = raised.fault
    when = f"turn {fault.turn}" + (f", {fault.phase}" if fault.phase else "")
    return PlayStuck(fault.message, fault.procedure_name, when, fault.origin)
