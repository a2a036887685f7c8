"""Run the examples as the rules stand, and record what each comes by and which altered expressions it tells apart.

In: a graph and the expressions to watch, each with what it is altered to. Out: a `Record` for each run. A run in which
an altered expression always comes out as the original cannot notice the alteration: weak mutation (Howden, Weak
Mutation Testing and Completeness of Test Sets, 1982), used here to leave out runs that need not be played again.
"""

from collections.abc import Iterator, Mapping, Sequence

from runtime.answer.answer import Answer
from runtime.answer.interpreter import Given
from runtime.examples.run import ExampleRun, run_of
from runtime.examples.tracing_interpreter import TracingInterpreter, UntracedInterpreter
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.mutation.mutant import Record
from runtime.play.playthrough import Names
from runtime.state.position import State
from runtime.state.record import Value

Probes = Mapping[int, Sequence[graph.Expr]]  # By the id of an expression, what it is altered to.


class ProbingInterpreter(TracingInterpreter):
    """Evaluates the probes beside each expression, and records those whose value differs: weak mutation."""

    def __init__(self, rules: graph.Graph, given: Given, probes: Probes) -> None:
        """Begin with all altered expressions still telling nothing."""
        super().__init__(rules, given)
        self.left = dict(probes)
        self.evaluated: set[int] = set()
        self.infected: set[int] = set()
        self.count = 0
        self.untraced: UntracedInterpreter | None = None

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Answer a question, and count it."""
        self.count += 1
        return super().ask(state, name, arguments)

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression, and what it is altered to."""
        here = id(expr)
        self.evaluated.add(here)
        left = self.left.get(here)
        if not left:
            return super().evaluate(state, expr, names)
        if self.reads.makes_newly(expr):
            self.infected.update(id(other) for other in left)
            self.left[here] = ()
            return super().evaluate(state, expr, names)
        failed: Exception | None = None
        value: Value = None
        try:
            value = super().evaluate(state, expr, names)
        except Exception as slip:  # noqa: BLE001 -- what examples run into is theirs; it is raised below
            failed = slip
        self.left[here] = [other for other in left if not self.differs(state, other, names, value, failed)]
        if failed is not None:
            raise failed
        return value

    def differs(self, state: State, other: graph.Expr, names: Names, value: Value, failed: Exception | None) -> bool:
        """Return whether an altered expression comes out otherwise, which is noted."""
        if self.untraced is None:
            self.untraced = UntracedInterpreter(self)
        try:
            found = self.untraced.evaluate(state, other, names)
            same = failed is None and found == value
        except Exception as slip:  # noqa: BLE001 -- an altered expression may ask what cannot be answered
            same = failed is not None and str(slip) == str(failed)
        if not same:
            self.infected.add(id(other))
        return not same


class RecordedRun(ExampleRun):
    """A row of an example being played, and recorded."""

    def __init__(self, rules: graph.Graph, example: graph.Example, row: int, probes: Probes) -> None:
        """Begin with nothing asked."""
        super().__init__(rules, example, row)
        self.probing = self.tracing = self.answers = ProbingInterpreter(rules, self.given, probes)


class Places:
    """Says in which procedure of a graph an expression stands."""

    def __init__(self, rules: graph.Graph) -> None:
        """Look through all procedures."""
        self.of = {id(node): key for key, each in rules.procedures.items() for node in walk(each.body)}


def record_runs(rules: graph.Graph, probes: Probes) -> Iterator[Record]:
    """Run every row of the examples, and record it."""
    places = Places(rules)
    for example in rules.examples:
        for row in range(max(1, len(example.rows))):
            playing = RecordedRun(rules, example, row, probes)
            playing.finish()
            run = run_of(playing)
            seen = playing.probing
            by_expression = {places.of[each] for each in seen.evaluated if each in places.of}
            begun = set(playing.machine.closures) if playing.machine is not None else set()
            procedures = frozenset(by_expression | begun | run.procedures)
            yield Record(run, procedures, frozenset(seen.evaluated), frozenset(seen.infected), seen.count)
