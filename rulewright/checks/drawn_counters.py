"""Find examples whose drawn counters differ from the chart, and report them at the cells of the chart.

In: a graph, for `test` also the runs of its examples. Out: a finding for each such example. This requires no
runs, so that `check` reports it too.
"""

from collections.abc import Iterable, Sequence

from compiler.analysis.parties import Party
from compiler.report.findings.failed_examples import ExampleFailed, LikelyCause, OtherFailure
from runtime.examples.drawn_counters import counter_differences, misprinted_counters
from runtime.examples.row_result import Run
from runtime.graph import nodes as graph


def redrawn_counters(rules: graph.Graph) -> list[ExampleFailed]:
    """Return the findings of the examples of a graph that draw counters differently from the chart."""
    return _failures([(example, _misdrawn_rows(rules, example)) for example in rules.examples], rules)


def differing_drawn_rows(rules: graph.Graph) -> frozenset[tuple[str, int]]:
    """Return the rows of charts that an example draws differently, as (file, line)."""
    origins = (
        rules.counters[line.counter].origin for example in rules.examples for line in _misdrawn_rows(rules, example)
    )
    return frozenset((origin.file, origin.line) for origin in origins)


def split_drawn_failures(rules: graph.Graph, runs: Sequence[Run]) -> tuple[list[ExampleFailed], list[Run]]:
    """Return the findings of cases that fail only because of drawn counters, and the other runs."""
    misdrawn_lines = {id(run): _misdrawn_rows(rules, run.example) for run in runs if run.failures}
    misdrawn_runs = [run for run in runs if _fails_only_at(run, misdrawn_lines.get(id(run), ()))]
    found = _failures([(run.example, misdrawn_lines[id(run)]) for run in misdrawn_runs], rules)
    misdrawn_ids = {id(run) for run in misdrawn_runs}
    return found, [run for run in runs if id(run) not in misdrawn_ids]


def _fails_only_at(run: Run, misdrawn_lines: Sequence[graph.Printed]) -> bool:
    """Return whether only some lines fail in a case."""
    places = {line.origin for line in misdrawn_lines}
    return bool(places) and all(failure.origin in places for failure in run.failures)


def _misdrawn_rows(rules: graph.Graph, example: graph.Example) -> tuple[graph.Printed, ...]:
    """Return the rows that an example draws differently."""
    lines = (line for line in example.lines if isinstance(line, graph.Printed) and line.counter in rules.counters)
    return tuple(line for line in lines if counter_differences(line, rules.counters[line.counter]))


def _failures(
    misdrawn_examples: Sequence[tuple[graph.Example, Sequence[graph.Printed]]], rules: graph.Graph
) -> list[ExampleFailed]:
    """Return a finding for each example."""
    findings = (_failed(example, misdrawn_lines, rules) for example, misdrawn_lines in misdrawn_examples)
    return [finding for finding in findings if finding is not None]


def _failed(
    example: graph.Example, misdrawn_lines: Sequence[graph.Printed], rules: graph.Graph
) -> ExampleFailed | None:
    """Return the finding at the first differing row, with the other rows; None if there is none."""
    misprints = [(line, found) for line in misdrawn_lines if (found := misprinted_counters(line, rules))]
    if not misprints:
        return None
    (line, (expected, actual)), *others = misprints
    other_failures = tuple(OtherFailure("", *each, other.origin) for other, each in others)
    causes = tuple(_causes(line, rules.counters[line.counter]))
    return ExampleFailed(
        example.title, "", expected, actual, "", line.origin, other_failures=other_failures, causes=causes
    )


def _causes(line: graph.Printed, counter: graph.Counter) -> Iterable[LikelyCause]:
    """Yield the differing cells of a counter in the chart as causes."""
    for each in counter_differences(line, counter):
        printed_value = f"no {each.name}" if each.printed_value is None else f"{each.name} {each.printed_value}".strip()
        yield LikelyCause("printed", Party(counter.id, "", counter.cites, counter.origin), printed_value)
