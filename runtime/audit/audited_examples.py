"""Run examples under audit: the actions of a stack's examples are play as well, with their own positions.

The input is a graph; the output is an audit of all that these actions execute. Before each `act` and `ask` line the
action, or those that ask the question, are compared with their questions, unless the example pins an answer.
"""

from contextlib import suppress

from runtime.answer.generate import GeneratedEvaluator
from runtime.audit.audited_machine import Audit, AuditedMachine
from runtime.audit.permission_comparison import PermissionComparison
from runtime.board.answer_errors import Unanswered
from runtime.examples.run import ExampleRun, Types
from runtime.examples.tracing_interpreter import MemoizingInterpreter
from runtime.graph import nodes as graph
from runtime.play.machine import Machine
from runtime.play.playthrough import Names, Playthrough
from runtime.play.rule_faults import BrokenRules


class _AuditedExample(ExampleRun):
    """A run of a row whose actions are audited."""

    def __init__(self, rules: graph.Graph, example: graph.Example, row: int, audit: Audit) -> None:
        super().__init__(rules, example, row)
        self.audit = audit
        self.is_pinned = any(isinstance(line, graph.Given) for line in example.lines)

    def play_line(self, playthrough: Playthrough, line: graph.ExampleLine, names: Names, types: Types) -> Names:
        """Run one line; before an `act` or a question, actions are compared with what they ask."""
        comparison = None if self.is_pinned else self.audit.comparison
        match line:
            case graph.Perform(action) if comparison is not None:
                comparison.compare_permission(playthrough.state, action, self.audit.source, self.audit.board)
            case graph.Check(graph.Ask(term)) if comparison is not None:
                comparison.compare_asking(playthrough.state, term, self.audit.source, self.audit.board)
        return super().play_line(playthrough, line, names, types)

    def make_machine(self) -> Machine:
        """Build a machine that is audited. Answers that the example fixes are fixed for the audit as well."""
        machine = AuditedMachine(self.rules, self.answers)
        machine.check_rules(self.audit, MemoizingInterpreter(self.rules, self.pinned_answers))
        return machine


def audit_examples(rules: graph.Graph) -> Audit:
    """Run each row of each example with an action, or with a question that an action asks."""
    audit = Audit(rules)
    evaluator = GeneratedEvaluator(rules)
    programs = Machine(rules, evaluator).programs.entries
    audit.comparison = comparison = PermissionComparison(rules, evaluator, programs)
    for example in rules.examples:
        if any(_is_audited(line, comparison) for line in example.lines):
            for row in range(max(1, len(example.rows))):
                audit.source = example.title
                audit.board = rules.scenario.board if example.card and rules.scenario else example.position.board
                with suppress(Unanswered, BrokenRules):  # `test` reports this.
                    _AuditedExample(rules, example, row, audit).play()
    return audit


def _is_audited(line: graph.ExampleLine, comparison: PermissionComparison) -> bool:
    """Return whether a line performs an action, or asks what an action asks."""
    match line:
        case graph.Perform():
            return True
        case graph.Check(graph.Ask(term)):
            return term in comparison.asking_actions
        case _:
            return False
