"""Run examples under audit: the actions of a stack's examples are play as well, with their own positions.

The input is a graph; the output is an audit of all that these actions execute.
"""

from contextlib import suppress

from runtime.answer.answer_memo import AnswerMemo
from runtime.answer.interpreter import Interpreter
from runtime.audit.audited_machine import Audit, AuditedMachine
from runtime.examples.run import ExampleRun
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.play.machine import Machine
from runtime.play.rule_faults import BrokenRules


class _AuditedExample(ExampleRun):
    """A run of a row whose actions are audited."""

    def __init__(self, rules: graph.Graph, example: graph.Example, row: int, audit: Audit) -> None:
        super().__init__(rules, example, row)
        self.audit = audit

    def make_machine(self) -> Machine:
        """Build a machine that is audited. Answers that the example fixes are fixed for the audit as well."""
        machine = AuditedMachine(self.rules, self.answers)
        reference = Interpreter(self.rules, self.pinned_answers, memo=AnswerMemo(self.rules))
        machine.check_rules(self.audit, reference)
        return machine


def audit_examples(rules: graph.Graph) -> Audit:
    """Run each row of each example with an action."""
    audit = Audit(rules)
    for example in rules.examples:
        if any(isinstance(line, graph.Perform) for line in example.lines):
            for row in range(max(1, len(example.rows))):
                audit.source = example.title
                audit.board = rules.scenario.board if example.card and rules.scenario else example.position.board
                with suppress(Unanswered, BrokenRules):  # `test` reports this.
                    _AuditedExample(rules, example, row, audit).play()
    return audit
