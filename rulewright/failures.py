"""What examples find instead of what they expect, one finding a mistake.

In: runs of examples, and the rules they were run under. Out: findings for the report. Two lines that each read the
number of the other are one mistake, so are cells of a chart that stand in each other's place, and so is whatever fails
within one example.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from compiler.report.answers import AlsoFailed, ExampleFailed
from runtime.examples.exchanged import exchanged_cells
from runtime.examples.idle import idle_parts
from runtime.examples.run import Failure, Run
from runtime.graph import nodes as graph
from runtime.graph.rows import row_label

NUMBERED = re.compile(r"-?\d+(/\d+)?(?= |$)")


def failures(runs: Sequence[Run], rules: graph.Graph | None = None) -> list[ExampleFailed]:
    """List what came out otherwise than expected; what was exchanged, in a chart of these rules too, is one mistake."""
    idle = [*map(_failed, idle_parts(runs))]
    found = exchanged_cells(rules, runs) if rules is not None else None
    if rules is None or found is None:
        return [*_gathered(each for run in runs for each in _paired(run)), *idle]
    cells = tuple((row_label(found.table, row, rules.vocabulary), row.origin) for row in (found.one, found.other))
    first = replace(_failed(found.shown.failures[0]), cells=cells, more=len(found.mended) - 1)
    mended = {id(run) for run in found.mended}
    others = _gathered(each for run in runs if id(run) not in mended for each in _paired(run))
    return [first, *others, *idle]


def _failed(each: Failure) -> ExampleFailed:
    return ExampleFailed(
        each.example,
        each.case,
        each.expected,
        each.actual,
        each.explanation,
        each.origin,
        each.step,
        moment=each.moment,
    )


def _gathered(failed: Iterable[ExampleFailed]) -> list[ExampleFailed]:
    """Make one finding of all that fails in one example, in any of its cases: it has one cause, as a rule."""
    examples: dict[tuple[str, str], list[ExampleFailed]] = {}
    for each in failed:
        examples.setdefault((each.origin.file, each.example), []).append(each)
    return [replace(first, besides=tuple(map(_also, others))) for first, *others in examples.values()]


def _also(failed: ExampleFailed) -> AlsoFailed:
    return AlsoFailed(failed.case, failed.expected, failed.actual, failed.origin)


def _paired(run: Run) -> list[ExampleFailed]:
    """Make one finding of two lines of one case that each read the number which the other expects.

    Only what is printed is read as it stands. Questions are reckoned, and a wrong rule may as well turn two about.
    """
    printed = {
        line.origin
        for line in run.example.lines
        if isinstance(line, graph.Check) and isinstance(line.question, graph.Get) and line.question.what == "printed"
    }
    kept: list[ExampleFailed] = []
    for each in map(_failed, run.failures):
        wanted = _numbers(each) if each.origin in printed else ()
        at = next((at for at, other in enumerate(kept) if wanted and _crossed(other, each)), None)
        if at is None:
            kept.append(each)
        else:
            kept[at] = replace(kept[at], exchanged=(each.origin, each.expected))
    return kept


def _crossed(one: ExampleFailed, other: ExampleFailed) -> bool:
    same = (one.case, one.origin.file) == (other.case, other.origin.file) and one.exchanged is None
    return same and one.origin != other.origin and _numbers(one) == _numbers(other)[::-1]


def _numbers(failed: ExampleFailed) -> tuple[str, ...]:
    """Give the numbers that were expected and found, if both are numbers, whatever they count."""
    found = [NUMBERED.match(text) for text in (failed.expected, failed.actual)]
    return tuple(each[0] for each in found if each) if all(found) else ()
