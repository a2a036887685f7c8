"""Find examples whose drawn counters differ from the chart, and report them at the cells of the chart.

In: a graph, for `test` also the runs of its examples. Out: a finding for each such example. This requires no
runs, so that `check` reports it too. Other examples that fail for the same reason are determined by running them: they
pass with the counters printed as drawn.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from compiler.analysis.parties import Party
from compiler.report.answers import ExampleFailed, LikelyCause, OtherFailure
from runtime.examples.drawn_counters import RowDifference, counter_differences, misprinted_counters, printed_as_drawn
from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.mutation.fail_fast import passes_repaired
from runtime.mutation.localization import record_of


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
    """Return the findings of cases that fail only because of drawn counters, and the other runs.

    Other failing examples that pass with the counters as drawn are listed with the first finding; each of them is run
    once more.
    """
    misdrawn_lines = {id(run): _misdrawn_rows(rules, run.example) for run in runs if run.failures}
    misdrawn_runs = [run for run in runs if _fails_only_at(run, misdrawn_lines.get(id(run), ()))]
    if not misdrawn_runs:
        return [], list(runs)
    found = _failures([(run.example, misdrawn_lines[id(run)]) for run in misdrawn_runs], rules)
    altered = printed_as_drawn(rules, (line for run in misdrawn_runs for line in misdrawn_lines[id(run)]))
    misdrawn_ids = {id(run) for run in misdrawn_runs}
    repaired_runs = [
        run for run in runs if run.failures and id(run) not in misdrawn_ids and passes_repaired(altered, record_of(run))
    ]  # fmt: skip
    repaired_ids = {id(run) for run in repaired_runs}
    remaining_runs = [run for run in runs if id(run) not in misdrawn_ids | repaired_ids]
    failing_examples = {(run.example.origin, run.example.title) for run in remaining_runs if run.failures}
    names = dict.fromkeys(
        run.example.title for run in repaired_runs if (run.example.origin, run.example.title) not in failing_examples
    )  # fmt: skip
    return [replace(found[0], repaired=(*found[0].repaired, *names)), *found[1:]], remaining_runs


def _fails_only_at(run: Run, misdrawn_lines: Sequence[graph.Printed]) -> bool:
    """Return whether only some lines fail in a case."""
    places = {line.origin for line in misdrawn_lines}
    return bool(places) and all(each.origin in places for each in run.failures)


def _misdrawn_rows(rules: graph.Graph, example: graph.Example) -> tuple[graph.Printed, ...]:
    """Return the rows that an example draws differently."""
    lines = (line for line in example.lines if isinstance(line, graph.Printed) and line.counter in rules.counters)
    return tuple(line for line in lines if counter_differences(line, rules.counters[line.counter]))


def _failures(
    misdrawn_examples: Sequence[tuple[graph.Example, Sequence[graph.Printed]]], rules: graph.Graph
) -> list[ExampleFailed]:
    """Return a finding for each example, or a single one if two columns of a chart are exchanged."""
    found = [
        each
        for example, misdrawn_lines in misdrawn_examples
        if (each := _failed(example, misdrawn_lines, rules)) is not None
    ]
    lines = [line for _, misdrawn_lines in misdrawn_examples for line in misdrawn_lines]
    columns = {_exchanged(counter_differences(line, rules.counters[line.counter])) for line in lines}
    charts = {(line.kind, rules.counters[line.counter].origin.file) for line in lines}
    if len(lines) < 2 or len(columns) > 1 or len(charts) > 1 or not (pair := columns.pop()):
        return found
    first = rules.counters[lines[0].counter]
    chart = ((first.kind, first.origin),)
    return [
        replace(
            found[0],
            causes=(),
            values=("columns", *pair),
            cells=chart,
            repaired=tuple(each.example for each in found[1:]),
        )
    ]


def _exchanged(differences: Sequence[RowDifference]) -> tuple[str, ...]:
    """Return the two exchanged columns; () if there are other differences."""
    match differences:
        case (RowDifference(column, drawn_value, printed), RowDifference(other_column, also_drawn, also_printed)):
            return (column, other_column) if (drawn_value, printed) == (also_printed, also_drawn) else ()
        case _:
            return ()


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
        yield LikelyCause(
            "printed", Party(counter.id, "", counter.cites, counter.origin), printed_value, cell=each.cell
        )  # fmt: skip
